// What follows from a provider's report of a charge.
import assert from 'node:assert/strict';
import {
  type ChargeFindings,
  type Consequences,
  consequencesOf,
  type PaymentAnswer,
  type PaymentFinding,
  paymentToAssess,
  type ReversalFinding,
} from '../../../domain/charge-findings.js';
import { DEPOSIT_STATUSES, type DepositReviewReason, type DepositStatus } from '../../../domain/deposit.js';
import { type DepositRecord, movementsOf } from '../../../domain/deposit-record.js';
import { AT, recordIn } from './deposit-records.js';

/** The reference of the deposit's own return. */
const OURS = '1';
const AFTER_EXPIRY = '2026-11-21T12:31:00.000Z';
const CREDIT: PaymentAnswer = { kind: 'verdict', verdict: { kind: 'credit', ruleSetVersion: 1 } };
const SILENT: PaymentAnswer = { kind: 'silent' };
const INVALID: PaymentAnswer = { kind: 'invalid' };
const PAID = { paidAmountMinor: '5000', paidAt: '2026-11-21T12:05:00.000Z', endToEndId: 'E1' };
const NOTHING: Consequences = { changes: [], alerts: [] };

function review(...reasons: readonly DepositReviewReason[]): PaymentAnswer {
  return { kind: 'verdict', verdict: { kind: 'review', reasons, ruleSetVersion: 1 } };
}

function paid(change: Partial<PaymentFinding> = {}): PaymentFinding {
  return {
    endToEndId: 'E1',
    amountMinor: '5000',
    paidAt: '2026-11-21T12:05:00.000Z',
    payerMatch: 'match',
    sealedPayer: 'sealed',
    feeMinor: null,
    reversals: [],
    ...change,
  };
}

function reversal(amountMinor: string, change: Partial<ReversalFinding> = {}): ReversalFinding {
  return { kind: 'refund', amountMinor, reference: 'R1', state: 'done', at: AT, ...change };
}

function follow(record: DepositRecord, payments: readonly PaymentFinding[], answer = CREDIT, at = AT): Consequences {
  return consequencesOf(record, { status: 'paid', payments }, answer, at);
}

