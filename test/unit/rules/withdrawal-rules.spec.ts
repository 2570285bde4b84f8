// Each rule of a withdrawal around its threshold, and how the codes of several hits come together.
import assert from 'node:assert/strict';
import { evaluateWithdrawal } from '../../../domain/rules/engine.js';
import { ENGINE_DEFAULTS } from '../../../domain/rules/engine-thresholds.js';
import type { Thresholds } from '../../../domain/rules/thresholds.js';
import { WITHDRAWAL_RULES, type WithdrawalFacts } from '../../../domain/rules/withdrawal-rules.js';
import { AT, engine, risk, thresholds, withdrawalFacts } from './facts.js';
import { RISK_CASES } from './risk-cases.js';

type Case = readonly [
  title: string,
  code: string,
  expected: 'pass' | 'hit' | 'off',
  facts: Partial<WithdrawalFacts>,
  limits: Partial<Thresholds>,
];

const HOUR_MS = 3_600_000;
const hoursBefore = (hours: number, plusMs = 0) => new Date(Date.parse(AT) - hours * HOUR_MS + plusMs).toISOString();
const recent = (...withdrawals: [at: string, amountMinor: string][]) =>
  withdrawals.map(([at, amountMinor]) => ({ at, amountMinor }));

const CASES: readonly Case[] = [
  ['5000 with minimum 4999', 'AMOUNT_BELOW_MINIMUM', 'pass', {}, { withdrawalMinMinor: '4999' }],
  ['5000 with minimum 5000', 'AMOUNT_BELOW_MINIMUM', 'pass', {}, { withdrawalMinMinor: '5000' }],
  ['5000 with minimum 5001', 'AMOUNT_BELOW_MINIMUM', 'hit', {}, { withdrawalMinMinor: '5001' }],
  ['no minimum', 'AMOUNT_BELOW_MINIMUM', 'off', {}, {}],
  ['5000 with maximum 5001', 'AMOUNT_ABOVE_MAXIMUM', 'pass', {}, { withdrawalMaxMinor: '5001' }],
  ['5000 with maximum 5000', 'AMOUNT_ABOVE_MAXIMUM', 'pass', {}, { withdrawalMaxMinor: '5000' }],
  ['5000 with maximum 4999', 'AMOUNT_ABOVE_MAXIMUM', 'hit', {}, { withdrawalMaxMinor: '4999' }],
  [
    '38 digits are compared exactly',
    'AMOUNT_ABOVE_MAXIMUM',
    'hit',
    { amountMinor: '9'.repeat(38) },
    { withdrawalMaxMinor: '9'.repeat(37) + '8' },
  ],
  ['a usable document', 'DOCUMENT_INVALID', 'pass', {}, {}],
  ['an unusable document', 'DOCUMENT_INVALID', 'hit', { documentUsable: false }, {}],
  ['first use of the document', 'PLAYER_DOCUMENT_CHANGED', 'pass', { document: 'first_use' }, {}],
  ['the fixed document', 'PLAYER_DOCUMENT_CHANGED', 'pass', { document: 'same' }, {}],
  ['another document', 'PLAYER_DOCUMENT_CHANGED', 'hit', { document: 'changed' }, {}],
  ['own CPF key', 'DOCUMENT_MISMATCH', 'pass', { keyHolder: 'player' }, {}],
  ['key of another holder', 'DOCUMENT_MISMATCH', 'hit', { keyHolder: 'other' }, {}],
  ['the directory names the player', 'DOCUMENT_MISMATCH', 'pass', { keyHolder: 'in_directory', keyOwner: 'match' }, {}],
  ['the directory names another', 'DOCUMENT_MISMATCH', 'hit', { keyHolder: 'in_directory', keyOwner: 'mismatch' }, {}],
  ['nobody blocked', 'PLAYER_BLOCKED', 'pass', {}, {}],
  ['player blocked', 'PLAYER_BLOCKED', 'hit', { playerBlocked: true }, {}],
  ['document blocked', 'PLAYER_BLOCKED', 'hit', { documentBlocked: true }, {}],
  ['key not blocked', 'DESTINATION_BLOCKED', 'pass', {}, {}],
  ['key blocked', 'DESTINATION_BLOCKED', 'hit', { destinationBlocked: true }, {}],
  ['cash box one above', 'INSUFFICIENT_OPERATION_BALANCE', 'pass', { availableMinor: '5001' }, {}],
  ['cash box exactly', 'INSUFFICIENT_OPERATION_BALANCE', 'pass', { availableMinor: '5000' }, {}],
  ['cash box one short', 'INSUFFICIENT_OPERATION_BALANCE', 'hit', { availableMinor: '4999' }, {}],
  ['cash box below zero', 'INSUFFICIENT_OPERATION_BALANCE', 'hit', { availableMinor: '-1' }, {}],

  ['total one below 1 × deposits', 'AUTO_MULTIPLIER_EXCEEDED', 'pass', { settledDepositsMinor: '6001' }, {}],
  ['total exactly 1 × deposits', 'AUTO_MULTIPLIER_EXCEEDED', 'pass', { settledDepositsMinor: '6000' }, {}],
  ['total one above 1 × deposits', 'AUTO_MULTIPLIER_EXCEEDED', 'hit', { settledDepositsMinor: '5999' }, {}],
  [
    'pending withdrawals count',
    'AUTO_MULTIPLIER_EXCEEDED',
    'hit',
    { settledDepositsMinor: '10000', countedWithdrawalsMinor: '5001' },
    {},
  ],
  [
    '1.5 × 4000 = 6000',
    'AUTO_MULTIPLIER_EXCEEDED',
    'pass',
    { settledDepositsMinor: '4000' },
    { autoMultiplier: '1.5' },
  ],
  [
    '1.4999 × 4000 < 6000',
    'AUTO_MULTIPLIER_EXCEEDED',
    'hit',
    { settledDepositsMinor: '4000' },
    { autoMultiplier: '1.4999' },
  ],
  [
    '0.1 × 60000 = 6000: no float',
    'AUTO_MULTIPLIER_EXCEEDED',
    'pass',
    { settledDepositsMinor: '60000' },
    { autoMultiplier: '0.1' },
  ],
  ['automatic off', 'AUTO_MULTIPLIER_EXCEEDED', 'off', { settledDepositsMinor: '0' }, { autoMultiplier: '0' }],
  ['one settled deposit', 'NO_SETTLED_DEPOSIT', 'pass', { settledDepositCount: 1 }, {}],
  ['no settled deposit', 'NO_SETTLED_DEPOSIT', 'hit', { settledDepositCount: 0, settledDepositsMinor: '0' }, {}],
  ['multiplier 0.0001', 'AUTO_DISABLED', 'pass', {}, { autoMultiplier: '0.0001' }],
  ['multiplier 0', 'AUTO_DISABLED', 'hit', {}, { autoMultiplier: '0' }],
  ['multiplier 0.00', 'AUTO_DISABLED', 'hit', {}, { autoMultiplier: '0.00' }],
  [
    '5000 with automatic ceiling 5001',
    'AUTO_MAX_PER_WITHDRAWAL_EXCEEDED',
    'pass',
    {},
    { autoMaxPerWithdrawalMinor: '5001' },
  ],
  [
    '5000 with automatic ceiling 5000',
    'AUTO_MAX_PER_WITHDRAWAL_EXCEEDED',
    'pass',
    {},
    { autoMaxPerWithdrawalMinor: '5000' },
  ],
  [
    '5000 with automatic ceiling 4999',
    'AUTO_MAX_PER_WITHDRAWAL_EXCEEDED',
    'hit',
    {},
    { autoMaxPerWithdrawalMinor: '4999' },
  ],
  ['one paid withdrawal', 'FIRST_WITHDRAWAL', 'pass', { paidWithdrawalCount: 1 }, {}],
  ['no paid withdrawal', 'FIRST_WITHDRAWAL', 'hit', { paidWithdrawalCount: 0 }, {}],
  [
    'no paid withdrawal, rule off',
    'FIRST_WITHDRAWAL',
    'off',
    { paidWithdrawalCount: 0 },
    { firstWithdrawalManual: false },
  ],
  ['review not requested', 'OPERATOR_REVIEW_REQUESTED', 'pass', {}, {}],
  ['review requested', 'OPERATOR_REVIEW_REQUESTED', 'hit', { reviewRequested: true }, {}],
  ['own key and IP', 'OWNERSHIP_UNVERIFIED', 'pass', {}, {}],
  ['no player IP', 'OWNERSHIP_UNVERIFIED', 'hit', { hasPlayerIp: false, ipSeenBefore: null }, {}],
  [
    'a key the directory cannot hold',
    'OWNERSHIP_UNVERIFIED',
    'hit',
    { keyHolder: 'in_directory', keyWellFormed: false },
    {},
  ],
  ['no such key', 'OWNERSHIP_UNVERIFIED', 'hit', { keyHolder: 'in_directory', keyOwner: 'no_such_key' }, {}],
  [
    'a full match with a new key',
    'OWNERSHIP_UNVERIFIED',
    'pass',
    { keyHolder: 'in_directory', keyOwner: 'match', keyPaidBefore: false },
    {},
  ],
  [
    'a masked match with a key that was paid to',
    'OWNERSHIP_UNVERIFIED',
    'pass',
    { keyHolder: 'in_directory', keyOwner: 'weak_match' },
    {},
  ],
  [
    'a masked match with a new key',
    'OWNERSHIP_UNVERIFIED',
    'hit',
    { keyHolder: 'in_directory', keyOwner: 'weak_match', keyPaidBefore: false },
    {},
  ],
  [
    'a masked match is no mismatch',
    'DOCUMENT_MISMATCH',
    'pass',
    { keyHolder: 'in_directory', keyOwner: 'weak_match', keyPaidBefore: false },
    {},
  ],
  ['directory answered', 'DICT_UNAVAILABLE', 'pass', { keyHolder: 'in_directory', keyOwner: 'match' }, {}],
  ['directory does not answer', 'DICT_UNAVAILABLE', 'hit', { keyHolder: 'in_directory', keyOwner: 'unavailable' }, {}],

  [
    'day sum one below',
    'WINDOW_DAY_AMOUNT_EXCEEDED',
    'pass',
    { recentWithdrawals: recent([AT, '2999']) },
    { autoMaxPerDayMinor: '8000' },
  ],
  [
    'day sum exactly',
    'WINDOW_DAY_AMOUNT_EXCEEDED',
    'pass',
    { recentWithdrawals: recent([AT, '3000']) },
    { autoMaxPerDayMinor: '8000' },
  ],
  [
    'day sum one above',
    'WINDOW_DAY_AMOUNT_EXCEEDED',
    'hit',
    { recentWithdrawals: recent([AT, '3001']) },
    { autoMaxPerDayMinor: '8000' },
  ],
  ['no ceiling per day', 'WINDOW_DAY_AMOUNT_EXCEEDED', 'off', { recentWithdrawals: recent([AT, '3001']) }, {}],
  // Midnight in São Paulo is 03:00 UTC.
  [
    'the last minute of yesterday',
    'WINDOW_DAY_AMOUNT_EXCEEDED',
    'pass',
    { recentWithdrawals: recent(['2026-11-21T02:59:59.999Z', '9000']) },
    { autoMaxPerDayMinor: '8000' },
  ],
  [
    'the first moment of today',
    'WINDOW_DAY_AMOUNT_EXCEEDED',
    'hit',
    { recentWithdrawals: recent(['2026-11-21T03:00:00.000Z', '9000']) },
    { autoMaxPerDayMinor: '8000' },
  ],
  [
    'the same, in UTC days',
    'WINDOW_DAY_AMOUNT_EXCEEDED',
    'hit',
    { recentWithdrawals: recent(['2026-11-21T02:59:59.999Z', '9000']) },
    { autoMaxPerDayMinor: '8000', timezone: 'UTC' },
  ],
  [
    'third of four',
    'WINDOW_DAY_COUNT_EXCEEDED',
    'pass',
    { recentWithdrawals: recent([AT, '1'], [AT, '1']) },
    { maxWithdrawalsPerDay: 4 },
  ],
  [
    'third of three',
    'WINDOW_DAY_COUNT_EXCEEDED',
    'pass',
    { recentWithdrawals: recent([AT, '1'], [AT, '1']) },
    { maxWithdrawalsPerDay: 3 },
  ],
  [
    'third of two',
    'WINDOW_DAY_COUNT_EXCEEDED',
    'hit',
    { recentWithdrawals: recent([AT, '1'], [AT, '1']) },
    { maxWithdrawalsPerDay: 2 },
  ],
  [
    'yesterday does not count',
    'WINDOW_DAY_COUNT_EXCEEDED',
    'pass',
    { recentWithdrawals: recent(['2026-11-21T02:59:59.999Z', '1']) },
    { maxWithdrawalsPerDay: 1 },
  ],
  ['none allowed automatically', 'WINDOW_DAY_COUNT_EXCEEDED', 'hit', {}, { maxWithdrawalsPerDay: 0 }],

  ['the very first key', 'PIX_KEY_CHANGED', 'pass', { keyFirstUsedAt: null, hadOtherKeyBefore: false }, {}],
  ['a new key after another', 'PIX_KEY_CHANGED', 'hit', { keyFirstUsedAt: null, hadOtherKeyBefore: true }, {}],
  [
    'a millisecond before the cooldown ends',
    'PIX_KEY_CHANGED',
    'hit',
    { keyFirstUsedAt: hoursBefore(24, 1), hadOtherKeyBefore: true },
    {},
  ],
  [
    'the moment the cooldown ends',
    'PIX_KEY_CHANGED',
    'pass',
    { keyFirstUsedAt: hoursBefore(24), hadOtherKeyBefore: true },
    {},
  ],
  [
    'a millisecond after',
    'PIX_KEY_CHANGED',
    'pass',
    { keyFirstUsedAt: hoursBefore(24, -1), hadOtherKeyBefore: true },
    {},
  ],
  [
    'a cooldown of 25 hours',
    'PIX_KEY_CHANGED',
    'hit',
    { keyFirstUsedAt: hoursBefore(24), hadOtherKeyBefore: true },
    { pixKeyChangeCooldownHours: 25 },
  ],
  [
    'a cooldown of 0 hours',
    'PIX_KEY_CHANGED',
    'off',
    { keyFirstUsedAt: null, hadOtherKeyBefore: true },
    { pixKeyChangeCooldownHours: 0 },
  ],
  ['a new device with an old key', 'NEW_CONTEXT', 'pass', { deviceSeenBefore: false }, {}],
  [
    'a new device with a changed key',
    'NEW_CONTEXT',
    'hit',
    { deviceSeenBefore: false, keyFirstUsedAt: null, hadOtherKeyBefore: true },
    {},
  ],
  [
    'a new IP with a changed key',
    'NEW_CONTEXT',
    'hit',
    { ipSeenBefore: false, keyFirstUsedAt: null, hadOtherKeyBefore: true },
    {},
  ],
  ['known context with a changed key', 'NEW_CONTEXT', 'pass', { keyFirstUsedAt: null, hadOtherKeyBefore: true }, {}],
  [
    'no device named, known IP',
    'NEW_CONTEXT',
    'pass',
    { deviceSeenBefore: null, keyFirstUsedAt: null, hadOtherKeyBefore: true },
    {},
  ],
  ['a key of one player', 'SHARED_DESTINATION', 'pass', {}, {}],
  ['a key of several players', 'SHARED_DESTINATION', 'hit', { keyUsedByOthers: true }, {}],
  ['a document of one player', 'SHARED_DOCUMENT', 'pass', {}, {}],
  ['a document of several players', 'SHARED_DOCUMENT', 'hit', { documentShared: true }, {}],
  ['an unlisted IP', 'IP_LISTED', 'pass', {}, {}],
  ['a listed IP', 'IP_LISTED', 'hit', { ipListed: true }, {}],
  ['an unlisted device', 'DEVICE_LISTED', 'pass', {}, {}],
  ['a listed device', 'DEVICE_LISTED', 'hit', { deviceListed: true }, {}],
  ['an unlisted player', 'PLAYER_LISTED', 'pass', {}, {}],
  ['a player on a review list', 'PLAYER_LISTED', 'hit', { playerOnReviewList: true }, {}],
  ['an unlisted key', 'DESTINATION_LISTED', 'pass', {}, {}],
  ['a key on a review list', 'DESTINATION_LISTED', 'hit', { destinationOnReviewList: true }, {}],
  ['5000 with two people above 5001', 'DUAL_APPROVAL_REQUIRED', 'pass', {}, { dualApprovalAboveMinor: '5001' }],
  ['5000 with two people above 5000', 'DUAL_APPROVAL_REQUIRED', 'pass', {}, { dualApprovalAboveMinor: '5000' }],
  ['5000 with two people above 4999', 'DUAL_APPROVAL_REQUIRED', 'hit', {}, { dualApprovalAboveMinor: '4999' }],
  ...RISK_CASES,
];

