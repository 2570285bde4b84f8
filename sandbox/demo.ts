// The demo of `npm start`: a deposit and a withdrawal from signed request to delivered webhook, step by step.
// It plays the operator's cashier and, for the approval, a person at the gateway; nothing in it is simulated but the
// payer and the bank.
import { randomBytes } from 'node:crypto';
import { createGatewayClient } from '../client/index.js';
import { demoOperatorControl } from './demo-operator/control-client.js';
import { readTls } from './demo-operator/sandbox-file.js';
import { createDeposit, payDeposit, showBalances } from './demo/deposit.js';
import { brl, step, title } from './demo/lines.js';
import { DEPOSIT_AMOUNT, WITHDRAWAL_AMOUNT } from './demo/player.js';
import { compareEvents, redeliver, showPaid, verifyLedger } from './demo/proof.js';
import type { DemoOptions, Run } from './demo/run.js';
import { found, notYet, until } from './demo/waiting.js';
import { approveWithdrawal, createWithdrawal, payWithdrawal } from './demo/withdrawal.js';

export type { DemoOptions } from './demo/run.js';

const DEFAULT_WAIT_MS = 30_000;

/**
 * Runs the whole story, printing each step as it happens. `ok` only if deposit and withdrawal are `paid`, the ledger
 * balances and the demo operator received every event that `GET /events` lists for both; at a bank that sends no
 * payouts, the deposit alone. What keeps it from going on is printed, not thrown.
 */
export async function runDemo(options: DemoOptions): Promise<{ ok: boolean }> {
  const reference = randomBytes(5).toString('hex');
  const { base_url: baseUrl, operation, tls } = options.sandbox;
  const waitMs = options.waitMs ?? DEFAULT_WAIT_MS;
  const client = createGatewayClient({
    baseUrl,
    keyId: operation.key_id,
    secret: operation.secret,
    giveUpAfterMs: waitMs,
    ...readTls(tls),
  });
  const operator = demoOperatorControl(options.demoOperatorUrl);
  try {
    await playSteps({ ...options, waitMs, client, operator, reference, playerRef: `demo-player-${reference}` });
    return { ok: true };
  } catch (error) {
    options.print('');
    options.print(`  Stopped: ${error instanceof Error ? error.message : String(error)}`);
    return { ok: false };
  } finally {
    await client.close();
  }
}

async function playSteps(run: Run): Promise<void> {
  title(run, 'Before');
  await greet(run);

  title(run, `Deposit: the player pays ${brl(DEPOSIT_AMOUNT)} by PIX`);
  const deposit = await createDeposit(run);
  const paidEvent = await payDeposit(run, deposit);
  await showBalances(run);

  title(run, `Withdrawal: the player takes out ${brl(WITHDRAWAL_AMOUNT)}`);
  const created = await createWithdrawal(run);
  if (created !== null) await payWithdrawal(run, await approveWithdrawal(run, created));

  title(run, 'Proof');
  await compareEvents(run, [deposit.id, ...(created === null ? [] : [created.id])]);
  await verifyLedger(run);
  await redeliver(run, paidEvent);
  await showPaid(run, deposit.id, created?.id ?? null);
}

async function greet(run: Run): Promise<void> {
  await until(run, 'the demo operator to answer', async () =>
    (await run.operator.healthy()) ? found(true) : notYet('no answer'),
  );
  const { body: ping } = await run.client.ping();
  const aheadMs = Date.parse(ping.server_time) - Date.now();
  step(run, 'GET /ping', `ok, ${ping.environment}, clocks differ by ${Math.abs(aheadMs)} ms`);
}
