// Properties of the engine over arbitrary facts and rule sets: stricter never lets more through, and the same question
// always has the same, well-formed answer.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readJson, writeJson } from '../../../domain/money.js';
import {
  evaluateDeposit,
  evaluateDispatch,
  evaluatePayment,
  evaluateWithdrawal,
} from '../../../domain/rules/engine.js';
import { multiplierLimitMinor } from '../../../domain/rules/automatic-limits.js';
import {
  isDepositVerdict,
  isDispatchVerdict,
  isPaymentVerdict,
  isWithdrawalVerdict,
  KEY_OWNER_FINDINGS,
} from '../../../domain/rules/verdicts.js';
import { WITHDRAWAL_RULES, type WithdrawalFacts } from '../../../domain/rules/withdrawal-rules.js';
import { engineOf, type EngineThresholds, type Thresholds } from '../../../domain/rules/thresholds.js';
import type { RiskFacts } from '../../../domain/rules/risk-rules.js';
import { AT, depositFacts, dispatchFacts, paymentFacts, risk } from './facts.js';

// Small numbers, so that thresholds are met exactly often.
const amount = fc.integer({ min: 0, max: 12 }).map(BigInt);
const positiveAmount = fc.integer({ min: 1, max: 12 }).map(BigInt);
const limit = fc.option(amount, { nil: null });
const nearAt = fc
  .integer({ min: -30 * 60, max: 0 })
  .map((minutes) => new Date(Date.parse(AT) + minutes * 60_000).toISOString());

/** Mostly false, as in life; otherwise nearly everything is refused and little is tested. */
const rarely = fc.integer({ min: 0, max: 9 }).map((dice) => dice === 0);
const mostly = rarely.map((value) => !value);

const count = fc.option(fc.integer({ min: 0, max: 4 }), { nil: null });
const window = fc.record({
  reviewMinor: limit,
  reviewCount: count,
  maxMinor: fc.option(fc.constantFrom(11n, 12n, 20n), { nil: null }),
  maxCount: fc.option(fc.constantFrom(3, 4), { nil: null }),
});
const windows = fc.record({ day: window, d7: window, d30: window });
const engines: fc.Arbitrary<EngineThresholds> = fc.record({
  autoSuspended: rarely,
  autoHoursPolicy: fc.constantFrom('wait' as const, 'review' as const),
  dualApprovalReasons: fc.constantFrom<readonly string[]>([], ['PIX_KEY_CHANGED']),
  windows,
  velocity: fc.option(
    fc.record({
      windowMinutes: fc.constantFrom(1, 60),
      reviewAbove: count,
      refuseAbove: fc.option(fc.constantFrom(3, 4), { nil: null }),
    }),
    { nil: null },
  ),
  maxDestinations30d: count,
  operationAutoCap: fc.record({ perHourMinor: limit, perDayMinor: limit }),
  vipTiers: fc.constantFrom<EngineThresholds['vipTiers']>(
    {},
    { gold: { maxPerWithdrawalMinor: 9n, maxPerDayMinor: null } },
  ),
  structuring: fc.constant(null),
  rapidTurnaround: fc.constant(null),
  noPlayReview: fc.boolean(),
  sharedPayerPlayers: fc.option(fc.constantFrom(2, 3), { nil: null }),
  maxPayers30d: fc.option(fc.constantFrom(1, 2), { nil: null }),
  depositWindows: windows,
  depositUnpaid: fc.constant(null),
});
const sum = fc.record({ amountMinor: amount, count: fc.integer({ min: 0, max: 3 }) });
const risks: fc.Arbitrary<RiskFacts> = fc.record({
  windows: fc.record({ d7: sum, d30: sum }),
  withdrawals: fc.constant([]),
  requestedAt: fc.array(nearAt, { maxLength: 3 }),
  destinations30d: fc.integer({ min: 1, max: 3 }),
  deposits: fc.constant([]),
  payers30d: fc.integer({ min: 0, max: 3 }),
  playersOfPayers: fc.integer({ min: 1, max: 3 }),
  vipTier: fc.constantFrom(null, 'gold'),
  automatic: fc.record({ hourMinor: amount, dayMinor: amount }),
  netGamingResult: fc.constantFrom('zero' as const, 'other' as const, 'unreported' as const, 'unreported' as const),
});

