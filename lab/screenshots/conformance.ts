// The picture of a conformance report: a run of the kit against the demo operator, both real.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Browser } from 'playwright-core';
import { pageOf } from '../../conformance/report/page.js';
import { newReportKey, signReport } from '../../conformance/report/signature.js';
import { runConformance } from '../../conformance/run.js';
import { projectRoot } from '../../platform/config/project-root.js';
import { startAdapter } from '../../sandbox/demo-operator/conformance/adapter.js';
import { startDemoOperator } from '../../sandbox/demo-operator/start.js';

/**
 * The demo operator needs about five seconds for a creation that is refused four times, so one check fails: the picture
 * shows what that looks like.
 */
const IMPATIENT_PACE = { waitMs: 3_000, settleMs: 1_000, recoveryMs: 2_000 };
const SIZE = { width: 1100, height: 1500 };

export async function shootConformance(browser: Browser): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'demo-operator-'));
  const sandboxFile = join(folder, 'sandbox.json');
  const log = pino({ level: 'silent' });
  const operator = await startDemoOperator({ port: 0, stateDir: folder, sandboxFile, recoveryIntervalMs: 1_000, log });
  const adapter = await startAdapter({ port: 0, operatorUrl: operator.url, sandboxFile, log });
  try {
    const report = await runConformance({
      operator: 'Demo operator',
      adapterUrl: adapter.url,
      webhookUrl: `${operator.url}/webhooks`,
      gateway: { host: '127.0.0.1', port: 0 },
      pace: IMPATIENT_PACE,
      guide: 'integrating.md',
      atOnce: 6,
    });
    await shoot(browser, pageOf(signReport(report, newReportKey().privatePem)));
  } finally {
    await adapter.close();
    await operator.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function shoot(browser: Browser, html: string): Promise<void> {
  const images = join(projectRoot(), 'docs', 'images');
  mkdirSync(images, { recursive: true });
  const page = await browser.newPage({ viewport: SIZE, colorScheme: 'light' });
  await page.setContent(html);
  await page.screenshot({ path: join(images, 'conformance.png') });
  await page
    .locator('section.failed')
    .first()
    .screenshot({ path: join(images, 'conformance-failed.png') });
  await page.close();
}
