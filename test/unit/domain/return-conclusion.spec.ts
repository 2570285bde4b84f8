// What follows from a report of a return that people concluded by the provider's statement, before and after it.
import assert from 'node:assert/strict';
import {
  type Consequences,
  consequencesOf,
  type PaymentFinding,
  type ReversalFinding,
} from '../../../domain/payments/charge-findings.js';
import type { DepositStatus } from '../../../domain/payments/deposit.js';
import { changed, movementsOf } from '../../../domain/payments/deposit-record.js';
import type { ReturnConclusion } from '../../../domain/payments/returns.js';
import { AT, recordIn } from './deposit-records.js';

/** The reference of the deposit's first return. */
const OURS = '1';
const CREDIT = { kind: 'verdict', verdict: { kind: 'credit', ruleSetVersion: 1 } } as const;
const NOTHING: Consequences = { changes: [], alerts: [] };

function paid(reversals: readonly ReversalFinding[]): PaymentFinding {
  const basic = { endToEndId: 'E1', amountMinor: 5000n, paidAt: '2026-11-21T12:05:00.000Z', feeMinor: null } as const;
  return { ...basic, payerMatch: 'match', sealedPayer: 'sealed', reversals };
}

function reversal(amountMinor: bigint, change: Partial<ReversalFinding> = {}): ReversalFinding {
  return { kind: 'refund', amountMinor, reference: 'R1', state: 'done', at: AT, ...change };
}

