// What follows from a provider's report of the return of a late or extra payment that people ordered.
import assert from 'node:assert/strict';
import {
  type Consequences,
  consequencesOf,
  type PaymentFinding,
  type ReversalFinding,
} from '../../../domain/payments/charge-findings.js';
import type { DepositStatus } from '../../../domain/payments/deposit.js';
import { changed, type DepositRecord, movementsOf } from '../../../domain/payments/deposit-record.js';
import { AT, recordIn } from './deposit-records.js';

/** The reference of the deposit's own return. */
const OURS = '1';
const NOTHING: Consequences = { changes: [], alerts: [] };

const payment = (endToEndId: string, amountMinor: bigint, ...reversals: ReversalFinding[]): PaymentFinding => ({
  ...{ endToEndId, amountMinor, reversals },
  paidAt: '2026-11-21T12:05:00.000Z',
  payerMatch: 'match',
  sealedPayer: 'sealed',
  feeMinor: null,
});

const reversal = (amountMinor: bigint, change: Partial<ReversalFinding> = {}): ReversalFinding => ({
  ...{ kind: 'refund', amountMinor, reference: OURS, state: 'done', at: AT },
  ...change,
});

const follow = (record: DepositRecord, ...payments: PaymentFinding[]): Consequences =>
  consequencesOf(record, { status: 'paid', payments }, { kind: 'silent' }, AT);

describe('the return of a late or extra payment that people ordered', () => {
  const ordered = {
    ...{ actId: 'ret_1', person: 'ana', reason: 'paid twice', at: '2026-11-21T12:06:00.000Z' },
    ...{ of: 'E2', amountMinor: 700n, returnedBeforeMinor: 0n },
  };
  const own = payment('E1', 5000n);
  const extra = (...reversals: ReversalFinding[]) => payment('E2', 700n, ...reversals);
  const open = (status: DepositStatus) => recordIn(status, {}, { extraPayments: ['E2'], returnRequest: ordered });
  const said = { person: 'ana', reason: 'paid twice', at: ordered.at };

  it('is done: it leaves suspense, and the deposit stays as it is', () => {
    for (const status of ['under_review', 'paid', 'returned', 'refunded', 'chargeback'] as const) {
      const { changes, alerts } = follow(open(status), own, extra(reversal(700n)));
      const returned = { of: 'E2', reference: OURS, amountMinor: 700n, kind: 'refund', at: AT, saidBy: 'provider' };
      const act = { decision: 'item_returned', ...said, payment: 'E2', number: 'item-ret_1' };
      const done = { trigger: null, returnRequest: null, returned, act };
      assert.deepEqual({ changes, alerts }, { changes: [done], alerts: [] }, status);
    }
  });

  it('of a late payment leaves suspense too', () => {
    const late = { endToEndId: 'E1', paidAmountMinor: 5000n, latePayment: true };
    const record = recordIn('expired', late, { returnRequest: { ...ordered, of: 'E1', amountMinor: 5000n } });
    const [change, ...more] = follow(record, payment('E1', 5000n, reversal(5000n))).changes;
    assert.ok(change);
    assert.deepEqual([change.act?.decision, change.alert, more], ['item_returned', undefined, []]);
    const { snapshot } = changed(record, change, AT);
    assert.deepEqual(
      movementsOf(snapshot, change).map(({ name, amountMinor, item }) => [name, amountMinor, item]),
      [['suspense_reversed', 5000n, 'E1']],
    );
  });

  it('waits while it is pending, and ends when it is not performed', () => {
    assert.deepEqual(follow(open('paid'), own, extra(reversal(700n, { state: 'pending' }))), NOTHING);
    const refused = reversal(700n, { state: 'refused' });
    assert.deepEqual(
      follow(open('paid'), own, extra(refused)).changes.map(({ trigger, returnRequest: left, alert }) => [
        ...[trigger, left, alert?.kind],
      ]),
      [[null, null, 'RETURN_REFUSED']],
    );
    // A return of the deposit's own payment under the same number says nothing about the item.
    assert.deepEqual(follow(open('paid'), payment('E1', 5000n, refused), extra()), NOTHING);
  });

  it('does not hold up a decision about the payment itself, and survives it', () => {
    const after = changed(open('under_review'), { trigger: 'approve' }, '2026-11-21T12:07:00.000Z');
    assert.deepEqual([after.snapshot.status, after.returnRequest], ['paid', ordered]);
  });
});
