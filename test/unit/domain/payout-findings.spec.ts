// What a provider's report does in every state: the transitions it leads through, and when it is a contradiction.
import assert from 'node:assert/strict';
import { nextByPayout, payoutAlerts, type PayoutFinding } from '../../../domain/payments/payout-findings.js';
import {
  changed,
  movementsOf,
  type WithdrawalChange,
  type WithdrawalRecord,
} from '../../../domain/payments/withdrawal-record.js';
import type { WithdrawalStatus } from '../../../domain/payments/withdrawal.js';
import { recordIn } from './withdrawal-record.js';

const AT = '2026-11-21T15:00:00.000Z';
const PAID_AT = '2026-11-21T14:59:00.000Z';

const REPORTS = {
  processing: {
    status: 'processing',
    endToEndId: 'E1',
    failureCode: null,
    paidAt: null,
    returns: [],
    feeMinor: null,
  },
  paid: {
    status: 'paid',
    endToEndId: 'E1',
    failureCode: null,
    paidAt: PAID_AT,
    returns: [],
    feeMinor: null,
  },
  failed: {
    status: 'failed',
    endToEndId: null,
    failureCode: 'AC03',
    paidAt: null,
    returns: [],
    feeMinor: null,
  },
  returned: {
    status: 'paid',
    endToEndId: 'E1',
    failureCode: null,
    paidAt: PAID_AT,
    returns: [{ reference: 'D1', amountMinor: 3000n, at: AT }],
    feeMinor: null,
  },
} as const satisfies Record<string, PayoutFinding>;

/** Applies the report until nothing follows. Answers the states and what was last stored. */
function follow(
  start: WithdrawalRecord,
  payout: PayoutFinding,
): { path: WithdrawalStatus[]; record: WithdrawalRecord } {
  let record = start;
  const path: WithdrawalStatus[] = [];
  for (let change = nextByPayout(record, payout); change !== null;) {
    record = changed(record, change, AT);
    path.push(record.snapshot.status);
    change = nextByPayout(record, payout);
  }
  return { path, record };
}

const CONTRADICTION = 'PAYOUT_CONTRADICTION';

/** By state: where each report leads, and the alert that it raises there. */
const EXPECTED: Record<WithdrawalStatus, Record<keyof typeof REPORTS, [WithdrawalStatus[], string | null]>> = {
  requested: { processing: [[], null], paid: [[], null], failed: [[], null], returned: [[], null] },
  under_review: { processing: [[], null], paid: [[], null], failed: [[], null], returned: [[], null] },
  approved: {
    processing: [['processing'], null],
    paid: [['processing', 'paid'], null],
    failed: [['processing', 'failed'], null],
    returned: [['processing', 'paid', 'returned'], null],
  },
  processing: {
    processing: [[], null],
    paid: [['paid'], null],
    failed: [['failed'], null],
    returned: [['paid', 'returned'], null],
  },
  paid: { processing: [[], null], paid: [[], null], failed: [[], CONTRADICTION], returned: [['returned'], null] },
  returned: { processing: [[], null], paid: [[], null], failed: [[], CONTRADICTION], returned: [[], null] },
  failed: {
    processing: [[], CONTRADICTION],
    paid: [[], CONTRADICTION],
    failed: [[], null],
    returned: [[], CONTRADICTION],
  },
  rejected: {
    processing: [[], CONTRADICTION],
    paid: [[], CONTRADICTION],
    failed: [[], null],
    returned: [[], CONTRADICTION],
  },
  cancelled: {
    processing: [[], CONTRADICTION],
    paid: [[], CONTRADICTION],
    failed: [[], null],
    returned: [[], CONTRADICTION],
  },
};

