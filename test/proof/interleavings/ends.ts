// A small model of its own: where a payment may end, by what was asked and what the provider did; and that all money is
// somewhere.
import assert from 'node:assert/strict';
import type { DepositStatus } from '../../../domain/deposit.js';
import type { WithdrawalStatus } from '../../../domain/withdrawal.js';
import { eventually } from '../../../tools/harness/eventually.js';
import type { StoredPayment } from '../harness/stored-payment.js';
import type { ProvedDeposit } from '../harness/deposit.js';
import type { ProvedWithdrawal } from '../harness/withdrawal.js';
import type { History, PlayedScenario } from './play.js';

const DELIVERED_WITHIN_MS = 15_000;

/** Where a deposit may be when everything has come to rest, and what must have happened for it. */
const DEPOSIT_ENDS: Record<DepositStatus, (deposit: ProvedDeposit, history: History) => boolean> = {
  created: () => false,
  pending: () => false,
  under_review: ({ charge }) => charge.payments.length > 0,
  paid: ({ charge, order }) => charge.payments.some(({ amountMinor }) => amountMinor.toString() === order.amountMinor),
  expired: () => true,
  cancelled: ({ id }, history) => history.has(id, 'cancel'),
  failed: ({ id, charge }, history) => charge.refusal !== null || history.has(id, 'removed'),
  // By a person, or by the provider while people decided.
  returned: ({ id }, history) => history.has(id, 'return', 'refund', 'chargeback'),
  refunded: ({ id }, history) => history.has(id, 'refund'),
  chargeback: ({ id }, history) => history.has(id, 'chargeback'),
};

const WITHDRAWAL_ENDS: Record<WithdrawalStatus, (withdrawal: ProvedWithdrawal, history: History) => boolean> = {
  requested: () => false,
  // Whatever cannot be decided in time, people decide.
  under_review: () => true,
  // The provider has no trace of it: the send was lost on the way, or with its worker, and nobody will ever know.
  approved: ({ payout, id }, history) =>
    payout.state === null && history.has(id, 'fate: lost', 'completion lost', 'workers restarted'),
  processing: () => false,
  paid: ({ id, payout }, history) => payout.state?.returned === null && history.has(id, 'settled', 'fate: paid'),
  rejected: ({ id }, history) => history.has(id, 'refuse', 'holder: mismatch'),
  failed: ({ id }, history) => history.has(id, 'failed', 'fate: failed'),
  cancelled: ({ id }, history) => history.has(id, 'cancel', 'dispatch: blocked'),
  returned: ({ id }, history) => history.has(id, 'given back'),
};

export async function assertEnd(play: PlayedScenario): Promise<void> {
  for (const deposit of play.deposits) {
    const stored = await deposit.read();
    if (stored === null) continue;
    const status = stored.row.status as DepositStatus;
    assert.ok(DEPOSIT_ENDS[status](deposit, play.history), `${deposit.id} cannot end ${status}`);
    assertEveryPaymentBooked(deposit, stored);
    await assertPublished(play, deposit);
  }
  for (const withdrawal of play.withdrawals) {
    const stored = await withdrawal.read();
    if (stored === null) continue;
    const status = stored.row.status as WithdrawalStatus;
    assert.ok(WITHDRAWAL_ENDS[status](withdrawal, play.history), `${withdrawal.id} cannot end ${status}`);
    const hasLeft = ['processing', 'paid', 'failed', 'returned'].includes(status);
    if (status !== 'approved') assert.equal(withdrawal.payout.sends, hasLeft ? 1 : 0, `${withdrawal.id} is ${status}`);
    await assertPublished(play, withdrawal);
  }
}

/** What players paid is on the operation's accounts exactly once, except what went back. */
function assertEveryPaymentBooked({ id, charge }: ProvedDeposit, { entries, row }: StoredPayment): void {
  const wentBack =
    ['returned', 'refunded', 'chargeback'].includes(row.status) && 'paidAmountMinor' in row
      ? BigInt(row.paidAmountMinor?.toFixed(0) ?? 0)
      : 0n;
  const received = charge.payments.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  const mine = entries.filter(
    ({ transferId, account }) => transferId.startsWith(id) && account === 'provider_clearing',
  );
  const booked = -mine.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  assert.equal(booked, received - wentBack, `${id} is ${row.status}: every payment is booked once`);
}

/** Every transition is delivered to the operator. */
export async function assertPublished({ stage }: Pick<PlayedScenario, 'stage'>, { id }: { id: string }): Promise<void> {
  const events = await stage.database.event.findMany({ where: { objectId: id }, select: { id: true, type: true } });
  const undelivered = () => events.filter((event) => !stage.delivered.has(event.id)).map(({ type }) => type);
  // A delivery is its own workflow: the payment's may end before it.
  await eventually(() => undelivered().length === 0, 'the deliveries', DELIVERED_WITHIN_MS).catch(() => undefined);
  assert.deepEqual(undelivered(), [], `${id}: events that were never delivered`);
}