const limits: fc.Arbitrary<Thresholds> = fc.record({
  engine: fc.option(engines, { nil: undefined, freq: 2 }),
  timezone: fc.constantFrom('America/Sao_Paulo', 'UTC'),
  autoMultiplier: fc.constantFrom('0', '0.5', '1', '1.5', '2', '10'),
  depositMinMinor: limit,
  depositMaxMinor: limit,
  withdrawalMinMinor: fc.option(fc.constantFrom(1n, 2n), { nil: null }),
  withdrawalMaxMinor: fc.option(fc.constantFrom(10n, 11n, 12n), { nil: null }),
  autoMaxPerWithdrawalMinor: limit,
  autoMaxPerDayMinor: limit,
  dualApprovalAboveMinor: limit,
  maxWithdrawalsPerDay: fc.option(fc.integer({ min: 0, max: 3 }), { nil: null }),
  firstWithdrawalManual: fc.boolean(),
  pixKeyChangeCooldownHours: fc.constantFrom(0, 1, 24),
  requirePayerMatchesPlayer: fc.boolean(),
  autoHours: fc.option(
    fc.constantFrom({ from: '08:00', to: '12:00' }, { from: '22:00', to: '06:00' }, { from: '12:00', to: '12:01' }),
    { nil: null },
  ),
});

const withdrawals: fc.Arbitrary<WithdrawalFacts> = fc.record({
  at: fc.constant(AT),
  createdAt: fc.constantFrom(AT, '2026-11-21T02:58:00.000Z'),
  amountMinor: positiveAmount,
  documentUsable: mostly,
  document: fc.constantFrom('same', 'same', 'same', 'first_use', 'changed'),
  documentShared: rarely,
  playerBlocked: rarely,
  documentBlocked: rarely,
  destinationBlocked: rarely,
  playerOnReviewList: rarely,
  destinationOnReviewList: rarely,
  ipListed: rarely,
  deviceListed: rarely,
  hasPlayerIp: mostly,
  reviewRequested: rarely,
  keyWellFormed: mostly,
  keyHolder: fc.constantFrom('player', 'player', 'in_directory', 'in_directory', 'other'),
  keyOwner: fc.constantFrom('not_asked', 'match', 'match', 'match', ...KEY_OWNER_FINDINGS),
  keyFirstUsedAt: fc.option(nearAt, { nil: null }),
  hadOtherKeyBefore: rarely,
  keyPaidBefore: fc.boolean(),
  keyUsedByOthers: rarely,
  ipSeenBefore: fc.option(fc.boolean(), { nil: null }),
  deviceSeenBefore: fc.option(fc.boolean(), { nil: null }),
  settledDepositCount: fc.integer({ min: 0, max: 3 }),
  settledDepositsMinor: amount,
  paidWithdrawalCount: fc.integer({ min: 0, max: 3 }),
  countedWithdrawalsMinor: amount,
  recentWithdrawals: fc.array(fc.record({ at: nearAt, amountMinor: positiveAmount }), { maxLength: 3 }),
  availableMinor: fc.integer({ min: 4, max: 20 }).map(BigInt),
  risk: risks,
});

interface Question {
  readonly facts: WithdrawalFacts;
  readonly limits: Thresholds;
}
type Step = (question: Question) => Question;

const withFacts =
  (changes: Partial<WithdrawalFacts>): Step =>
  ({ facts, limits: same }) => ({ facts: { ...facts, ...changes }, limits: same });
const withLimits =
  (change: (limits: Thresholds) => Partial<Thresholds>): Step =>
  ({ facts, limits: before }) => ({ facts, limits: { ...before, ...change(before) } });
const add = (amountMinor: bigint, difference: bigint) => amountMinor + difference;
const lower = (amountMinor: bigint | null) => (amountMinor === null ? 5n : amountMinor - (amountMinor > 0n ? 1n : 0n));
const SMALLER_MULTIPLIER: Record<string, string> = {
  '10': '2',
  '2': '1.5',
  '1.5': '1',
  '1': '0.5',
  '0.5': '0',
  '0': '0',
};

