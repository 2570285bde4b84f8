// The pictures of docs/images: what the Temporal UI shows of payments that wait.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { generateCpf } from '@brazilian-utils/brazilian-utils';
import type { Browser, Page } from 'playwright-core';
import { projectRoot } from '../../platform/config/project-root.js';
import { pageUrl, type TemporalUi, TO_REVIEW, viewUrl } from '../../contract/temporal/ui-links.js';
import { client, deposit, heldWithdrawal, once, sandbox, stack } from './payments.js';

const IMAGES = join(projectRoot(), 'docs', 'images');

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
  /** The page is complete once it shows this. */
  readonly says: string;
}

/** Current details are in a separate frame, which loads later than the page. */
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

export async function shootTemporal(browser: Browser): Promise<void> {
  mkdirSync(IMAGES, { recursive: true });
  const { review, stuck, unknown } = await makePayments();
  // Until the payout's look-ups have found nothing for a while, and an alert was raised.
  await setTimeout(150_000);
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
}
