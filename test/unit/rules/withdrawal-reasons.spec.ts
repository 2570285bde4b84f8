// The reasons of a withdrawal: their order when several rules hit, and which refusal answers.
import assert from 'node:assert/strict';
import { writeJson } from '../../../domain/money.js';
import { evaluateWithdrawal } from '../../../domain/rules/engine.js';
import { ENGINE_DEFAULTS } from '../../../domain/rules/thresholds.js';
import type { Thresholds } from '../../../domain/rules/thresholds.js';
import { WITHDRAWAL_RULES, type WithdrawalFacts } from '../../../domain/rules/withdrawal-rules.js';
import { engine, risk, thresholds, withdrawalFacts } from './facts.js';
import { CASES } from './withdrawal-cases.js';

// Transcribed from the specification's tables, not from the code.
const REFUSAL_ORDER = [
  ['AMOUNT_BELOW_MINIMUM', 'amount_below_minimum'],
  ['AMOUNT_ABOVE_MAXIMUM', 'amount_above_maximum'],
  ['DOCUMENT_INVALID', 'document_invalid'],
  ['PLAYER_DOCUMENT_CHANGED', 'document_mismatch'],
  ['DOCUMENT_MISMATCH', 'document_mismatch'],
  ['PLAYER_BLOCKED', 'player_blocked'],
  ['DESTINATION_BLOCKED', 'destination_blocked'],
  ['VELOCITY_HARD_LIMIT', 'velocity_exceeded'],
  ['WINDOW_HARD_LIMIT', 'velocity_exceeded'],
  ['INSUFFICIENT_OPERATION_BALANCE', 'insufficient_operation_balance'],
] as const;
const CATALOGUE_ORDER = [
  'AUTO_MULTIPLIER_EXCEEDED',
  'NO_SETTLED_DEPOSIT',
  'AUTO_DISABLED',
  'OPERATION_AUTO_SUSPENDED',
  'AUTO_MAX_PER_WITHDRAWAL_EXCEEDED',
  'FIRST_WITHDRAWAL',
  'OPERATOR_REVIEW_REQUESTED',
  'OWNERSHIP_UNVERIFIED',
  'DICT_UNAVAILABLE',
  'WINDOW_DAY_AMOUNT_EXCEEDED',
  'WINDOW_DAY_COUNT_EXCEEDED',
  'WINDOW_7D_AMOUNT_EXCEEDED',
  'WINDOW_7D_COUNT_EXCEEDED',
  'WINDOW_30D_AMOUNT_EXCEEDED',
  'WINDOW_30D_COUNT_EXCEEDED',
  'VELOCITY_WITHDRAWALS',
  'PIX_KEY_CHANGED',
  'NEW_CONTEXT',
  'DESTINATION_CHURN',
  'SHARED_DESTINATION',
  'SHARED_DOCUMENT',
  'IP_LISTED',
  'DEVICE_LISTED',
  'PLAYER_LISTED',
  'DESTINATION_LISTED',
  'VIP_LIMIT_EXCEEDED',
  'OPERATION_AUTO_CAP_EXCEEDED',
  'OUTSIDE_AUTO_HOURS',
  'DUAL_APPROVAL_REQUIRED',
  'AML_STRUCTURING',
  'AML_RAPID_TURNAROUND',
  'AML_NO_PLAY_REPORTED',
  'AML_SHARED_PAYER',
  'AML_MANY_PAYERS',
];

function hitting(code: string): { facts: Partial<WithdrawalFacts>; limits: Partial<Thresholds> } {
  const found = CASES.find(([, caseCode, expected]) => caseCode === code && expected === 'hit');
  assert.ok(found !== undefined);
  return { facts: found[3], limits: found[4] };
}

/** Nested facts and thresholds of several cases: each case's own changes, not its defaults. */
function together(...facts: Partial<WithdrawalFacts>[]): Partial<WithdrawalFacts> {
  return {
    ...(Object.assign({}, ...facts) as Partial<WithdrawalFacts>),
    risk: risk(Object.assign({}, ...facts.map((one) => changed(one.risk, risk())))),
  };
}

