// What every rule says it compared, stage by stage with every rule switched on. It is stored with the decision and
// shown to staff.
import assert from 'node:assert/strict';
import {
  evaluateDeposit,
  evaluateDispatch,
  evaluatePayment,
  evaluateWithdrawal,
  reevaluate,
} from '../../../domain/rules/engine.js';
import { limitsHistory } from '../../../domain/rules/deposit-rules.js';
import type { RuleReport } from '../../../domain/rules/rule.js';
import { depositFacts, dispatchFacts, engine, paymentFacts, risk, thresholds, withdrawalFacts } from './facts.js';

const AT = '2026-11-21T15:00:00.000Z';
const LIMITS = { reviewMinor: 20000n, reviewCount: 9, maxMinor: 30000n, maxCount: 10 };
const NO_LIMITS = { reviewMinor: null, reviewCount: null, maxMinor: null, maxCount: null };
const NO_WINDOWS = { day: NO_LIMITS, d7: NO_LIMITS, d30: NO_LIMITS };
const WINDOWS = { day: LIMITS, d7: LIMITS, d30: LIMITS };

/** Every threshold is set, wide enough that nothing hits. */
const ALL_ON = thresholds({
  depositMinMinor: 1n,
  depositMaxMinor: 90000n,
  withdrawalMinMinor: 2n,
  withdrawalMaxMinor: 80000n,
  autoMaxPerWithdrawalMinor: 70000n,
  autoMaxPerDayMinor: 60000n,
  dualApprovalAboveMinor: 50000n,
  maxWithdrawalsPerDay: 8,
  autoHours: { from: '08:00', to: '20:00' },
  ...engine({
    autoHoursPolicy: 'review',
    dualApprovalReasons: ['SHARED_DESTINATION'],
    windows: WINDOWS,
    velocity: { windowMinutes: 60, reviewAbove: 6, refuseAbove: 7 },
    maxDestinations30d: 5,
    operationAutoCap: { perHourMinor: 40000n, perDayMinor: 45000n },
    vipTiers: { gold: { maxPerWithdrawalMinor: 35000n, maxPerDayMinor: 36000n } },
    structuring: { thresholdMinor: 5100n, marginPercent: 10, minCount: 4, windowDays: 10 },
    rapidTurnaround: { withinMinutes: 120, similarityPercent: 10, minCount: 3, windowDays: 10 },
    sharedPayerPlayers: 4,
    maxPayers30d: 3,
    depositWindows: WINDOWS,
    depositUnpaid: { windowMinutes: 30, maxCount: 3 },
  }),
});

const WITHDRAWAL = withdrawalFacts({
  recentWithdrawals: [{ at: '2026-11-21T14:00:00.000Z', amountMinor: 700n }],
  risk: risk({
    windows: { d7: { amountMinor: 1100n, count: 2 }, d30: { amountMinor: 1300n, count: 3 } },
    withdrawals: [{ at: '2026-11-20T15:00:00.000Z', amountMinor: 5000n }],
    requestedAt: ['2026-11-21T14:30:00.000Z', '2026-11-21T13:30:00.000Z'],
    destinations30d: 2,
    deposits: [{ at: '2026-11-21T14:00:00.000Z', amountMinor: 5100n }],
    payers30d: 2,
    playersOfPayers: 3,
    vipTier: 'gold',
    automatic: { hourMinor: 100n, dayMinor: 200n },
    netGamingResult: 'other',
  }),
});

