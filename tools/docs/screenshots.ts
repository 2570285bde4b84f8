// Takes the pictures of docs/ from a running stack: `npm start -- --no-demo` in one terminal, then
// `npm run screenshots`. Needs Chromium (CHROMIUM_PATH, default /usr/bin/chromium).
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { generateCpf } from '@brazilian-utils/brazilian-utils';
import { type Browser, chromium, type Page } from 'playwright-core';
import { createGatewayClient, newIdempotencyKey } from '../../client/index.js';
import { projectRoot } from '../../platform/config/project-root.js';
import { pageUrl, type TemporalUi, TO_REVIEW, viewUrl } from '../../contract/temporal/ui-links.js';

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
const client = createGatewayClient({
  baseUrl: sandbox.base_url,
  keyId: sandbox.operation.key_id,
  secret: sandbox.operation.secret,
});
const once = () => ({ idempotencyKey: newIdempotencyKey() });

function deposit(amount: string, cpf: string) {
  const player = {
    external_ref: `player-${cpf.slice(0, 6)}`,
    document: { type: 'CPF' as const, number: cpf, country: 'BR' },
    ip: '203.0.113.9',
  };
  return { external_id: randomUUID(), player, amount: { amount, currency: 'BRL' }, method: 'pix' as const };
}

/** The simulated provider stops answering, or answers again. */
async function setProviderOutage(mode: 'none' | 'error'): Promise<void> {
  const url = `${stack.environment.SIMULATOR_CONTROL_URL}/control/simulator/outage`;
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, {
    method: 'PUT',
    headers,
    body: JSON.stringify({ mode }),
    signal: AbortSignal.timeout(5_000),
  });
  if (!response.ok) throw new Error(`the simulator answered ${response.status}`);
}

/** A withdrawal under review of a player who has deposited. `reasons`: the operator's own. */
async function heldWithdrawal(amount: string, reasons: readonly string[]): Promise<string> {
  const cpf = generateCpf();
  const paid = await client.createDeposit(deposit('120000', cpf), once());
  await client.sandbox.payDeposit(paid.body.id, once());
  const destination = { pix: { key_type: 'cpf' as const, key: cpf } };
  const asked = reasons.length === 0 ? {} : { review_requested: true, review_reasons: [...reasons] };
  return (await client.createWithdrawal({ ...deposit(amount, cpf), destination, ...asked }, once())).body.id;
}

interface Payments {
  readonly review: string;
  readonly stuck: string;
  readonly unknown: string;
}

async function makePayments(): Promise<Payments> {
  const review = await heldWithdrawal('45000', ['large win', 'new device']);
  await heldWithdrawal('8250', []);
  const unknown = await heldWithdrawal('30000', []);
  await setProviderOutage('error');
  await client.sandbox.withdrawal(unknown, 'approve', once());
  const stuck = await client.createDeposit(deposit('7500', generateCpf()), once());
  return { review, stuck: stuck.body.id, unknown };
}

/** The run id that the Temporal UI's own pages are named by. */
async function currentRun(workflowId: string): Promise<string> {
  const response = await fetch(`${sandbox.temporal_ui_url}/api/v1/namespaces/default/workflows/${workflowId}`, {
    signal: AbortSignal.timeout(5_000),
  });
  const body = (await response.json()) as { workflowExecutionInfo: { execution: { runId: string } } };
  return body.workflowExecutionInfo.execution.runId;
}

/** As a browser shows the list once somebody has added the columns: the UI keeps them there, under this name. */
const COLUMNS = { default: ['Status', 'Workflow ID', 'Summary'].map((label) => ({ label })) };

interface Shot {
  readonly url: string;
  readonly name: string;
  readonly size: { readonly width: number; readonly height: number };
  /** The page is complete once it says this. */
  readonly says: string;
}

/** Current details are in a frame of their own, which comes later than the page. */
async function untilSays(page: Page, text: string): Promise<void> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await page.waitForTimeout(1_000)) {
    const texts = await Promise.all(page.frames().map((frame) => frame.textContent('body')));
    if (texts.some((shown) => shown?.includes(text))) return page.waitForTimeout(2_000);
  }
  throw new Error(`${page.url()} does not say "${text}"`);
}

async function shoot(browser: Browser, { url, name, size, says }: Shot): Promise<void> {
  const page = await browser.newPage({ viewport: size });
  const columns = JSON.stringify(JSON.stringify(COLUMNS));
  await page.addInitScript(`localStorage.setItem('namespace-workflow-table-columns', ${columns})`);
  await page.goto(url);
  await untilSays(page, says);
  await page.screenshot({ path: join(IMAGES, name) });
  await page.close();
}

mkdirSync(IMAGES, { recursive: true });
const { review, stuck, unknown } = await makePayments();
// Until the payout's look-ups have been in vain for a while, and operations staff were told.
await setTimeout(150_000);
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: flags,
});
const ui: TemporalUi = { url: sandbox.temporal_ui_url, namespace: 'default' };
const page = async (id: string) => pageUrl(ui, id, await currentRun(id));
const pendingOf = async (id: string) => (await page(id)).replace('user-metadata', 'pending-activities');
const [low, high] = [
  { width: 1440, height: 560 },
  { width: 1440, height: 700 },
];
const shots: readonly Shot[] = [
  { url: viewUrl(ui, TO_REVIEW), name: 'temporal-list.png', size: { width: 1720, height: 560 }, says: 'OP: 2' },
  { url: await page(review), name: 'temporal-review.png', size: low, says: 'waits for' },
  { url: await page(unknown), name: 'temporal-unknown.png', size: high, says: 'waits for' },
  { url: await pendingOf(stuck), name: 'temporal-stuck.png', size: low, says: 'Last Failure' },
];
for (const shot of shots) await shoot(browser, shot);
await setProviderOutage('none');
await browser.close();
process.exit(0);