describe('a return that people concluded', () => {
  const returnRequest = {
    actId: 'act-1',
    person: 'ana',
    reason: 'another payer',
    at: '2026-11-20T12:06:00.000Z',
    of: 'E1',
    amountMinor: 5000n,
    returnedBeforeMinor: 0n,
  };
  const SECOND = `${OURS}r2`;
  const by = { returnActId: 'act-1', person: 'ben', reason: 'stuck', evidence: 'ticket 4711' } as const;
  const concluded = (result: 'done' | 'never', seconds = 15, { actId = 'act-1' } = {}): ReturnConclusion => {
    const at = new Date(Date.parse(AT) - seconds * 1_000).toISOString();
    return { ...by, returnActId: actId, result, at };
  };
  const returning = recordIn('under_review', {}, { returnRequest, returns: 1 });
  const settled = (reversals: readonly ReversalFinding[], conclusion: ReturnConclusion | null, record = returning) =>
    consequencesOf(record, { status: 'paid', payments: [paid(reversals)] }, CREDIT, AT, conclusion);
  const pending = [reversal(5000n, { reference: OURS, state: 'pending' })];
  const refused = [reversal(5000n, { reference: OURS, state: 'refused' })];
  const done = [reversal(5000n, { reference: OURS })];

  it('done: the deposit is returned by who asked for it, with the evidence in the audit trail', () => {
    const { changes, alerts } = settled(pending, concluded('done'));
    assert.deepEqual(alerts, []);
    assert.deepEqual(
      changes.map(({ trigger, act }) => [trigger, act]),
      [['return', { ...act(), decision: 'return', number: 1, evidence: 'ticket 4711' }]],
    );
    assert.deepEqual(movementsOf(changed(returning, changes[0]!, AT).snapshot, changes[0]!), [
      {
        name: 'deposit_returned',
        amountMinor: 5000n,
        step: 'returned:E1:1',
        bank: { kind: 'returned_to_payer', bankId: 'E1', part: '1', settledAt: concluded('done').at, saidBy: 'people' },
      },
    ]);
  });
  const act = () => ({ person: 'ana', reason: 'another payer', at: returnRequest.at });

  it('never: it is under review again; no money moves', () => {
    const conclusion = concluded('never');
    const { changes, alerts } = settled(pending, conclusion);
    assert.deepEqual(alerts, []);
    const { person, reason, evidence } = by;
    const kept = { person, decision: 'return_withdrawn', reason, at: conclusion.at, evidence } as const;
    assert.deepEqual(changes, [{ trigger: null, returnRequest: null, act: { ...kept, number: 'withdrawn-act-1' } }]);
    assert.deepEqual(movementsOf(returning.snapshot, changes[0]!), []);
  });

  it('counts only after the provider, a moment later, and about this return alone', () => {
    for (const result of ['done', 'never'] as const) {
      assert.deepEqual(settled(done, concluded(result)).changes[0]?.trigger, 'return');
      assert.equal(settled(done, concluded(result)).changes[0]?.act?.decision, 'return');
      assert.deepEqual(settled(refused, concluded(result)).changes[0]?.act?.decision, 'return_refused');
      assert.deepEqual(settled(pending, concluded(result, 14.999)), NOTHING);
      assert.deepEqual(settled(pending, concluded(result, 60, { actId: 'act-0' })), NOTHING);
      assert.equal(settled([], concluded(result)).changes.length, 1, 'the provider does not show it');
    }
  });

  it('reported as not performed it is refused, whoever looks; an earlier one is not this one', () => {
    const { changes } = settled(refused, null);
    assert.deepEqual(
      changes.map(({ returnRequest, alert }) => [returnRequest, alert?.kind]),
      [[null, 'RETURN_REFUSED']],
    );
    assert.deepEqual(settled(refused, null, { ...returning, returns: 2 }), NOTHING);
  });

  /** All of it went back by this return. */
  const gone = (reference: string, returns: number) => ({
    returns,
    returnedParts: [{ of: 'E1', reference, amountMinor: 5000n }],
  });
  const contradiction = (detail: string, occasion: string) => ({ kind: 'RETURN_CONTRADICTION', detail, occasion });

  it('never, and done after all: what was not credited is returned, what was is refunded; an alert for both', () => {
    const over = { returns: 1 };
    const returned = {
      of: 'E1',
      reference: OURS,
      amountMinor: 5000n,
      kind: 'refund',
      at: AT,
      saidBy: 'provider',
    };
    const alertWhile = (status: DepositStatus) => [
      contradiction(`dep_1: a return that counted as over is done, while ${status}`, `done ${OURS}`),
    ];
    assert.deepEqual(settled(done, null, recordIn('under_review', {}, over)), {
      changes: [{ trigger: 'return', returned }],
      alerts: alertWhile('under_review'),
    });
    assert.deepEqual(settled(done, null, recordIn('paid', {}, over)), {
      changes: [{ trigger: 'refund', returned }],
      alerts: alertWhile('paid'),
    });
  });

  it('never, and done after all while another return is under way: the deposit is returned once', () => {
    const again = { ...returning, returns: 2 };
    const { changes, alerts } = settled(done, null, again);
    assert.deepEqual([changes.map(({ trigger }) => trigger), alerts], [['return'], []]);
    const both = [...done, reversal(5000n, { reference: SECOND })];
    const twice = settled(both, null, again);
    assert.deepEqual(
      twice.changes.map(({ trigger }) => trigger),
      ['return'],
    );
    assert.deepEqual(
      twice.alerts.map(({ kind }) => kind),
      ['REVERSAL_ABOVE_PAYMENT'],
    );
    const byPerson = recordIn('returned', { decidedBy: [{ ...act(), decision: 'return' }] }, gone(SECOND, 2));
    assert.deepEqual(settled([reversal(5000n, { reference: SECOND })], null, byPerson), NOTHING);
  });

  it('done, and not performed after all: an alert; the state stays', () => {
    const byPerson = recordIn('returned', { decidedBy: [{ ...act(), decision: 'return' }] }, gone(OURS, 1));
    assert.deepEqual(settled(refused, null, byPerson), {
      changes: [],
      alerts: [
        contradiction('dep_1: the provider did not perform the return that people concluded as done', 'not performed'),
      ],
    });
    assert.deepEqual(settled(pending, null, byPerson), NOTHING);
    assert.deepEqual(settled(done, null, byPerson), NOTHING);
  });
});
