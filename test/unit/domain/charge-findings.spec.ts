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
} from '../../../domain/payments/charge-findings.js';
import { DEPOSIT_STATUSES, type DepositReviewReason, type DepositStatus } from '../../../domain/payments/deposit.js';
import {
  type BookedReturn,
  changed,
  type DepositRecord,
  movementsOf,
} from '../../../domain/payments/deposit-record.js';
import { AT, recordIn } from './deposit-records.js';

const OURS = '1'; // the reference of the deposit's own return
const AFTER_EXPIRY = '2026-11-21T12:31:00.000Z';
const CREDIT: PaymentAnswer = { kind: 'verdict', verdict: { kind: 'credit', ruleSetVersion: 1 } };
const [SILENT, INVALID] = [{ kind: 'silent' }, { kind: 'invalid' }] as const satisfies readonly PaymentAnswer[];
const PAID = { paidAmountMinor: 5000n, paidAt: '2026-11-21T12:05:00.000Z', endToEndId: 'E1' };
const NOTHING: Consequences = { changes: [], alerts: [] };

function review(...reasons: readonly DepositReviewReason[]): PaymentAnswer {
  return { kind: 'verdict', verdict: { kind: 'review', reasons, ruleSetVersion: 1 } };
}

function paid(change: Partial<PaymentFinding> = {}): PaymentFinding {
  return {
    endToEndId: 'E1',
    amountMinor: 5000n,
    paidAt: '2026-11-21T12:05:00.000Z',
    payerMatch: 'match',
    sealedPayer: 'sealed',
    feeMinor: null,
    reversals: [],
    ...change,
  };
}

