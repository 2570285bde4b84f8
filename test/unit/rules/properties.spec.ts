// Properties of the engine over arbitrary facts and rule sets: the same question always has the same, well-formed
// answer.
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
import type { EngineThresholds, Thresholds } from '../../../domain/rules/thresholds.js';
import type { RiskFacts } from '../../../domain/rules/risk-rules.js';
import { AT, depositFacts, dispatchFacts, paymentFacts } from './facts.js';

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

const stage = fc.constantFrom('creation' as const, 'dict' as const);

describe('properties of the rules engine', () => {
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
            dispatchFacts({ availableMinor: one - 6n, playerBlocked: blocked }),
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