function bothEngines(...limits: Partial<Thresholds>[]): Partial<Thresholds> {
  return engine(Object.assign({}, ...limits.map((one) => changed(one.engine, ENGINE_DEFAULTS))));
}

function changed<Value extends object>(value: Value | undefined, byDefault: Value): Partial<Value> {
  const isChanged = ([name, member]: [string, unknown]) =>
    writeJson(member) !== writeJson(byDefault[name as keyof Value]);
  return Object.fromEntries(Object.entries(value ?? {}).filter(isChanged)) as Partial<Value>;
}

describe('reasons of a withdrawal', () => {
  it('follow the tables of the specification', () => {
    assert.deepEqual(
      WITHDRAWAL_RULES.map(({ code }) => code),
      [...REFUSAL_ORDER.map(([code]) => code), ...CATALOGUE_ORDER],
    );
  });

  for (const [index, [earlier, refusal]] of REFUSAL_ORDER.entries()) {
    for (const [later] of REFUSAL_ORDER.slice(index + 1)) {
      it(`${earlier} and ${later} → 422 ${refusal}, both named`, () => {
        const [one, two] = [hitting(earlier), hitting(later)];
        const changes = together(one.facts, two.facts);
        // The two amount limits exclude each other unless they cross.
        const { outcome } = evaluateWithdrawal(
          'creation',
          withdrawalFacts(changes),
          thresholds({ ...two.limits, ...one.limits, ...bothEngines(two.limits, one.limits) }),
        );
        if (outcome.kind !== 'refuse') return assert.fail('not refused');
        assert.equal(outcome.code, refusal);
        assert.deepEqual([...outcome.reasons].slice(0, 2), [earlier, later]);
      });
    }
  }

  for (const [code, refusal] of REFUSAL_ORDER) {
    it(`${code} outranks every review code → 422 ${refusal}`, () => {
      const { facts, limits } = hitting(code);
      const inDoubt = { reviewRequested: true, paidWithdrawalCount: 0, documentShared: true };
      const { outcome } = evaluateWithdrawal('creation', withdrawalFacts({ ...inDoubt, ...facts }), thresholds(limits));
      assert.deepEqual(outcome, { kind: 'refuse', code: refusal, reasons: [code] });
    });
  }

  it('of a review are all codes that hit, in the order of the catalogue', () => {
    const allHits = CATALOGUE_ORDER.filter((code) => code !== 'AUTO_DISABLED').map(hitting);
    const facts = {
      ...together(...allHits.map((hit) => hit.facts)),
      keyOwner: 'unavailable',
      amountMinor: 9000n,
      settledDepositCount: 0,
    } as const;
    const given = allHits.map((hit) => hit.limits);
    const strictest = { reviewMinor: 0n, reviewCount: 0, maxMinor: null, maxCount: null };
    const { engine: merged } = bothEngines(...given);
    const windows = { ...ENGINE_DEFAULTS.windows, d7: strictest, d30: strictest };
    const limits = {
      ...(Object.assign({}, ...given) as Partial<Thresholds>),
      ...engine({ ...merged, windows }),
      autoMaxPerDayMinor: 1n,
      timezone: 'UTC',
      autoMultiplier: '1',
    };
    const { outcome } = evaluateWithdrawal('creation', withdrawalFacts(facts), thresholds(limits));
    assert.equal(outcome.kind, 'review');
    // Without a deposit nobody can have played with one; the AML rules over amounts are for their own amounts.
    const impossible = ['AUTO_DISABLED', 'AML_STRUCTURING', 'AML_RAPID_TURNAROUND', 'AML_NO_PLAY_REPORTED'];
    assert.deepEqual(
      outcome.kind === 'review' ? outcome.reasons : [],
      CATALOGUE_ORDER.filter((code) => !impossible.includes(code)),
    );
  });
});