const BLOCKS = {
  AMOUNT_BELOW_MINIMUM: { amountMinor: 5000n, limitMinor: 2n },
  AMOUNT_ABOVE_MAXIMUM: { amountMinor: 5000n, limitMinor: 80000n },
  DOCUMENT_INVALID: { documentUsable: true },
  PLAYER_DOCUMENT_CHANGED: { document: 'same' },
  DOCUMENT_MISMATCH: { keyHolder: 'player', keyOwner: 'not_asked' },
  PLAYER_BLOCKED: { playerBlocked: false, documentBlocked: false },
  DESTINATION_BLOCKED: { destinationBlocked: false },
  VELOCITY_HARD_LIMIT: { count: 2, limit: 7, windowMinutes: 60 },
  WINDOW_HARD_LIMIT: { day: '5700 in 2', '7d': '6100 in 3', '30d': '6300 in 4' },
  INSUFFICIENT_OPERATION_BALANCE: { amountMinor: 5000n, availableMinor: 1000000n },
};
const REVIEWS = {
  AUTO_MULTIPLIER_EXCEEDED: {
    totalMinor: 6000n,
    limitMinor: 10000n,
    settledDepositsMinor: 10000n,
    autoMultiplier: '1',
  },
  NO_SETTLED_DEPOSIT: { settledDepositCount: 1 },
  AUTO_DISABLED: { autoMultiplier: '1' },
  OPERATION_AUTO_SUSPENDED: { autoSuspended: false },
  AUTO_MAX_PER_WITHDRAWAL_EXCEEDED: { amountMinor: 5000n, limitMinor: 70000n },
  FIRST_WITHDRAWAL: { paidWithdrawalCount: 1 },
  OPERATOR_REVIEW_REQUESTED: { reviewRequested: false },
  OWNERSHIP_UNVERIFIED: { hasPlayerIp: true, keyWellFormed: true, keyOwner: 'not_asked' },
  DICT_UNAVAILABLE: { keyOwner: 'not_asked' },
  WINDOW_DAY_AMOUNT_EXCEEDED: { totalMinor: 5700n, limitMinor: 60000n, today: '2026-11-21' },
  WINDOW_DAY_COUNT_EXCEEDED: { count: 2, limit: 8, today: '2026-11-21' },
  WINDOW_7D_AMOUNT_EXCEEDED: { amountMinor: 6100n, limitMinor: 20000n },
  WINDOW_7D_COUNT_EXCEEDED: { count: 3, limit: 9 },
  WINDOW_30D_AMOUNT_EXCEEDED: { amountMinor: 6300n, limitMinor: 20000n },
  WINDOW_30D_COUNT_EXCEEDED: { count: 4, limit: 9 },
  VELOCITY_WITHDRAWALS: { count: 2, limit: 6, windowMinutes: 60 },
  PIX_KEY_CHANGED: { hadOtherKeyBefore: false, keyFirstUsedAt: '2026-10-01T12:00:00.000Z', cooldownHours: 24 },
  NEW_CONTEXT: { ipSeenBefore: true, deviceSeenBefore: true },
  DESTINATION_CHURN: { destinations30d: 2, limit: 5 },
  SHARED_DESTINATION: { keyUsedByOthers: false },
  SHARED_DOCUMENT: { documentShared: false },
  IP_LISTED: { ipListed: false },
  DEVICE_LISTED: { deviceListed: false },
  PLAYER_LISTED: { playerOnReviewList: false },
  DESTINATION_LISTED: { destinationOnReviewList: false },
  VIP_LIMIT_EXCEEDED: {
    vipTier: 'gold',
    amountMinor: 5000n,
    maxPerWithdrawalMinor: 35000n,
    dayMinor: 5700n,
    maxPerDayMinor: 36000n,
  },
  OPERATION_AUTO_CAP_EXCEEDED: { hourMinor: 5100n, perHourMinor: 40000n, dayMinor: 5200n, perDayMinor: 45000n },
  OUTSIDE_AUTO_HOURS: { at: AT, timezone: 'America/Sao_Paulo', from: '08:00', to: '20:00' },
  DUAL_APPROVAL_REQUIRED: { amountMinor: 5000n, limitMinor: 50000n, reason: null },
  AML_STRUCTURING: { count: 2, minCount: 4, thresholdMinor: 5100n, marginPercent: 10 },
  AML_RAPID_TURNAROUND: { count: 1, minCount: 3, withinMinutes: 120, similarityPercent: 10 },
  AML_NO_PLAY_REPORTED: { netGamingResult: 'other', settledDepositCount: 1 },
  AML_SHARED_PAYER: { playersOfPayers: 3, limit: 4 },
  AML_MANY_PAYERS: { payers30d: 2, limit: 3 },
};
const DEPOSIT = {
  AMOUNT_BELOW_MINIMUM: { amountMinor: 5000n, limitMinor: 1n },
  AMOUNT_ABOVE_MAXIMUM: { amountMinor: 5000n, limitMinor: 90000n },
  PLAYER_DOCUMENT_CHANGED: { document: 'same' },
  PLAYER_BLOCKED: { playerBlocked: false, documentBlocked: false },
  DEPOSIT_WINDOW_EXCEEDED: { day: '5400 in 2', '7d': '5500 in 3', '30d': '5600 in 4' },
  DEPOSIT_VELOCITY_UNPAID: { count: 2, limit: 3, windowMinutes: 30 },
};
const PAYMENT = {
  PAYER_MISMATCH: { payer: 'match' },
  PAYER_UNKNOWN: { payer: 'match' },
  PAYER_BLOCKED: { payerBlocked: false, playerBlocked: false },
  AMOUNT_MISMATCH: { chargedAmountMinor: 5000n, paidAmountMinor: 5000n },
  PAID_AFTER_EXPIRY: { confirmedAt: AT, paidAt: AT, expiresAt: '2026-11-21T15:30:00.000Z' },
};
const DISPATCH = {
  BLOCKLIST_HIT_AT_DISPATCH: { playerBlocked: false, documentBlocked: false, destinationBlocked: false },
  OPERATION_SUSPENDED: { operationSuspended: false },
  OPERATION_AUTO_SUSPENDED: { automaticStopped: false },
  PROVIDER_PAUSED: { providerPaused: false },
  OUTSIDE_AUTO_HOURS: { at: AT, timezone: 'America/Sao_Paulo', from: '08:00', to: '20:00' },
  INSUFFICIENT_OPERATION_BALANCE: { availableMinor: 0n },
};