describe('a provider’s report of a payout', () => {
  for (const [status, byReport] of Object.entries(EXPECTED) as [WithdrawalStatus, (typeof EXPECTED)['paid']][])
    for (const [name, [path, alert]] of Object.entries(byReport))
      it(`${name} while ${status}: ${path.join(', ') || 'no change'}${alert === null ? '' : `, ${alert}`}`, () => {
        const payout = REPORTS[name as keyof typeof REPORTS];
        const returnedParts = status === 'returned' ? [{ of: 'E1', reference: 'D1', amountMinor: 3000n }] : [];
        const followed = follow({ ...recordIn(status), returnedParts }, payout);
        assert.deepEqual(followed.path, path);
        const kinds = payoutAlerts(followed.record, payout).map(({ kind }) => kind);
        assert.deepEqual(kinds, alert === null ? [] : [alert]);
      });

  it('settles with the provider’s time and reference, or without them', () => {
    const { snapshot } = follow(recordIn('approved'), REPORTS.paid).record;
    assert.deepEqual([snapshot.pspReference, snapshot.paidAt, snapshot.version], ['E1', PAID_AT, 3]);
    const bare = follow(recordIn('approved'), { ...REPORTS.paid, endToEndId: null, paidAt: null }).record.snapshot;
    assert.deepEqual([bare.pspReference, bare.paidAt], [null, AT]);
  });

  it('fails with the provider’s code, or with ours', () => {
    assert.equal(follow(recordIn('processing'), REPORTS.failed).record.snapshot.failureCode, 'AC03');
    const codeless = { ...REPORTS.failed, failureCode: null };
    assert.equal(follow(recordIn('processing'), codeless).record.snapshot.failureCode, 'psp_failed');
  });

  it('takes the fee when the payout has ended, with the outcome or after it, and once', () => {
    const reported = { ...REPORTS.paid, feeMinor: 30n };
    const early = follow(recordIn('approved'), { ...REPORTS.processing, feeMinor: 30n });
    assert.deepEqual([early.path, early.record.snapshot.feeMinor], [['processing'], null]);
    const settled = follow(recordIn('processing'), reported);
    assert.deepEqual([settled.path, settled.record.snapshot.feeMinor], [['paid'], 30n]);
    const later = follow(recordIn('paid'), reported);
    assert.deepEqual([later.path, later.record.snapshot.feeMinor], [['paid'], 30n]);
    assert.equal(nextByPayout(later.record, reported), null);
    assert.equal(nextByPayout(recordIn('cancelled'), reported), null);
    const [differs] = payoutAlerts(later.record, { ...reported, feeMinor: 35n });
    assert.equal(differs?.kind, 'FEE_DIFFERS');
  });

  it('books each part that came back once, and the last one makes it returned', () => {
    const parts = [
      { reference: 'D1', amountMinor: 1000n, at: AT },
      { reference: 'D2', amountMinor: 2000n, at: AT },
    ];
    const first = { ...REPORTS.paid, returns: parts.slice(0, 1) };
    const settled = follow(recordIn('processing'), REPORTS.paid).record;
    const part = nextByPayout(settled, first);
    assert.deepEqual(part, { trigger: null, returned: { of: 'E1', ...parts[0] } });
    const movement = (record: WithdrawalRecord, change: WithdrawalChange) =>
      movementsOf(changed(record, change, AT).snapshot, change).map(({ name, amountMinor, step }) => [
        name,
        amountMinor,
        step,
      ]);
    assert.deepEqual(movement(settled, part), [['withdrawal_returned_in_part', 1000n, 'returned:E1:D1']]);
    const after = changed(settled, part, AT);
    assert.equal(nextByPayout(after, first), null);
    assert.deepEqual(
      payoutAlerts(after, first).map(({ kind, detail }) => [kind, detail]),
      [['PARTIAL_PAYOUT_RETURN', 'wdr_1: the receiving bank returned a part of it: R$ 10,00']],
    );
    const rest = nextByPayout(after, { ...REPORTS.paid, returns: parts });
    assert.equal(rest?.trigger, 'payout_returned');
    assert.deepEqual(movement(after, rest), [['withdrawal_returned', 2000n, 'returned:E1:D2']]);
    const over = { ...REPORTS.paid, returns: [parts[0]!, { ...parts[1]!, amountMinor: 2001n }] };
    assert.equal(nextByPayout(after, over), null);
    assert.ok(payoutAlerts(after, over).some(({ kind }) => kind === 'PAYOUT_CONTRADICTION'));
  });

  it('makes the send known and ends the series of look-ups without a trace', () => {
    const traceless = { lookUps: 4, since: AT, lastAt: AT };
    const record = {
      ...recordIn('approved'),
      send: { state: 'claimed', attempt: 'a', claimedAt: null, traceless } as const,
    };
    const { send } = follow(record, REPORTS.processing).record;
    assert.deepEqual(send, {
      state: 'known',
      attempt: 'a',
      claimedAt: null,
      traceless: { lookUps: 0, since: null, lastAt: null },
    });
  });

  it('names what it contradicts, so that it is reported once', () => {
    const record = recordIn('cancelled');
    assert.deepEqual(payoutAlerts(record, REPORTS.paid), [
      {
        kind: CONTRADICTION,
        detail: `${record.snapshot.id}: the provider reports paid while it is cancelled`,
        occasion: 'paid while cancelled',
      },
    ]);
  });
});