describe('a payment of a pending deposit', () => {
  const reasonsOf = (answer: PaymentAnswer, change: Partial<PaymentFinding> = {}, at = AT) => {
    const { changes } = follow(recordIn('pending'), [paid(change)], answer, at);
    assert.equal(changes.length, 1);
    assert.equal(
      changes[0]?.trigger,
      (changes[0]?.fields?.reviewReasons ?? []).length > 0 ? 'payment_in_doubt' : 'payment_matched',
    );
    return changes[0]?.fields?.reviewReasons ?? [];
  };

  it('is credited if the rules say so', () => {
    assert.deepEqual(follow(recordIn('pending'), [paid()]), {
      changes: [{ trigger: 'payment_matched', fields: PAID, sealedPayer: 'sealed' }],
      alerts: [],
    });
  });

  it('is held for the reasons of the rules', () => {
    assert.deepEqual(follow(recordIn('pending'), [paid()], review('PAYER_BLOCKED')), {
      changes: [
        { trigger: 'payment_in_doubt', fields: { ...PAID, reviewReasons: ['PAYER_BLOCKED'] }, sealedPayer: 'sealed' },
      ],
      alerts: [],
    });
  });

  it('keeps every fact that contradicts it when the rules are silent, in the specification’s order', () => {
    assert.deepEqual(reasonsOf(SILENT), ['RULES_UNAVAILABLE']);
    assert.deepEqual(reasonsOf(SILENT, { payerMatch: 'mismatch' }), ['PAYER_MISMATCH', 'RULES_UNAVAILABLE']);
    assert.deepEqual(reasonsOf(SILENT, { payerMatch: 'unknown' }), ['PAYER_UNKNOWN', 'RULES_UNAVAILABLE']);
    assert.deepEqual(reasonsOf(SILENT, { amountMinor: '4999' }), ['AMOUNT_MISMATCH', 'RULES_UNAVAILABLE']);
    assert.deepEqual(reasonsOf(SILENT, { paidAt: AFTER_EXPIRY }), ['PAID_AFTER_EXPIRY', 'RULES_UNAVAILABLE']);
    assert.deepEqual(reasonsOf(SILENT, {}, AFTER_EXPIRY), ['RULES_UNAVAILABLE'], 'paid in time, confirmed later');
    assert.deepEqual(reasonsOf(SILENT, { payerMatch: 'mismatch', amountMinor: '4999', paidAt: AFTER_EXPIRY }), [
      'PAYER_MISMATCH',
      'AMOUNT_MISMATCH',
      'PAID_AFTER_EXPIRY',
      'RULES_UNAVAILABLE',
    ]);
  });

  it('keeps them when the rules answer nonsense', () => {
    assert.deepEqual(reasonsOf(INVALID), ['RULES_INVALID_RESPONSE']);
    assert.deepEqual(reasonsOf(INVALID, { payerMatch: 'unknown', amountMinor: '4999', paidAt: AFTER_EXPIRY }), [
      'PAYER_UNKNOWN',
      'AMOUNT_MISMATCH',
      'PAID_AFTER_EXPIRY',
      'RULES_INVALID_RESPONSE',
    ]);
  });

  it('takes a verdict that credits another amount, or after expiry, for an invalid one', () => {
    assert.deepEqual(reasonsOf(CREDIT, { amountMinor: '5001' }), ['AMOUNT_MISMATCH', 'RULES_INVALID_RESPONSE']);
    const late = reasonsOf(CREDIT, { paidAt: AFTER_EXPIRY });
    assert.deepEqual(late, ['PAID_AFTER_EXPIRY', 'RULES_INVALID_RESPONSE']);
    // The last instant is in time.
    assert.deepEqual(reasonsOf(CREDIT, { paidAt: '2026-11-21T12:30:00.000Z' }), []);
  });

  it('adds amount and expiry to a verdict that forgets them, and leaves the payer to the operation’s rules', () => {
    assert.deepEqual(reasonsOf(review('PAYER_BLOCKED'), { amountMinor: '4999', paidAt: AFTER_EXPIRY }), [
      'PAYER_BLOCKED',
      'AMOUNT_MISMATCH',
      'PAID_AFTER_EXPIRY',
    ]);
    assert.deepEqual(reasonsOf(CREDIT, { payerMatch: 'mismatch' }), []);
    assert.deepEqual(reasonsOf(review('PAYER_BLOCKED'), { payerMatch: 'mismatch' }), ['PAYER_BLOCKED']);
  });

  it('never credits on a reason that the specification does not know', () => {
    const unknown = 'NEW_REASON' as DepositReviewReason;
    assert.deepEqual(reasonsOf(review(unknown, 'PAYER_UNKNOWN')), ['PAYER_UNKNOWN', unknown]);
  });

  it('is the only one that the rules assess', () => {
    const findings: ChargeFindings = { status: 'paid', payments: [paid(), paid({ endToEndId: 'E2' })] };
    for (const status of DEPOSIT_STATUSES)
      assert.equal(paymentToAssess(recordIn(status), findings)?.endToEndId, status === 'pending' ? 'E1' : undefined);
    assert.equal(paymentToAssess(recordIn('pending'), { status: 'open', payments: [] }), null);
  });

  it('is followed by its own reversal in one look-up', () => {
    const { changes } = follow(recordIn('pending'), [paid({ reversals: [reversal('5000')] })]);
    assert.deepEqual(
      changes.map(({ trigger }) => trigger),
      ['payment_matched', 'refund'],
    );
  });
});