describe('what the rules compared', () => {
  const deposit = depositFacts({
    history: {
      recent: [{ at: '2026-11-21T12:00:00.000Z', amountMinor: 400n }],
      windows: { d7: { amountMinor: 500n, count: 2 }, d30: { amountMinor: 600n, count: 3 } },
      unpaidAt: ['2026-11-21T14:45:00.000Z', '2026-11-21T14:30:00.000Z'],
    },
  });
  const payment = paymentFacts();
  const dispatch = dispatchFacts();
  const passed = (compared: Readonly<Record<string, object>>) =>
    Object.entries(compared).map(([code, own]) => ({ code, result: 'pass', compared: own }));
  const AUTOMATIC = { kind: 'automatic', reasons: [], keyCheckNeeded: false };

  for (const [title, evaluate, outcome, compared] of [
    ['a deposit', () => evaluateDeposit(deposit, ALL_ON), { kind: 'accept' }, DEPOSIT],
    ['a payment', () => evaluatePayment(payment, ALL_ON), { kind: 'credit' }, PAYMENT],
    [
      'a withdrawal at its creation',
      () => evaluateWithdrawal('creation', WITHDRAWAL, ALL_ON),
      AUTOMATIC,
      { ...BLOCKS, ...REVIEWS },
    ],
    [
      'a withdrawal after the directory',
      () => evaluateWithdrawal('dict', WITHDRAWAL, ALL_ON),
      AUTOMATIC,
      {
        DOCUMENT_MISMATCH: BLOCKS.DOCUMENT_MISMATCH,
        PLAYER_BLOCKED: BLOCKS.PLAYER_BLOCKED,
        DESTINATION_BLOCKED: BLOCKS.DESTINATION_BLOCKED,
        ...REVIEWS,
      },
    ],
    ['a dispatch', () => evaluateDispatch(dispatch, ALL_ON), { kind: 'send' }, DISPATCH],
  ] as const) {
    it(`${title}: every rule in its order`, () => {
      // Here, not in the table: a mutant is active only while a test runs.
      const evaluated = evaluate();
      assert.deepEqual(evaluated.outcome, outcome);
      assert.deepEqual(evaluated.reports, passed(compared));
    });
  }

  it('stored facts are decided again by the table that was asked', () => {
    for (const [objectId, stage, facts, evaluated] of [
      ['dep_1', 'creation', deposit, evaluateDeposit(deposit, ALL_ON)],
      ['dep_1', 'payment', payment, evaluatePayment(payment, ALL_ON)],
      ['wdr_1', 'creation', WITHDRAWAL, evaluateWithdrawal('creation', WITHDRAWAL, ALL_ON)],
      ['wdr_1', 'dict', WITHDRAWAL, evaluateWithdrawal('dict', WITHDRAWAL, ALL_ON)],
      ['wdr_1', 'dispatch', dispatch, evaluateDispatch(dispatch, ALL_ON)],
    ] as const)
      assert.deepEqual(reevaluate({ objectId, stage, facts }, ALL_ON), evaluated, `${objectId} ${stage}`);
  });

  it('rules that nothing switches on say so', () => {
    const off = (reports: readonly RuleReport[]) =>
      reports.filter(({ result }) => result === 'off').map(({ code, compared }) => [code, compared]);
    const none = thresholds({ firstWithdrawalManual: false, requirePayerMatchesPlayer: false });
    const codes = (...names: string[]) => names.map((code) => [code, {}]);
    assert.deepEqual(
      off(evaluateDeposit(depositFacts(), none).reports),
      codes('AMOUNT_BELOW_MINIMUM', 'AMOUNT_ABOVE_MAXIMUM', 'DEPOSIT_WINDOW_EXCEEDED', 'DEPOSIT_VELOCITY_UNPAID'),
    );
    assert.deepEqual(off(evaluatePayment(paymentFacts(), none).reports), codes('PAYER_MISMATCH', 'PAYER_UNKNOWN'));
    assert.deepEqual(off(evaluateDispatch(dispatchFacts(), none).reports), codes('OUTSIDE_AUTO_HOURS'));
    assert.deepEqual(
      off(evaluateWithdrawal('creation', WITHDRAWAL, none).reports),
      codes(
        'AMOUNT_BELOW_MINIMUM',
        'AMOUNT_ABOVE_MAXIMUM',
        'VELOCITY_HARD_LIMIT',
        'WINDOW_HARD_LIMIT',
        'AUTO_MAX_PER_WITHDRAWAL_EXCEEDED',
        'FIRST_WITHDRAWAL',
        'WINDOW_DAY_AMOUNT_EXCEEDED',
        'WINDOW_DAY_COUNT_EXCEEDED',
        'WINDOW_7D_AMOUNT_EXCEEDED',
        'WINDOW_7D_COUNT_EXCEEDED',
        'WINDOW_30D_AMOUNT_EXCEEDED',
        'WINDOW_30D_COUNT_EXCEEDED',
        'VELOCITY_WITHDRAWALS',
        'DESTINATION_CHURN',
        'VIP_LIMIT_EXCEEDED',
        'OPERATION_AUTO_CAP_EXCEEDED',
        'OUTSIDE_AUTO_HOURS',
        'DUAL_APPROVAL_REQUIRED',
        'AML_STRUCTURING',
        'AML_RAPID_TURNAROUND',
        'AML_SHARED_PAYER',
        'AML_MANY_PAYERS',
      ),
    );
  });

  it('a deposit’s history is looked at where a limit needs it, not for review thresholds alone', () => {
    const window = (one: 'day' | 'd7' | 'd30', limits: object) => ({
      depositWindows: { ...NO_WINDOWS, [one]: { ...NO_LIMITS, ...limits } },
    });
    for (const [limits, looksAtHistory] of [
      [{}, false],
      [{ depositUnpaid: { windowMinutes: 30, maxCount: 3 } }, true],
      [window('day', { maxMinor: 1n }), true],
      [window('d7', { maxCount: 1 }), true],
      [window('d30', { maxMinor: 1n }), true],
      [window('d7', { reviewMinor: 1n }), false],
    ] as const)
      assert.equal(limitsHistory(thresholds(engine(limits))), looksAtHistory, Object.keys(limits).join());
  });
});

