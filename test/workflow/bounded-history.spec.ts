// No history without bound: a payment outlives thousands of messages and months of waiting, in runs of bounded length,
// and nothing is lost from one run to the next. `npm run search -- proof` waits for a year.
import assert from 'node:assert/strict';
import type { DepositCase } from './harness/deposit-case.js';
import { useGateway } from './harness/gateway.js';
import type { WithdrawalCase } from './harness/withdrawal-case.js';

const DAY_SECONDS = 86_400;
const WAITED_DAYS = Number(process.env['WAITED_DAYS'] ?? 75);
const MESSAGES = 5_000;
/** A run continues in a new one after 4,000 events; what is under way then may add some. */
const MOST_EVENTS = 5_000;

describe('bounded histories', () => {
  const gateway = useGateway();

  async function expectBounded({ handle }: DepositCase | WithdrawalCase): Promise<void> {
    const { historyLength } = await handle.describe();
    assert.ok(historyLength < MOST_EVENTS, `${historyLength} events`);
  }

  it('a deposit that waits for a review outlives 5,000 callbacks, and is approved', async function () {
    this.timeout(300_000);
    const deposit = await gateway.pendingDeposit();
    await deposit.pay({ payerMatch: 'unknown' });
    for (let sent = 0; sent < MESSAGES; sent += 100)
      await Promise.all(Array.from({ length: 100 }, () => deposit.notice()));
    await expectBounded(deposit);
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

  it(`${WAITED_DAYS} days of a short cash box: one alert, bounded runs, and it is sent when the box is funded`, async function () {
    this.timeout(300_000);
    const withdrawal = gateway.newWithdrawal();
    withdrawal.ruling.dispatch.availableMinor = '-1';
    await withdrawal.create();
    await gateway.sleep(WAITED_DAYS * DAY_SECONDS);
    await expectBounded(withdrawal);
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

  it('a month without a trace of a payout: looked up throughout, one alert, never sent again', async function () {
    this.timeout(300_000);
    const withdrawal = gateway.newWithdrawal();
    withdrawal.payout.sendAnswers.push('times_out_lost');
    await withdrawal.create();
    await gateway.sleep(30 * DAY_SECONDS);
    await expectBounded(withdrawal);
    assert.ok(withdrawal.payout.lookups > 2_500, `${withdrawal.payout.lookups} look-ups`);
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