function resultOf(code: string, facts: Partial<WithdrawalFacts>, limits: Partial<Thresholds>) {
  const { reports, outcome } = evaluateWithdrawal('creation', withdrawalFacts(facts), thresholds(limits));
  const report = reports.find((candidate) => candidate.code === code);
  assert.ok(report !== undefined, `no rule ${code}`);
  return { result: report.result, outcome };
}

describe('withdrawal rules', () => {
  it('lets the ordinary withdrawal of a known player pass', () => {
    const { outcome, reports } = evaluateWithdrawal('creation', withdrawalFacts(), thresholds());
    assert.deepEqual(outcome, { kind: 'automatic', reasons: [], keyCheckNeeded: false });
    assert.equal(reports.length, WITHDRAWAL_RULES.length);
  });

  for (const [title, code, expected, facts, limits] of CASES) {
    it(`${code}: ${title} → ${expected}`, () => {
      const { result, outcome } = resultOf(code, facts, limits);
      assert.equal(result, expected);
      assert.equal(outcome.kind === 'automatic' ? false : outcome.reasons.includes(code), expected === 'hit');
    });
  }

  it('has a case that hits and one that passes for every rule', () => {
    for (const { code } of WITHDRAWAL_RULES) {
      const results = CASES.filter(([, caseCode]) => caseCode === code).map(([, , expected]) => expected);
      assert.ok(results.includes('hit') && results.includes('pass'), `${code} is not tested on both sides`);
    }
  });
});

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
    JSON.stringify(member) !== JSON.stringify(byDefault[name as keyof Value]);
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
      amountMinor: '9000',
      settledDepositCount: 0,
    } as const;
    const given = allHits.map((hit) => hit.limits);
    const strictest = { reviewMinor: '0', reviewCount: 0, maxMinor: null, maxCount: null };
    const { engine: merged } = bothEngines(...given);
    const windows = { ...ENGINE_DEFAULTS.windows, d7: strictest, d30: strictest };
    const limits = {
      ...(Object.assign({}, ...given) as Partial<Thresholds>),
      ...engine({ ...merged, windows }),
      autoMaxPerDayMinor: '1',
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

describe('the key check', () => {
  const directory = { keyHolder: 'in_directory', keyOwner: 'not_asked' } as const;

  it('is asked for where only the directory knows the holder', () => {
    assert.deepEqual(evaluateWithdrawal('creation', withdrawalFacts(directory), thresholds()).outcome, {
      kind: 'automatic',
      reasons: [],
      keyCheckNeeded: true,
    });
  });

  it('is asked for also when people will look anyway: another holder is refused, not reviewed', () => {
    const { outcome } = evaluateWithdrawal(
      'creation',
      withdrawalFacts({ ...directory, reviewRequested: true }),
      thresholds(),
    );
    assert.deepEqual(outcome, { kind: 'review', reasons: ['OPERATOR_REVIEW_REQUESTED'], keyCheckNeeded: true });
  });

  for (const keyOwner of ['match', 'no_such_key', 'unavailable'] as const) {
    it(`is not asked for again after ${keyOwner}`, () => {
      const { outcome } = evaluateWithdrawal(
        'dict',
        withdrawalFacts({ keyHolder: 'in_directory', keyOwner }),
        thresholds(),
      );
      assert.equal(outcome.kind !== 'refuse' && outcome.keyCheckNeeded, false);
    });
  }

  it('is not asked for with a key that the directory cannot hold', () => {
    const { outcome } = evaluateWithdrawal(
      'creation',
      withdrawalFacts({ ...directory, keyWellFormed: false }),
      thresholds(),
    );
    assert.deepEqual(outcome, { kind: 'review', reasons: ['OWNERSHIP_UNVERIFIED'], keyCheckNeeded: false });
  });

  it('is not asked for once refused', () => {
    const { outcome } = evaluateWithdrawal(
      'creation',
      withdrawalFacts({ ...directory, playerBlocked: true }),
      thresholds(),
    );
    assert.equal('keyCheckNeeded' in outcome, false);
  });
});

describe('the stage dict', () => {
  const settledAtCreation = [
    'AMOUNT_BELOW_MINIMUM',
    'AMOUNT_ABOVE_MAXIMUM',
    'DOCUMENT_INVALID',
    'PLAYER_DOCUMENT_CHANGED',
    'VELOCITY_HARD_LIMIT',
    'WINDOW_HARD_LIMIT',
    'INSUFFICIENT_OPERATION_BALANCE',
  ];

  it('does not ask again what creation settled', () => {
    const { reports } = evaluateWithdrawal('dict', withdrawalFacts(), thresholds());
    assert.deepEqual(
      WITHDRAWAL_RULES.map(({ code }) => code).filter((code) => !reports.some((report) => report.code === code)),
      settledAtCreation,
    );
  });

  for (const [facts, code, reason] of [
    [{ keyOwner: 'mismatch' }, 'document_mismatch', 'DOCUMENT_MISMATCH'],
    [{ playerBlocked: true }, 'player_blocked', 'PLAYER_BLOCKED'],
    [{ destinationBlocked: true }, 'destination_blocked', 'DESTINATION_BLOCKED'],
  ] as const) {
    it(`still refuses for ${reason}`, () => {
      assert.deepEqual(evaluateWithdrawal('dict', withdrawalFacts(facts), thresholds()).outcome, {
        kind: 'refuse',
        code,
        reasons: [reason],
      });
    });
  }
});
