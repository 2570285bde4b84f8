// No history without bound: a payment outlives thousands of messages and months of waiting, in runs of bounded length,
// and nothing is lost from one run to the next. WAITED_DAYS=365 waits for a year.
import assert from 'node:assert/strict';
import type { DepositCase } from './harness/deposit-case.js';
import { eventually } from '../../lab/harness/eventually.js';
import { useGateway } from './harness/gateway.js';
import type { WithdrawalCase } from './harness/withdrawal-case.js';

const DAY_SECONDS = 86_400;
/** A tenth of it in CI; the whole, on the runs that are released, with WAITED_DAYS. */
const { runEvents, messages, shortDays, lostDays } =
  process.env['WAITED_DAYS'] === undefined
    ? { runEvents: 400, messages: 500, shortDays: 8, lostDays: 3 }
    : { runEvents: 4_000, messages: 5_000, shortDays: Number(process.env['WAITED_DAYS']), lostDays: 30 };
/** What is under way when a run has become long may add some. */
const MOST_EVENTS = runEvents * 1.25;

describe('bounded histories', () => {
  const gateway = useGateway({ longHistoryEvents: runEvents });

  const runOf = async ({ handle }: DepositCase | WithdrawalCase) => (await handle.describe()).runId;

  const isShort = async ({ handle }: DepositCase | WithdrawalCase) =>
    (await handle.describe()).historyLength < MOST_EVENTS;

  /** It continues in another run than its first, which is not long. A flood of messages is taken in a moment later. */
  async function expectBounded(payment: DepositCase | WithdrawalCase, firstRun: string): Promise<void> {
    await eventually(async () => (await runOf(payment)) !== firstRun && isShort(payment), 'a new, short run');
  }

  it(`a deposit that waits for a review outlives ${messages} callbacks, and is approved`, async function () {
    this.timeout(300_000);
    const deposit = await gateway.pendingDeposit();
    await deposit.pay({ payerMatch: 'unknown' });
    const firstRun = await runOf(deposit);
    await flood(deposit);
    await expectBounded(deposit, firstRun);
    const approved = await deposit.review('approve');
    assert.equal(approved !== 'closed' && approved.kind, 'done');
    await deposit.expectOutcome({
      status: 'paid',
      version: 4,
      events: ['deposit.pending@2', 'deposit.under_review@3', 'deposit.paid@4'],
      ledger: { available: 5000, provider_clearing: -5000 },
    });
    assert.equal(deposit.inbox.attempts.length, 3, 'each event is delivered once');
  });

  /** Callbacks, a hundred at a time, as many as make a run long. */
  async function flood(payment: DepositCase | WithdrawalCase): Promise<void> {
    for (let sent = 0; sent < messages; sent += 100)
      await Promise.all(Array.from({ length: 100 }, () => payment.notice()));
  }

  async function currentDetails({ handle }: DepositCase | WithdrawalCase): Promise<string> {
    return (await handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata')).currentDetails ?? '';
  }

  it(`a pending deposit outlives ${messages} callbacks while its provider is silent; staff see that`, async function () {
    this.timeout(300_000);
    const deposit = await gateway.pendingDeposit();
    const firstRun = await runOf(deposit);
    await gateway.sleep(100);
    deposit.charge.isSilent = true;
    await deposit.notice();
    await eventually(() => deposit.charge.lookups > 0, 'it is looked up');
    await gateway.sleep(40);
    assert.match(await currentDetails(deposit), /last error: the provider does not answer/);
    await flood(deposit);
    await expectBounded(deposit, firstRun);
    await gateway.sleep(40);
    assert.match(await currentDetails(deposit), /last error: the provider does not answer/);
    await deposit.payAtProvider();
    deposit.charge.isSilent = false;
    await gateway.sleep(35);
    await deposit.expectOutcome({
      status: 'paid',
      version: 3,
      events: ['deposit.pending@2', 'deposit.paid@3'],
      ledger: { available: 5000, provider_clearing: -5000 },
    });
  });

  it(`${shortDays} days of a short cash box: one alert, bounded runs, and it is sent when the box is funded`, async function () {
    this.timeout(300_000);
    const withdrawal = gateway.newWithdrawal();
    withdrawal.ruling.dispatch.availableMinor = -1n;
    await withdrawal.create();
    const firstRun = await runOf(withdrawal);
    await gateway.sleep(shortDays * DAY_SECONDS);
    await expectBounded(withdrawal, firstRun);
    const raised = withdrawal.database.alerts.filter(({ objectId }) => objectId === withdrawal.id);
    assert.deepEqual(
      raised.map(({ kind }) => kind),
      ['CASH_BOX_SHORT'],
    );
    delete withdrawal.ruling.dispatch.availableMinor;
    await gateway.sleep(1_000);
    await withdrawal.expectOutcome({
      status: 'processing',
      version: 2,
      events: ['withdrawal.approved@1', 'withdrawal.processing@2'],
      ledger: { available: -3000, pending_out: 3000 },
    });
    assert.equal(withdrawal.payout.sendsThatLeft, 1);
  });

  it(`${lostDays} days without a trace of a payout: looked up throughout, one alert, never sent again`, async function () {
    this.timeout(300_000);
    const withdrawal = gateway.newWithdrawal();
    withdrawal.payout.sendAnswers.push('times_out_lost');
    await withdrawal.create();
    await gateway.sleep(lostDays * DAY_SECONDS);
    assert.ok(await isShort(withdrawal));
    assert.ok(withdrawal.payout.lookups > lostDays * 80, `${withdrawal.payout.lookups} look-ups`);
    const raised = withdrawal.database.alerts.filter(({ objectId }) => objectId === withdrawal.id);
    assert.equal(raised.length, 1);
    withdrawal.payout.arriveLate();
    await gateway.sleep(1_000);
    await withdrawal.expectOutcome({
      status: 'processing',
      version: 2,
      events: ['withdrawal.approved@1', 'withdrawal.processing@2'],
      ledger: { available: -3000, pending_out: 3000 },
    });
  });
});