function reversal(amountMinor: bigint, change: Partial<ReversalFinding> = {}): ReversalFinding {
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
    assert.deepEqual(reasonsOf(SILENT, { amountMinor: 4999n }), ['AMOUNT_MISMATCH', 'RULES_UNAVAILABLE']);
    assert.deepEqual(reasonsOf(SILENT, { paidAt: AFTER_EXPIRY }), ['PAID_AFTER_EXPIRY', 'RULES_UNAVAILABLE']);
    assert.deepEqual(reasonsOf(SILENT, {}, AFTER_EXPIRY), ['RULES_UNAVAILABLE'], 'paid in time, confirmed later');
    assert.deepEqual(reasonsOf(SILENT, { payerMatch: 'mismatch', amountMinor: 4999n, paidAt: AFTER_EXPIRY }), [
      'PAYER_MISMATCH',
      'AMOUNT_MISMATCH',
      'PAID_AFTER_EXPIRY',
      'RULES_UNAVAILABLE',
    ]);
  });

  it('keeps them when the rules answer nonsense', () => {
    assert.deepEqual(reasonsOf(INVALID), ['RULES_INVALID_RESPONSE']);
    assert.deepEqual(reasonsOf(INVALID, { payerMatch: 'unknown', amountMinor: 4999n, paidAt: AFTER_EXPIRY }), [
      'PAYER_UNKNOWN',
      'AMOUNT_MISMATCH',
      'PAID_AFTER_EXPIRY',
      'RULES_INVALID_RESPONSE',
    ]);
  });

  it('→ invalid: a verdict that credits another amount, or after expiry', () => {
    assert.deepEqual(reasonsOf(CREDIT, { amountMinor: 5001n }), ['AMOUNT_MISMATCH', 'RULES_INVALID_RESPONSE']);
    const late = reasonsOf(CREDIT, { paidAt: AFTER_EXPIRY });
    assert.deepEqual(late, ['PAID_AFTER_EXPIRY', 'RULES_INVALID_RESPONSE']);
    // The last instant is in time.
    assert.deepEqual(reasonsOf(CREDIT, { paidAt: '2026-11-21T12:30:00.000Z' }), []);
  });

  it('adds amount and expiry to a verdict that forgets them, and leaves the payer to the operation’s rules', () => {
    assert.deepEqual(reasonsOf(review('PAYER_BLOCKED'), { amountMinor: 4999n, paidAt: AFTER_EXPIRY }), [
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

  it('is the only payment that the rules assess', () => {
    const findings: ChargeFindings = { status: 'paid', payments: [paid(), paid({ endToEndId: 'E2' })] };
    for (const status of DEPOSIT_STATUSES)
      assert.equal(paymentToAssess(recordIn(status), findings)?.endToEndId, status === 'pending' ? 'E1' : undefined);
    assert.equal(paymentToAssess(recordIn('pending'), { status: 'open', payments: [] }), null);
  });

  it('is followed by its own reversal in one look-up', () => {
    const { changes } = follow(recordIn('pending'), [paid({ reversals: [reversal(5000n)] })]);
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
            suspense: { of: 'E1', amountMinor: 5000n, paidAt: PAID.paidAt, sealedPayer: 'sealed' },
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
      suspense: { of: 'E2', amountMinor: 700n, paidAt: PAID.paidAt, sealedPayer: 'sealed' },
      alert: { kind: 'EXTRA_PAYMENT', detail: `dep_1: another payment (E2) while ${status}`, occasion: 'E2' },
    });
    const second = paid({ endToEndId: 'E2', amountMinor: 700n });
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
  const fee = { of: 'E1', amountMinor: 85n };

  it('are stored with the payment that reported them, whatever becomes of it', () => {
    const reported = [paid({ feeMinor: 85n })];
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
    const reported = [paid({ feeMinor: 85n }), paid({ endToEndId: 'E2', feeMinor: 15n })];
    const { changes, alerts } = follow(record, reported);
    assert.deepEqual(changes, [
      { trigger: null, fee },
      { trigger: null, fee: { of: 'E2', amountMinor: 15n } },
    ]);
    assert.deepEqual(alerts, []);
    assert.deepEqual(follow({ ...record, fees: { E1: 85n, E2: 15n } }, reported), NOTHING);
  });

  it('reported differently later, raise an alert: what was entered first stays', () => {
    const record = recordIn('paid', { endToEndId: 'E1' }, { fees: { E1: 85n } });
    const { changes, alerts } = follow(record, [paid({ feeMinor: 90n })]);
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
      movementsOf(after, { trigger, fee }).map(({ name, step, amountMinor }) => [name, step, amountMinor]);
    const { version } = after;
    assert.deepEqual(movements('payment_matched')[1], ['fee_with_payment', `${version}:fee`, 85n]);
    assert.deepEqual(movements('payment_in_doubt')[1], ['fee_apart', 'fee:E1', 85n]);
    assert.deepEqual(movements(null), [['fee_apart', 'fee:E1', 85n]]);
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

describe('returns', () => {
  const reversed = (status: DepositStatus, reversals: readonly ReversalFinding[], record = recordIn(status)) =>
    follow(record, [paid({ reversals })]);
  /** The change that books the reversal. */
  const booked = ({ amountMinor, reference, kind, at }: ReversalFinding, of = 'E1'): BookedReturn => ({
    of,
    reference,
    amountMinor,
    kind,
    at,
    saidBy: 'provider',
  });
  const partial = (returned: ReversalFinding) => ({
    trigger: null,
    returned: booked(returned),
    alert: {
      kind: 'PARTIAL_REVERSAL' as const,
      detail: `dep_1: ${returned.kind} of a part`,
      occasion: returned.reference,
    },
  });
  /** What the changes moved, in the ledger and at the bank. */
  const moved = (record: DepositRecord, { changes }: Consequences) => {
    let current = record;
    return changes.flatMap((change) => {
      current = changed(current, change, AT);
      return movementsOf(current.snapshot, change).map(({ name, amountMinor, bank }) => [
        name,
        amountMinor,
        bank?.part,
      ]);
    });
  };

  it('of the whole under review return the deposit: nothing is left to credit', () => {
    for (const kind of ['refund', 'chargeback'] as const) {
      const whole = reversal(5000n, { kind });
      assert.deepEqual(reversed('under_review', [whole]), {
        changes: [{ trigger: 'return', returned: booked(whole) }],
        alerts: [],
      });
    }
    const halves = [reversal(2000n), reversal(3000n, { reference: 'R2', kind: 'chargeback' })] as const;
    assert.deepEqual(reversed('under_review', halves), {
      changes: [partial(halves[0]), { trigger: 'return', returned: booked(halves[1]) }],
      alerts: [],
    });
    assert.deepEqual(moved(recordIn('under_review'), reversed('under_review', halves)), [
      ['deposit_returned', 2000n, 'R1'],
      ['deposit_returned', 3000n, 'R2'],
    ]);
  });

  it('add up against what was paid, not against what was charged', () => {
    const record = recordIn('under_review', { paidAmountMinor: 7000n, reviewReasons: ['AMOUNT_MISMATCH'] });
    const [part, whole] = [reversal(5000n), reversal(7000n)];
    assert.deepEqual(reversed('under_review', [part], record), { changes: [partial(part)], alerts: [] });
    assert.deepEqual(reversed('under_review', [whole], record).changes, [
      { trigger: 'return', returned: booked(whole) },
    ]);
  });

  it('of a paid deposit move exactly their part; the last one is a refund, or a chargeback if any of them is', () => {
    const halves = (second: 'refund' | 'chargeback') =>
      [reversal(4000n), reversal(1000n, { reference: 'R2', kind: second })] as const;
    for (const [second, trigger, last] of [
      ['refund', 'refund', 'deposit_refunded'],
      ['chargeback', 'chargeback', 'deposit_charged_back'],
    ] as const) {
      const [one, other] = halves(second);
      const consequences = reversed('paid', [one, other]);
      assert.deepEqual(consequences, { changes: [partial(one), { trigger, returned: booked(other) }], alerts: [] });
      assert.deepEqual(moved(recordIn('paid'), consequences), [
        ['deposit_refunded_in_part', 4000n, 'R1'],
        [last, 1000n, 'R2'],
      ]);
    }
    assert.deepEqual(moved(recordIn('paid'), reversed('paid', [reversal(4000n, { kind: 'chargeback' })])), [
      ['deposit_charged_back_in_part', 4000n, 'R1'],
    ]);
    const whole = reversal(5000n);
    assert.deepEqual(reversed('paid', [whole]).changes, [{ trigger: 'refund', returned: booked(whole) }]);
  });

  it('are booked once, also when a later part comes; a known one with another amount is an alert', () => {
    const parts = [{ of: 'E1', reference: 'R1', amountMinor: 2500n }];
    const second = reversal(1000n, { reference: 'R2' });
    for (const status of ['paid', 'under_review'] as const) {
      const record = recordIn(status, {}, { returnedParts: parts });
      assert.deepEqual(reversed(status, [reversal(2500n)], record), NOTHING);
      assert.deepEqual(reversed(status, [reversal(2500n), second], record).changes, [partial(second)]);
      const other = reversed(status, [reversal(2400n)], record);
      assert.deepEqual([other.changes, other.alerts.map(({ kind }) => kind)], [[], ['RETURN_CONTRADICTION']]);
    }
  });

  it('of more than the payment change nothing and are an alert, once per sum', () => {
    const alertsOf = (sum: string) => [
      {
        kind: 'REVERSAL_ABOVE_PAYMENT',
        detail: `dep_1: returns of ${sum} centavos on a payment of 5000`,
        occasion: `above ${sum}`,
      },
    ];
    assert.deepEqual(reversed('paid', [reversal(5001n)]), { changes: [], alerts: alertsOf('5001') });
    const parts = [reversal(5000n), reversal(700n, { reference: 'R2' })];
    assert.deepEqual(reversed('paid', parts), { changes: [], alerts: alertsOf('5700') });
    for (const status of ['refunded', 'chargeback', 'returned'] as const)
      assert.deepEqual(reversed(status, parts), { changes: [], alerts: alertsOf('5700') });
  });

  it('of more than the payment under review let nothing be credited or returned until a report makes sense', () => {
    assert.deepEqual(reversed('under_review', [reversal(5001n)]).changes, [{ trigger: null, isReturnInDoubt: true }]);
    const record = recordIn('under_review', {}, { isReturnInDoubt: true });
    assert.deepEqual(reversed('under_review', [reversal(5001n)], record).changes, []);
    const sense = { trigger: null, isReturnInDoubt: false };
    const whole = reversal(5000n);
    assert.deepEqual(reversed('under_review', [whole], record).changes, [
      sense,
      { trigger: 'return', returned: booked(whole) },
    ]);
    assert.deepEqual(reversed('under_review', [], record).changes, [sense]);
  });

  it('count once each, and only when they are done', () => {
    assert.equal(reversed('paid', [reversal(2500n), reversal(2500n)]).changes.length, 1);
    assert.deepEqual(reversed('paid', [reversal(5000n, { state: 'pending' })]), NOTHING);
    assert.deepEqual(reversed('under_review', [reversal(5000n, { state: 'pending' })]), NOTHING);
  });

  const returnRequest = {
    actId: 'act-1',
    person: 'ana',
    reason: 'another payer',
    at: '2026-11-21T12:06:00.000Z',
    of: 'E1',
    amountMinor: 5000n,
    returnedBeforeMinor: 0n,
  };

  it('that a person asked for here are the return, however they are reported', () => {
    const record = recordIn('under_review', {}, { returnRequest });
    const { actId, person, reason, at } = returnRequest;
    const said = { person, reason, at };
    const ours = reversal(5000n, { reference: OURS });
    assert.deepEqual(reversed('under_review', [ours], record), {
      changes: [
        {
          trigger: 'return',
          fields: { decidedBy: [{ actId, decision: 'return', ...said }] },
          act: { decision: 'return', number: 1, ...said },
          returned: booked(ours),
        },
      ],
      alerts: [],
    });
    assert.deepEqual(
      reversed('under_review', [reversal(5000n, { reference: OURS, state: 'pending' })], record),
      NOTHING,
    );
  });

  it('that a person asked for, after a part had gone back, are the return of the rest', () => {
    const record = recordIn('under_review', {}, { returnRequest: { ...returnRequest, amountMinor: 3000n } });
    const [part, ours] = [reversal(2000n), reversal(3000n, { reference: OURS })];
    const { changes } = reversed('under_review', [ours, part], record);
    assert.deepEqual(
      changes.map(({ trigger, returned, act }) => [trigger, returned?.amountMinor, act?.decision]),
      [
        [null, 2000n, undefined],
        ['return', 3000n, 'return'],
      ],
    );
  });

  it('of less than was asked for end the request; people decide about the rest', () => {
    const record = recordIn('under_review', {}, { returnRequest });
    const { changes } = reversed('under_review', [reversal(4000n, { reference: OURS })], record);
    assert.deepEqual(
      changes.map(({ trigger, returned, returnRequest: left }) => [trigger, returned?.amountMinor, left]),
      [[null, 4000n, null]],
    );
  });

  it('of the whole end a return that was asked for, without its requester', () => {
    const record = recordIn('under_review', {}, { returnRequest });
    const whole = reversal(5000n);
    assert.deepEqual(reversed('under_review', [whole], record).changes, [
      { trigger: 'return', returned: booked(whole) },
    ]);
  });

  it('of a returned, refunded or charged back deposit are known', () => {
    for (const status of ['returned', 'refunded', 'chargeback'] as const)
      assert.deepEqual(reversed(status, [reversal(5000n)]), NOTHING);
  });

  it('of a late payment leave suspense, part by part', () => {
    const late = recordIn('cancelled', { endToEndId: 'E1', paidAmountMinor: 5000n, latePayment: true });
    const parts = [reversal(2000n), reversal(3000n, { reference: 'R2' })];
    const consequences = reversed('cancelled', parts, late);
    assert.deepEqual(
      consequences.changes.map(({ trigger, alert }) => [trigger, alert?.kind]),
      [
        [null, 'REVERSAL_OUTSIDE_PAID'],
        [null, 'REVERSAL_OUTSIDE_PAID'],
      ],
    );
    assert.deepEqual(moved(late, consequences), [
      ['suspense_reversed', 2000n, 'R1'],
      ['suspense_reversed', 3000n, 'R2'],
    ]);
  });

  it('of an extra payment leave suspense once, whatever the deposit is', () => {
    const extra = paid({ endToEndId: 'E2', amountMinor: 700n, reversals: [reversal(700n)] });
    for (const status of ['under_review', 'paid', 'returned'] as const) {
      const record = recordIn(status, {}, { extraPayments: ['E2'] });
      const consequences = follow(record, [paid(), extra]);
      assert.deepEqual(moved(record, consequences), [['suspense_reversed', 700n, 'R1']]);
      const after = consequences.changes.reduce((now, change) => changed(now, change, AT), record);
      assert.deepEqual(follow(after, [paid(), extra]), NOTHING);
    }
    const above = paid({ endToEndId: 'E2', amountMinor: 700n, reversals: [reversal(701n)] });
    const { changes, alerts } = follow(recordIn('paid', {}, { extraPayments: ['E2'] }), [paid(), above]);
    assert.deepEqual([changes, alerts.map(({ kind }) => kind)], [[], ['REVERSAL_ABOVE_PAYMENT']]);
  });

  it('of an item that the cash box was given come out of there again, no more than it was given', () => {
    const extra = (...reversals: ReversalFinding[]) => paid({ endToEndId: 'E2', amountMinor: 700n, reversals });
    const record = recordIn('paid', {}, { extraPayments: ['E2'], suspenseCredits: { E2: 500n } });
    const both = follow(record, [paid(), extra(reversal(300n), reversal(400n, { reference: 'R2' }))]);
    assert.deepEqual(moved(record, both), [
      ['suspense_recalled', 100n, undefined],
      ['suspense_reversed', 300n, 'R1'],
      ['suspense_recalled', 400n, undefined],
      ['suspense_reversed', 400n, 'R2'],
    ]);
    const after = both.changes.reduce((now, change) => changed(now, change, AT), record);
    assert.deepEqual(after.suspenseCredits, { E2: 0n });
  });
});