describe('other payments', () => {
  it('are late in a closed deposit that was never paid: noted once, and money in suspense', () => {
    for (const status of ['expired', 'cancelled', 'failed'] as const)
      assert.deepEqual(follow(recordIn(status), [paid()]), {
        changes: [
          {
            trigger: null,
            fields: { ...PAID, latePayment: true },
            sealedPayer: 'sealed',
            suspense: { amountMinor: '5000', transferId: 'dep_1:late:E1' },
            alert: { kind: 'LATE_PAYMENT', detail: `dep_1: paid while ${status}`, occasion: 'E1' },
          },
        ],
        alerts: [],
      });
  });

  it('are in time in a deposit that ran out because the provider did not say so: people are told', () => {
    const alertOf = (expired: object, payment: object) => {
      const record = recordIn('expired');
      const { changes } = follow({ ...record, snapshot: { ...record.snapshot, ...expired } }, [paid(payment)]);
      return changes[0]?.alert?.kind;
    };
    assert.equal(alertOf({ updatedAt: '2026-11-21T12:32:00.000Z' }, {}), 'PAID_IN_TIME');
    assert.equal(alertOf({ updatedAt: '2026-11-21T12:32:00.000Z' }, { paidAt: AFTER_EXPIRY }), 'LATE_PAYMENT');
    assert.equal(alertOf({ updatedAt: '2026-11-21T12:10:00.000Z' }, {}), 'LATE_PAYMENT', 'made to expire early');
  });

  it('are extra on a charge that was paid, whatever became of it', () => {
    const extra = (status: DepositStatus) => ({
      trigger: null,
      extraPayment: 'E2',
      suspense: { amountMinor: '700', transferId: 'dep_1:extra:E2' },
      alert: { kind: 'EXTRA_PAYMENT', detail: `dep_1: another payment (E2) while ${status}`, occasion: 'E2' },
    });
    const second = paid({ endToEndId: 'E2', amountMinor: '700' });
    for (const status of ['under_review', 'paid', 'returned', 'refunded', 'chargeback'] as const)
      assert.deepEqual(follow(recordIn(status), [paid(), second]), { changes: [extra(status)], alerts: [] });
    const late = recordIn('expired', { endToEndId: 'E1', latePayment: true });
    assert.deepEqual(follow(late, [paid(), second]).changes, [extra('expired')]);
    assert.deepEqual(follow(recordIn('pending'), [paid(), second]).changes[1], extra('paid'));
  });

  it('change nothing when they are known, and nothing before the charge is stored', () => {
    const known = recordIn('paid', {}, { extraPayments: ['E2'] });
    assert.deepEqual(follow(known, [paid(), paid({ endToEndId: 'E2' })]), NOTHING);
    assert.deepEqual(follow(recordIn('created'), [paid()]), NOTHING);
  });
});

describe('fees', () => {
  const fee = { of: 'E1', amountMinor: '85' };

  it('are stored with the payment that reported them, whatever becomes of it', () => {
    const reported = [paid({ feeMinor: '85' })];
    for (const [record, answer] of [
      [recordIn('pending'), CREDIT],
      [recordIn('pending'), SILENT],
      [recordIn('expired'), CREDIT],
      [recordIn('paid', { endToEndId: 'E0' }), CREDIT],
    ] as const)
      assert.deepEqual(follow(record, reported, answer).changes[0]?.fee, fee, record.snapshot.status);
  });

  it('are entered once when they are reported later, for every payment', () => {
    const record = recordIn('paid', { endToEndId: 'E1' }, { extraPayments: ['E2'] });
    const reported = [paid({ feeMinor: '85' }), paid({ endToEndId: 'E2', feeMinor: '15' })];
    const { changes, alerts } = follow(record, reported);
    assert.deepEqual(changes, [
      { trigger: null, fee },
      { trigger: null, fee: { of: 'E2', amountMinor: '15' } },
    ]);
    assert.deepEqual(alerts, []);
    assert.deepEqual(follow({ ...record, fees: { E1: '85', E2: '15' } }, reported), NOTHING);
  });

  it('reported differently later, raise an alert: what was entered first stays', () => {
    const record = recordIn('paid', { endToEndId: 'E1' }, { fees: { E1: '85' } });
    const { changes, alerts } = follow(record, [paid({ feeMinor: '90' })]);
    assert.deepEqual(changes, []);
    assert.deepEqual(
      alerts.map(({ kind, detail }) => [kind, detail]),
      [['FEE_DIFFERS', 'dep_1: E1: fee of R$ 0,90, entered R$ 0,85']],
    );
    assert.deepEqual(follow(record, [paid({ feeMinor: null })]), NOTHING);
  });

  it('leave the cash box with the settlement, or apart from it', () => {
    const after = recordIn('paid').snapshot;
    const movements = (trigger: 'payment_matched' | 'payment_in_doubt' | null) =>
      movementsOf(after, { trigger, fee }).map(({ name, transferId, amountMinor }) => [name, transferId, amountMinor]);
    const { id, version } = after;
    assert.deepEqual(movements('payment_matched')[1], ['fee_with_payment', `${id}:${version}:fee`, '85']);
    assert.deepEqual(movements('payment_in_doubt')[1], ['fee_apart', `${id}:fee:E1`, '85']);
    assert.deepEqual(movements(null), [['fee_apart', `${id}:fee:E1`, '85']]);
  });
});