/** Every way to make a question stricter by one step. */
const STRICTER: Readonly<Record<string, Step>> = {
  'the player is blocked': withFacts({ playerBlocked: true }),
  'the document is blocked': withFacts({ documentBlocked: true }),
  'the key is blocked': withFacts({ destinationBlocked: true }),
  'the player is on a review list': withFacts({ playerOnReviewList: true }),
  'the key is on a review list': withFacts({ destinationOnReviewList: true }),
  'the IP is listed': withFacts({ ipListed: true }),
  'the device is listed': withFacts({ deviceListed: true }),
  'the document is shared': withFacts({ documentShared: true }),
  'the key is used by others': withFacts({ keyUsedByOthers: true }),
  'the document is unusable': withFacts({ documentUsable: false }),
  'the document changed': withFacts({ document: 'changed' }),
  'there is no player IP': withFacts({ hasPlayerIp: false, ipSeenBefore: null }),
  'review is requested': withFacts({ reviewRequested: true }),
  'the key is malformed': withFacts({ keyWellFormed: false }),
  'the key is of another holder': withFacts({ keyHolder: 'other' }),
  'the directory names another holder': withFacts({ keyOwner: 'mismatch' }),
  'the directory is unavailable': ({ facts, limits: same }) => ({
    facts: { ...facts, keyOwner: facts.keyOwner === 'mismatch' ? 'mismatch' : 'unavailable' },
    limits: same,
  }),
  'the directory shows its holder only under a mask': ({ facts, limits: same }) => ({
    facts: { ...facts, keyOwner: facts.keyOwner === 'match' ? 'weak_match' : facts.keyOwner },
    limits: same,
  }),
  'no withdrawal to the key was paid': withFacts({ keyPaidBefore: false }),
  'another key came before': withFacts({ hadOtherKeyBefore: true }),
  'the key is new': withFacts({ keyFirstUsedAt: null }),
  'the device is new': withFacts({ deviceSeenBefore: false }),
  'nothing was paid out before': withFacts({ paidWithdrawalCount: 0 }),
  'nothing was deposited': withFacts({ settledDepositCount: 0, settledDepositsMinor: 0n }),
  'one unit less was deposited': ({ facts, limits: same }) => ({
    facts: { ...facts, settledDepositsMinor: lower(facts.settledDepositsMinor) },
    limits: same,
  }),
  'one unit more was withdrawn': ({ facts, limits: same }) => ({
    facts: { ...facts, countedWithdrawalsMinor: add(facts.countedWithdrawalsMinor, 1n) },
    limits: same,
  }),
  'one more withdrawal today': ({ facts, limits: same }) => ({
    facts: { ...facts, recentWithdrawals: [...facts.recentWithdrawals, { at: AT, amountMinor: 1n }] },
    limits: same,
  }),
  'one unit less in the cash box': ({ facts, limits: same }) => ({
    facts: { ...facts, availableMinor: add(facts.availableMinor, -1n) },
    limits: same,
  }),
  // A larger amount can only leave a minimum behind.
  'one unit more is asked for': ({ facts, limits: before }) => ({
    facts: { ...facts, amountMinor: add(facts.amountMinor, 1n) },
    limits:
      before.withdrawalMinMinor === null
        ? before
        : { ...before, withdrawalMinMinor: add(before.withdrawalMinMinor, 1n) },
  }),
  'a higher minimum': withLimits(({ withdrawalMinMinor }) => ({
    withdrawalMinMinor: add(withdrawalMinMinor ?? 0n, 1n),
  })),
  'a lower maximum': withLimits(({ withdrawalMaxMinor }) => ({ withdrawalMaxMinor: lower(withdrawalMaxMinor) })),
  'a lower automatic ceiling': withLimits(({ autoMaxPerWithdrawalMinor }) => ({
    autoMaxPerWithdrawalMinor: lower(autoMaxPerWithdrawalMinor),
  })),
  'a lower ceiling per day': withLimits(({ autoMaxPerDayMinor }) => ({
    autoMaxPerDayMinor: lower(autoMaxPerDayMinor),
  })),
  'fewer per day': withLimits(({ maxWithdrawalsPerDay }) => ({
    maxWithdrawalsPerDay: Math.max(0, (maxWithdrawalsPerDay ?? 4) - 1),
  })),
  'two people from less': withLimits(({ dualApprovalAboveMinor }) => ({
    dualApprovalAboveMinor: lower(dualApprovalAboveMinor),
  })),
  'first withdrawals manual': withLimits(() => ({ firstWithdrawalManual: true })),
  'a longer cooldown': withLimits(({ pixKeyChangeCooldownHours }) => ({
    pixKeyChangeCooldownHours: pixKeyChangeCooldownHours + 1,
  })),
  'a smaller multiplier': withLimits(({ autoMultiplier }) => ({
    autoMultiplier: SMALLER_MULTIPLIER[autoMultiplier] ?? '0',
  })),
};