/** The withdrawal is of 5000, at 15:00. */
describe('bounds of what rules compare', () => {
  const found = (
    code: string,
    facts: Parameters<typeof withdrawalFacts>[0],
    limits: Parameters<typeof thresholds>[0],
  ) =>
    reevaluate(
      { objectId: 'wdr_1', stage: 'creation', facts: withdrawalFacts(facts) },
      thresholds(limits),
    ).reports.find((report) => report.code === code);
  const hitOf = (...of: Parameters<typeof found>) => [found(...of)?.result, found(...of)?.compared];

  it('a window above its hard limit is named, with its sum or its count', () => {
    const hard = (limits: object) => engine({ windows: { ...NO_WINDOWS, d7: { ...NO_LIMITS, ...limits } } });
    const facts = {
      risk: risk({ windows: { d7: { amountMinor: 3000n, count: 2 }, d30: { amountMinor: 0n, count: 0 } } }),
    };
    assert.deepEqual(hitOf('WINDOW_HARD_LIMIT', facts, hard({ maxMinor: 7999n })), [
      'hit',
      { window: '7d', totalMinor: 8000n, limitMinor: 7999n },
    ]);
    assert.deepEqual(hitOf('WINDOW_HARD_LIMIT', facts, hard({ maxCount: 2 })), [
      'hit',
      { window: '7d', count: 3, limit: 2 },
    ]);
  });

  it('a player without a tier has no limits, whatever a tier is called', () => {
    const vipTiers = { null: { maxPerWithdrawalMinor: 1n, maxPerDayMinor: null } };
    assert.deepEqual(hitOf('VIP_LIMIT_EXCEEDED', { risk: risk({ vipTier: null }) }, engine({ vipTiers })), ['off', {}]);
  });

  describe('rapid turnaround', () => {
    const TURNAROUND = { withinMinutes: 60, similarityPercent: 5, minCount: 1, windowDays: 10 };
    const turnaround = (facts: Parameters<typeof risk>[0], minCount = 1) => {
      const report = found(
        'AML_RAPID_TURNAROUND',
        { risk: risk(facts) },
        engine({ rapidTurnaround: { ...TURNAROUND, minCount } }),
      );
      return [report?.result, report?.compared['count']];
    };
    const deposit = (at: string, amountMinor: bigint) => ({ deposits: [{ at, amountMinor }] });

    for (const [title, facts, expected] of [
      ['a deposit of the same moment', deposit(AT, 5000n), ['hit', 1]],
      ['a deposit a moment later', deposit('2026-11-21T15:00:00.001Z', 5000n), ['pass', 0]],
      ['exactly 60 minutes before', deposit('2026-11-21T14:00:00.000Z', 5000n), ['hit', 1]],
      ['a millisecond more', deposit('2026-11-21T13:59:59.999Z', 5000n), ['pass', 0]],
      // |deposit − 5000| is at most a twentieth of the deposit: from 4761.9 to 5263.2.
      ['hardly five per cent more was deposited', deposit(AT, 5263n), ['hit', 1]],
      ['more than five per cent more', deposit(AT, 5264n), ['pass', 0]],
      ['hardly five per cent less', deposit(AT, 4762n), ['hit', 1]],
      ['more than five per cent less', deposit(AT, 4761n), ['pass', 0]],
    ] as const) {
      it(`${title} → ${expected.join(' ')}`, () => assert.deepEqual(turnaround(facts), expected));
    }

    it('earlier ones count within their days only', () => {
      const days = (day: string) => ({
        deposits: [
          { at: AT, amountMinor: 5000n },
          { at: `2026-11-${day}T12:00:00.000Z`, amountMinor: 700n },
        ],
        withdrawals: [{ at: `2026-11-${day}T12:30:00.000Z`, amountMinor: 700n }],
      });
      assert.deepEqual(turnaround(days('12'), 2), ['hit', 2]);
      assert.deepEqual(turnaround(days('11'), 2), ['pass', 1]);
    });
  });

  it('two people are asked for by the amount, too, when reasons ask for them', () => {
    const limits = {
      dualApprovalAboveMinor: 4999n,
      autoMaxPerWithdrawalMinor: 1n,
      ...engine({ dualApprovalReasons: ['SHARED_DESTINATION'] }),
    };
    assert.deepEqual(hitOf('DUAL_APPROVAL_REQUIRED', {}, limits), [
      'hit',
      { amountMinor: 5000n, limitMinor: 4999n, reason: null },
    ]);
  });

  it('whether a key was paid before is said of a weak match only', () => {
    const compared = (facts: Parameters<typeof withdrawalFacts>[0]) =>
      found('OWNERSHIP_UNVERIFIED', facts, {})?.compared;
    const clear = { hasPlayerIp: true, keyWellFormed: true };
    assert.deepEqual(compared({ keyOwner: 'match' }), { ...clear, keyOwner: 'match' });
    assert.deepEqual(compared({ keyOwner: 'weak_match', keyPaidBefore: true }), {
      ...clear,
      keyOwner: 'weak_match',
      keyPaidBefore: true,
    });
  });
});
