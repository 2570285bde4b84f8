// What a provider's report does in every state: the transitions it leads through, and when it is a contradiction.
import assert from 'node:assert/strict';
import { nextByPayout, payoutAlerts, type PayoutFinding } from '../../../domain/payout-findings.js';
import { changed, type WithdrawalRecord } from '../../../domain/withdrawal-record.js';
import type { WithdrawalStatus } from '../../../domain/withdrawal.js';
import { recordIn } from './withdrawal-record.js';

const AT = '2026-11-21T15:00:00.000Z';
const PAID_AT = '2026-11-21T14:59:00.000Z';

const REPORTS = {
  processing: {
    status: 'processing',
    endToEndId: 'E1',
    failureCode: null,
    paidAt: null,
    returned: false,
    returnedAmountMinor: null,
    feeMinor: null,
  },
  paid: {
    status: 'paid',
    endToEndId: 'E1',
    failureCode: null,
    paidAt: PAID_AT,
    returned: false,
    returnedAmountMinor: null,
    feeMinor: null,
  },
  failed: {
    status: 'failed',
    endToEndId: null,
    failureCode: 'AC03',
    paidAt: null,
    returned: false,
    returnedAmountMinor: null,
    feeMinor: null,
  },
  returned: {
    status: 'paid',
    endToEndId: 'E1',
    failureCode: null,
    paidAt: PAID_AT,
    returned: true,
    returnedAmountMinor: '3000',
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
  for (let change = nextByPayout(record.snapshot, payout); change !== null;) {
    record = changed(record, change, AT);
    path.push(record.snapshot.status);
    change = nextByPayout(record.snapshot, payout);
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
        const followed = follow(recordIn(status), payout);
        assert.deepEqual(followed.path, path);
        const kinds = payoutAlerts(followed.record.snapshot, payout).map(({ kind }) => kind);
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
    const reported = { ...REPORTS.paid, feeMinor: '30' };
    const early = follow(recordIn('approved'), { ...REPORTS.processing, feeMinor: '30' });
    assert.deepEqual([early.path, early.record.snapshot.feeMinor], [['processing'], null]);
    const settled = follow(recordIn('processing'), reported);
    assert.deepEqual([settled.path, settled.record.snapshot.feeMinor], [['paid'], '30']);
    const later = follow(recordIn('paid'), reported);
    assert.deepEqual([later.path, later.record.snapshot.feeMinor], [['paid'], '30']);
    assert.equal(nextByPayout(later.record.snapshot, reported), null);
    assert.equal(nextByPayout(recordIn('cancelled').snapshot, reported), null);
    const [differs] = payoutAlerts(later.record.snapshot, { ...reported, feeMinor: '35' });
    assert.equal(differs?.kind, 'FEE_DIFFERS');
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
    const { snapshot } = recordIn('cancelled');
    assert.deepEqual(payoutAlerts(snapshot, REPORTS.paid), [
      {
        kind: CONTRADICTION,
        detail: `${snapshot.id}: the provider reports paid while it is cancelled`,
        occasion: 'paid while cancelled',
      },
    ]);
  });
});