const withEngine = (change: (engine: EngineThresholds) => Partial<EngineThresholds>): Step =>
  withLimits((before) => ({ engine: { ...engineOf(before), ...change(engineOf(before)) } }));
const withRisk =
  (change: (history: RiskFacts) => Partial<RiskFacts>): Step =>
  ({ facts, limits: same }) => {
    const history = facts.risk ?? risk();
    return { facts: { ...facts, risk: { ...history, ...change(history) } }, limits: same };
  };
const one = (counted: number | null) => Math.max(0, (counted ?? 5) - 1);

/**
 * The same for the engine's own thresholds and the history: a threshold that was off is set, one that was set is
 * lowered.
 */
const STRICTER_ENGINE: Readonly<Record<string, Step>> = {
  'automatic is suspended': withEngine(() => ({ autoSuspended: true })),
  'outside the hours people look': withEngine(() => ({ autoHoursPolicy: 'review' })),
  'one more reason needs two people': withEngine(({ dualApprovalReasons }) => ({
    dualApprovalReasons: [...dualApprovalReasons, 'FIRST_WITHDRAWAL'],
  })),
  'lower thresholds of 7 days': withEngine(({ windows: all }) => ({
    windows: {
      ...all,
      d7: {
        reviewMinor: lower(all.d7.reviewMinor),
        reviewCount: one(all.d7.reviewCount),
        maxMinor: lower(all.d7.maxMinor),
        maxCount: one(all.d7.maxCount),
      },
    },
  })),
  'lower thresholds of 30 days': withEngine(({ windows: all }) => ({
    windows: {
      ...all,
      d30: {
        reviewMinor: lower(all.d30.reviewMinor),
        reviewCount: one(all.d30.reviewCount),
        maxMinor: lower(all.d30.maxMinor),
        maxCount: one(all.d30.maxCount),
      },
    },
  })),
  'a longer velocity window': withEngine(({ velocity }) => ({
    velocity:
      velocity === null
        ? { windowMinutes: 5, reviewAbove: 1, refuseAbove: null }
        : { ...velocity, windowMinutes: velocity.windowMinutes + 1 },
  })),
  'fewer destinations': withEngine(({ maxDestinations30d }) => ({ maxDestinations30d: one(maxDestinations30d) })),
  'a lower cap of the operation': withEngine(({ operationAutoCap }) => ({
    operationAutoCap: {
      perHourMinor: lower(operationAutoCap.perHourMinor),
      perDayMinor: lower(operationAutoCap.perDayMinor),
    },
  })),
  'a tier gets limits': withEngine(({ vipTiers }) => ({
    vipTiers: { ...vipTiers, gold: { maxPerWithdrawalMinor: 8n, maxPerDayMinor: 8n } },
  })),
  'no play is looked at': withEngine(() => ({ noPlayReview: true })),
  'fewer payers': withEngine(({ maxPayers30d, sharedPayerPlayers }) => ({
    maxPayers30d: one(maxPayers30d),
    sharedPayerPlayers: one(sharedPayerPlayers),
  })),
  'one more request': withRisk(({ requestedAt }) => ({ requestedAt: [AT, ...requestedAt] })),
  'one more destination': withRisk(({ destinations30d }) => ({ destinations30d: destinations30d + 1 })),
  'the operation paid out one unit more': withRisk(({ automatic }) => ({
    automatic: { hourMinor: add(automatic.hourMinor, 1n), dayMinor: add(automatic.dayMinor, 1n) },
  })),
  'one more in 7 and 30 days': withRisk(({ windows: { d7, d30 } }) => ({
    windows: {
      d7: { amountMinor: add(d7.amountMinor, 1n), count: d7.count + 1 },
      d30: { amountMinor: add(d30.amountMinor, 1n), count: d30.count + 1 },
    },
  })),
  'one more payer and one more player': withRisk(({ payers30d, playersOfPayers }) => ({
    payers30d: payers30d + 1,
    playersOfPayers: playersOfPayers + 1,
  })),
  'no play is reported': withRisk(() => ({ netGamingResult: 'zero' })),
};

