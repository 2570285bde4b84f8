// Takes the pictures of docs/ from a running stack: `npm start -- --no-demo` in one terminal, then
// `npm run screenshots`. Needs Chromium (CHROMIUM_PATH, default /usr/bin/chromium).
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateCpf } from '@brazilian-utils/brazilian-utils';
import { type Browser, chromium } from 'playwright-core';
import { createGatewayClient, newIdempotencyKey } from '../../client/index.js';
import { projectRoot } from '../../config/project-root.js';

const IMAGES = join(projectRoot(), 'docs', 'images');
interface Sandbox {
  readonly base_url: string;
  readonly temporal_ui_url: string;
  readonly operation: { readonly key_id: string; readonly secret: string };
}

interface Stack {
  readonly environment: { readonly SIMULATOR_CONTROL_URL: string };
}

const stack = JSON.parse(readFileSync(join(projectRoot(), 'var', 'stack.json'), 'utf8')) as Stack;
const sandbox = JSON.parse(readFileSync(join(projectRoot(), 'var', 'sandbox.json'), 'utf8')) as Sandbox;
const client = createGatewayClient({ baseUrl: sandbox.base_url, keyId: sandbox.operation.key_id, secret: sandbox.operation.secret });
const once = () => ({ idempotencyKey: newIdempotencyKey() });

function deposit(amount: string, cpf: string) {
  const player = { external_ref: `player-${cpf.slice(0, 6)}`, document: { type: 'CPF' as const, number: cpf, country: 'BR' }, ip: '203.0.113.9' };
  return { external_id: randomUUID(), player, amount: { amount, currency: 'BRL' }, method: 'pix' as const };
}

/** The simulated provider stops answering, or answers again. */
async function setProviderOutage(mode: 'none' | 'error'): Promise<void> {
  const url = `${stack.environment.SIMULATOR_CONTROL_URL}/control/simulator/outage`;
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'PUT', headers, body: JSON.stringify({ mode }), signal: AbortSignal.timeout(5_000) });
  if (!response.ok) throw new Error(`the simulator answered ${response.status}`);
}

async function makePayments(): Promise<{ review: string; stuck: string }> {
  const cpf = generateCpf();
  const paid = await client.createDeposit(deposit('120000', cpf), once());
  await client.sandbox.payDeposit(paid.body.id, once());
  const request = { ...deposit('45000', cpf), destination: { pix: { key_type: 'cpf' as const, key: cpf } } };
  const review = await client.createWithdrawal(request, once());
  await setProviderOutage('error');
  const stuck = await client.createDeposit(deposit('7500', generateCpf()), once());
  return { review: review.body.id, stuck: stuck.body.id };
}

/** The run id that the Temporal UI's own pages are named by. */
async function currentRun(workflowId: string): Promise<string> {
  const response = await fetch(`${sandbox.temporal_ui_url}/api/v1/namespaces/default/workflows/${workflowId}`, { signal: AbortSignal.timeout(5_000) });
  const body = (await response.json()) as { workflowExecutionInfo: { execution: { runId: string } } };
  return body.workflowExecutionInfo.execution.runId;
}

async function shoot(browser: Browser, url: string, name: string, height = 760): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1440, height } });
  await page.goto(url);
  await page.waitForTimeout(6_000);
  await page.screenshot({ path: join(IMAGES, name) });
  await page.close();
}

mkdirSync(IMAGES, { recursive: true });
const { review, stuck } = await makePayments();
const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const browser = await chromium.launch({ executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium', args: flags });
const workflows = `${sandbox.temporal_ui_url}/namespaces/default/workflows`;
const [reviewRun, stuckRun] = [await currentRun(review), await currentRun(stuck)];
await shoot(browser, `${workflows}?query=${encodeURIComponent('`WaitingFor`="review"')}`, 'temporal-list.png');
await shoot(browser, `${workflows}/${review}/${reviewRun}/user-metadata`, 'temporal-review.png');
await shoot(browser, `${workflows}/${review}/${reviewRun}/search-attributes`, 'temporal-search-attributes.png');
await shoot(browser, `${workflows}/${stuck}/${stuckRun}/pending-activities`, 'temporal-stuck.png', 560);
await shoot(browser, new URL('/docs#operation/createDeposit', sandbox.base_url).href, 'api-reference.png', 900);
await setProviderOutage('none');
await browser.close();
process.exit(0);