describe('a charge that the provider removed', () => {
  it('fails a pending deposit that nobody paid, and no other', () => {
    const removed: ChargeFindings = { status: 'removed', payments: [] };
    for (const status of DEPOSIT_STATUSES)
      assert.deepEqual(
        consequencesOf(recordIn(status), removed, SILENT, AT).changes,
        status === 'pending' ? [{ trigger: 'charge_removed', fields: { failureCode: 'psp_removed' } }] : [],
      );
    const paidThenRemoved: ChargeFindings = { status: 'removed', payments: [paid()] };
    assert.deepEqual(
      consequencesOf(recordIn('pending'), paidThenRemoved, CREDIT, AT).changes.map(({ trigger }) => trigger),
      ['payment_matched'],
    );
  });
});

describe('reversals', () => {
  const reversed = (status: DepositStatus, reversals: readonly ReversalFinding[], record = recordIn(status)) =>
    follow(record, [paid({ reversals })]);
  const partial = (occasion: string, kind = 'refund') => ({
    kind: 'PARTIAL_REVERSAL',
    detail: `dep_1: ${kind} of a part`,
    occasion,
  });

  it('of the whole under review return the deposit: nothing is left to credit', () => {
    for (const kind of ['refund', 'chargeback'] as const)
      assert.deepEqual(reversed('under_review', [reversal('5000', { kind })]), {
        changes: [{ trigger: 'return' }],
        alerts: [],
      });
    const halves = [reversal('2000'), reversal('3000', { reference: 'R2', kind: 'chargeback' })];
    assert.deepEqual(reversed('under_review', halves), { changes: [{ trigger: 'return' }], alerts: [] });
  });

  it('add up against what was paid, not against what was charged', () => {
    const record = recordIn('under_review', { paidAmountMinor: '7000', reviewReasons: ['AMOUNT_MISMATCH'] });
    assert.deepEqual(reversed('under_review', [reversal('5000')], record), {
      changes: [{ trigger: null, reversedMinor: '5000' }],
      alerts: [partial('R1')],
    });
    assert.deepEqual(reversed('under_review', [reversal('7000')], record).changes, [{ trigger: 'return' }]);
  });

  it('of the whole of a paid deposit are a refund, or a chargeback if one of them is', () => {
    const halves = (second: 'refund' | 'chargeback') => [
      reversal('2500'),
      reversal('2500', { reference: 'R2', kind: second }),
    ];
    assert.deepEqual(reversed('paid', [reversal('5000')]), { changes: [{ trigger: 'refund' }], alerts: [] });
    assert.deepEqual(reversed('paid', halves('refund')), { changes: [{ trigger: 'refund' }], alerts: [] });
    assert.deepEqual(reversed('paid', halves('chargeback')), { changes: [{ trigger: 'chargeback' }], alerts: [] });
  });

  it('of more than the payment change nothing and are an alert, once per sum', () => {
    const alertsOf = (sum: string) => [
      {
        kind: 'REVERSAL_ABOVE_PAYMENT',
        detail: `dep_1: returns of ${sum} centavos on a payment of 5000`,
        occasion: `above ${sum}`,
      },
    ];
    for (const status of ['paid', 'refunded', 'chargeback', 'returned'] as const)
      assert.deepEqual(reversed(status, [reversal('5001')]), { changes: [], alerts: alertsOf('5001') });
    const parts = [reversal('5000'), reversal('700', { reference: 'R2' })];
    assert.deepEqual(reversed('paid', parts), { changes: [], alerts: alertsOf('5700') });
  });

  it('of more than the payment under review let nothing be credited or returned until a report makes sense', () => {
    assert.deepEqual(reversed('under_review', [reversal('5001')]).changes, [{ trigger: null, reversedMinor: '5000' }]);
    const record = recordIn('under_review', {}, { reversedMinor: '5000' });
    assert.deepEqual(reversed('under_review', [reversal('5001')], record).changes, []);
    assert.deepEqual(reversed('under_review', [reversal('5000')], record).changes, [{ trigger: 'return' }]);
    assert.deepEqual(reversed('under_review', [], record).changes, [{ trigger: null, reversedMinor: '0' }]);
  });

  it('of a part are an alert, once per reversal', () => {
    const parts = [reversal('2500'), reversal('2499', { reference: 'R2', kind: 'chargeback' })];
    const alerts = [partial('R1'), partial('R2', 'chargeback')];
    assert.deepEqual(reversed('paid', parts), { changes: [], alerts });
    assert.deepEqual(reversed('under_review', parts), {
      changes: [{ trigger: null, reversedMinor: '4999' }],
      alerts,
    });
  });

  it('of a part under review are kept once; a later part adds up', () => {
    const record = recordIn('under_review', {}, { reversedMinor: '2500' });
    assert.deepEqual(reversed('under_review', [reversal('2500')], record).changes, []);
    const both = [reversal('2500'), reversal('1000', { reference: 'R2' })];
    assert.deepEqual(reversed('under_review', both, record).changes, [{ trigger: null, reversedMinor: '3500' }]);
    const whole = [reversal('2500'), reversal('2500', { reference: 'R2' })];
    assert.deepEqual(reversed('under_review', whole, record).changes, [{ trigger: 'return' }]);
  });

  it('of a part before people returned the rest are known; any other is an alert', () => {
    const decidedBy = [{ person: 'ana', decision: 'return', reason: '', at: AT }] as const;
    const record = recordIn('returned', { decidedBy }, { reversedMinor: '2000' });
    const ours = reversal('3000', { reference: OURS });
    assert.deepEqual(reversed('returned', [reversal('2000'), ours], record), NOTHING);
    const other = reversal('100', { reference: 'R2' });
    const kindsOf = (...parts: ReversalFinding[]) => reversed('returned', parts, record).alerts.map(({ kind }) => kind);
    assert.deepEqual(kindsOf(reversal('2000'), ours, other), ['REVERSAL_ABOVE_PAYMENT']);
    assert.deepEqual(kindsOf(reversal('1900'), ours, other), []);
    assert.deepEqual(kindsOf(reversal('1800'), ours, other), ['REVERSAL_OUTSIDE_PAID', 'REVERSAL_OUTSIDE_PAID']);
  });

  it('count once each, and only when they are done', () => {
    assert.deepEqual(reversed('paid', [reversal('2500'), reversal('2500')]).changes, []);
    assert.deepEqual(reversed('paid', [reversal('5000', { state: 'pending' })]), NOTHING);
    assert.deepEqual(reversed('under_review', [reversal('5000', { state: 'pending' })]), NOTHING);
  });

  it('that a person asked for here are the return, however they are reported', () => {
    const returnRequest = { actId: 'act-1', person: 'ana', reason: 'another payer', at: '2026-11-21T12:06:00.000Z' };
    const record = recordIn('under_review', {}, { returnRequest });
    const { actId, ...said } = returnRequest;
    assert.deepEqual(reversed('under_review', [reversal('5000', { reference: OURS })], record), {
      changes: [
        {
          trigger: 'return',
          fields: { decidedBy: [{ actId, decision: 'return', ...said }] },
          act: { decision: 'return', number: 1, ...said },
        },
      ],
      alerts: [],
    });
    assert.deepEqual(
      reversed('under_review', [reversal('5000', { reference: OURS, state: 'pending' })], record),
      NOTHING,
    );
  });

  it('of the whole end a return that was asked for, without its requester', () => {
    const returnRequest = { actId: 'act-1', person: 'ana', reason: '', at: AT };
    const record = recordIn('under_review', {}, { returnRequest });
    assert.deepEqual(reversed('under_review', [reversal('5000')], record).changes, [{ trigger: 'return' }]);
  });

  it('of a deposit that people returned are an alert; their own return, and one that nobody decided, are not', () => {
    const decidedBy = [{ person: 'ana', decision: 'return', reason: '', at: AT }] as const;
    const byPerson = recordIn('returned', { decidedBy });
    assert.deepEqual(reversed('returned', [reversal('5000', { reference: OURS })], byPerson), NOTHING);
    assert.deepEqual(reversed('returned', [reversal('5000')], byPerson).alerts, [
      { kind: 'REVERSAL_OUTSIDE_PAID', detail: 'dep_1: refund while returned', occasion: 'R1' },
    ]);
    assert.deepEqual(reversed('returned', [reversal('5000')]), NOTHING);
  });

  it('of a late payment are an alert', () => {
    const late = recordIn('cancelled', { endToEndId: 'E1', paidAmountMinor: '5000', latePayment: true });
    assert.deepEqual(reversed('cancelled', [reversal('5000')], late), {
      changes: [],
      alerts: [{ kind: 'REVERSAL_OUTSIDE_PAID', detail: 'dep_1: refund while cancelled', occasion: 'R1' }],
    });
  });

  it('of a refunded or charged back deposit are known', () => {
    for (const status of ['refunded', 'chargeback'] as const)
      assert.deepEqual(reversed(status, [reversal('5000')]), NOTHING);
  });
});