const SEVERITY = { automatic: 0, review: 1, refuse: 2 } as const;
const stage = fc.constantFrom('creation' as const, 'dict' as const);

describe('properties of the rules engine', () => {
  for (const [title, step] of Object.entries({ ...STRICTER, ...STRICTER_ENGINE })) {
    it(`stricter never lets more through: ${title}`, () => {
      fc.assert(
        fc.property(stage, withdrawals, limits, (at, facts, given) => {
          const stricter = step({ facts, limits: given });
          const before = evaluateWithdrawal(at, facts, given).outcome;
          const after = evaluateWithdrawal(at, stricter.facts, stricter.limits).outcome;
          assert.ok(SEVERITY[after.kind] >= SEVERITY[before.kind], `${before.kind} → ${after.kind}`);
        }),
        { numRuns: 300 },
      );
    });
  }

  it('the generated questions reach all three answers', () => {
    const seen = new Set(
      fc
        .sample(fc.tuple(withdrawals, limits), { numRuns: 10_000, seed: 1 })
        .map(([facts, given]) => evaluateWithdrawal('creation', facts, given).outcome.kind),
    );
    assert.deepEqual([...seen].sort(), ['automatic', 'refuse', 'review']);
  });

  it('every verdict passes the check of the workflow, is the same again, and keeps the order of the table', () => {
    const order: readonly string[] = WITHDRAWAL_RULES.map(({ code }) => code);
    fc.assert(
      fc.property(stage, withdrawals, limits, (at, facts, given) => {
        const { outcome, reports } = evaluateWithdrawal(at, facts, given);
        assert.equal(isWithdrawalVerdict({ ...outcome, ruleSetVersion: 1, playerRevision: '0' }), true);
        // What is stored is JSON: evaluated again it must give the same.
        const stored = readJson<{ facts: WithdrawalFacts; given: Thresholds }>(writeJson({ facts, given }));
        assert.deepEqual(evaluateWithdrawal(at, stored.facts, stored.given), { outcome, reports });
        assert.deepEqual(
          [...outcome.reasons].sort((one, two) => order.indexOf(one) - order.indexOf(two)),
          outcome.reasons,
        );
        assert.equal(
          outcome.kind === 'automatic',
          reports.every(({ result }) => result !== 'hit'),
        );
      }),
    );
  });

  it('automatic withdrawals never exceed X times the settled deposits', () => {
    fc.assert(
      fc.property(withdrawals, limits, (facts, given) => {
        if (evaluateWithdrawal('creation', facts, given).outcome.kind !== 'automatic') return;
        const total = facts.amountMinor + facts.countedWithdrawalsMinor;
        assert.ok(total <= multiplierLimitMinor(given.autoMultiplier, facts.settledDepositsMinor));
      }),
      { numRuns: 2_000 },
    );
  });

  it('deposits, payments and dispatches answer what workflows take', () => {
    fc.assert(
      fc.property(
        limits,
        amount,
        amount,
        rarely,
        fc.constantFrom('match' as const, 'mismatch' as const, 'unknown' as const),
        (given, one, two, blocked, payer) => {
          const deposit = evaluateDeposit(depositFacts({ amountMinor: one, playerBlocked: blocked }), given).outcome;
          const payment = evaluatePayment(
            paymentFacts({ chargedAmountMinor: one, paidAmountMinor: two, payer, payerBlocked: blocked }),
            given,
          ).outcome;
          const dispatch = evaluateDispatch(
            dispatchFacts({ availableMinor: add(one, -6n), playerBlocked: blocked }),
            given,
          ).outcome;
          assert.equal(isDepositVerdict({ ...deposit, ruleSetVersion: 1 }), true);
          assert.equal(isPaymentVerdict({ ...payment, ruleSetVersion: 1 }), true);
          assert.equal(isDispatchVerdict({ ...dispatch, ruleSetVersion: 1 }), true);
          // Money that was not asked for is never credited by itself.
          if (one !== two || blocked) assert.equal(payment.kind, 'review');
          if (blocked) assert.deepEqual([deposit.kind, dispatch.kind], ['refuse', 'blocked']);
        },
      ),
    );
  });
});
