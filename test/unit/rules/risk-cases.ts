// The rules over history, each at its threshold and one above.
import type { EngineThresholds, Thresholds, WindowLimits } from '../../../domain/rules/thresholds.js';
import { ENGINE_DEFAULTS } from '../../../domain/rules/thresholds.js';
import type { RiskFacts } from '../../../domain/rules/risk-rules.js';
import type { WithdrawalFacts } from '../../../domain/rules/withdrawal-rules.js';
import { AT, engine, risk } from './facts.js';

type Result = 'pass' | 'hit' | 'off';
type Case = readonly [
  title: string,
  code: string,
  expected: Result,
  facts: Partial<WithdrawalFacts>,
  limits: Partial<Thresholds>,
];

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const before = (ms: number) => new Date(Date.parse(AT) - ms).toISOString();
const minutesBefore = (minutes: number) => before(minutes * MINUTE_MS);

const NO_LIMITS: WindowLimits = { reviewMinor: null, reviewCount: null, maxMinor: null, maxCount: null };
const withRisk = (changes: Partial<RiskFacts>, facts: Partial<WithdrawalFacts> = {}): Partial<WithdrawalFacts> => ({
  ...facts,
  risk: risk(changes),
});
const windows = (window: 'day' | 'd7' | 'd30', limits: Partial<WindowLimits>): Pick<Thresholds, 'engine'> =>
  engine({ windows: { ...ENGINE_DEFAULTS.windows, [window]: { ...NO_LIMITS, ...limits } } });
const sums = (window: 'd7' | 'd30', amountMinor: bigint, count: number) => {
  const none = { amountMinor: 0n, count: 0 };
  return withRisk({ windows: { d7: none, d30: none, [window]: { amountMinor, count } } });
};
/** The withdrawal is of 5000: with 3000 before it the total is 8000. */
const around = (
  code: string,
  at: Partial<WithdrawalFacts>,
  above: Partial<WithdrawalFacts>,
  limits: Partial<Thresholds>,
): Case[] => [
  ['exactly', code, 'pass', at, limits],
  ['one above', code, 'hit', above, limits],
  ['no threshold', code, 'off', above, {}],
];

const windowCases = (['d7', 'd30'] as const).flatMap((window): Case[] => {
  const name = window === 'd7' ? '7D' : '30D';
  return [
    ...around(
      `WINDOW_${name}_AMOUNT_EXCEEDED`,
      sums(window, 3000n, 1),
      sums(window, 3001n, 1),
      windows(window, { reviewMinor: 8000n }),
    ),
    ...around(
      `WINDOW_${name}_COUNT_EXCEEDED`,
      sums(window, 0n, 2),
      sums(window, 0n, 3),
      windows(window, { reviewCount: 3 }),
    ),
    ['hard amount exactly', 'WINDOW_HARD_LIMIT', 'pass', sums(window, 3000n, 1), windows(window, { maxMinor: 8000n })],
    ['hard amount one above', 'WINDOW_HARD_LIMIT', 'hit', sums(window, 3001n, 1), windows(window, { maxMinor: 8000n })],
    ['hard count exactly', 'WINDOW_HARD_LIMIT', 'pass', sums(window, 0n, 2), windows(window, { maxCount: 3 })],
    ['hard count one above', 'WINDOW_HARD_LIMIT', 'hit', sums(window, 0n, 3), windows(window, { maxCount: 3 })],
    [
      'review threshold only',
      'WINDOW_HARD_LIMIT',
      'off',
      sums(window, 9000n, 9),
      windows(window, { reviewMinor: 8000n, reviewCount: 3 }),
    ],
  ];
});

const today = (amountMinor: bigint): Partial<WithdrawalFacts> => ({
  recentWithdrawals: [
    { at: AT, amountMinor },
    { at: '2026-11-21T02:59:59.999Z', amountMinor: 90000n },
  ],
});
const dayCases: Case[] = [
  ['hard day amount exactly', 'WINDOW_HARD_LIMIT', 'pass', today(3000n), windows('day', { maxMinor: 8000n })],
  ['hard day amount one above', 'WINDOW_HARD_LIMIT', 'hit', today(3001n), windows('day', { maxMinor: 8000n })],
  ['hard day count exactly', 'WINDOW_HARD_LIMIT', 'pass', today(1n), windows('day', { maxCount: 2 })],
  ['hard day count one above', 'WINDOW_HARD_LIMIT', 'hit', today(1n), windows('day', { maxCount: 1 })],
];

const requests = (count: number, minutes = 1) =>
  withRisk({ requestedAt: Array.from({ length: count }, () => minutesBefore(minutes)) });
const velocity = (reviewAbove: number | null, refuseAbove: number | null) =>
  engine({ velocity: { windowMinutes: 10, reviewAbove, refuseAbove } });
const velocityCases: Case[] = [
  ...around('VELOCITY_WITHDRAWALS', requests(2), requests(3), velocity(3, null)),
  ...around('VELOCITY_HARD_LIMIT', requests(2), requests(3), velocity(null, 3)),
  [
    'a millisecond inside the window',
    'VELOCITY_WITHDRAWALS',
    'hit',
    withRisk({ requestedAt: [before(10 * MINUTE_MS - 1)] }),
    velocity(1, null),
  ],
  [
    'at the edge of the window',
    'VELOCITY_WITHDRAWALS',
    'pass',
    withRisk({ requestedAt: [minutesBefore(10)] }),
    velocity(1, null),
  ],
  ['a review threshold only', 'VELOCITY_HARD_LIMIT', 'off', requests(9), velocity(1, null)],
];

const destinations = (destinations30d: number) => withRisk({ destinations30d });
const vip = (maxPerWithdrawalMinor: bigint | null, maxPerDayMinor: bigint | null) =>
  engine({ vipTiers: { gold: { maxPerWithdrawalMinor, maxPerDayMinor } } });
const gold = (facts: Partial<WithdrawalFacts> = {}) => withRisk({ vipTier: 'gold' }, facts);
const cap = (perHourMinor: bigint | null, perDayMinor: bigint | null) =>
  engine({ operationAutoCap: { perHourMinor, perDayMinor } });
const used = (hourMinor: bigint, dayMinor: bigint) => withRisk({ automatic: { hourMinor, dayMinor } });
const playerCases: Case[] = [
  ...around('DESTINATION_CHURN', destinations(3), destinations(4), engine({ maxDestinations30d: 3 })),
  ['a VIP exactly at it', 'VIP_LIMIT_EXCEEDED', 'pass', gold(), vip(5000n, null)],
  ['a VIP one above it', 'VIP_LIMIT_EXCEEDED', 'hit', gold(), vip(4999n, null)],
  ['a VIP exactly at the own day limit', 'VIP_LIMIT_EXCEEDED', 'pass', gold(today(3000n)), vip(null, 8000n)],
  ['a VIP one above the own day limit', 'VIP_LIMIT_EXCEEDED', 'hit', gold(today(3001n)), vip(null, 8000n)],
  ['anybody else', 'VIP_LIMIT_EXCEEDED', 'off', {}, vip(1n, 1n)],
  [
    'a VIP of a tier that has no limits any more',
    'VIP_LIMIT_EXCEEDED',
    'off',
    withRisk({ vipTier: 'old' }),
    vip(1n, 1n),
  ],
];

const HOURS = { autoHours: { from: '08:00', to: '12:00' } };
const operationCases: Case[] = [
  ['automatic not suspended', 'OPERATION_AUTO_SUSPENDED', 'pass', {}, engine({ autoSuspended: false })],
  ['automatic suspended', 'OPERATION_AUTO_SUSPENDED', 'hit', {}, engine({ autoSuspended: true })],
  ['the hour exactly', 'OPERATION_AUTO_CAP_EXCEEDED', 'pass', used(3000n, 90000n), cap(8000n, null)],
  ['the hour one above', 'OPERATION_AUTO_CAP_EXCEEDED', 'hit', used(3001n, 0n), cap(8000n, null)],
  ['the day exactly', 'OPERATION_AUTO_CAP_EXCEEDED', 'pass', used(0n, 3000n), cap(null, 8000n)],
  ['the day one above', 'OPERATION_AUTO_CAP_EXCEEDED', 'hit', used(0n, 3001n), cap(null, 8000n)],
  ['no cap', 'OPERATION_AUTO_CAP_EXCEEDED', 'off', used(9999999n, 9999999n), {}],
  // 15:00 UTC is 12:00 in São Paulo: `to` itself is outside.
  [
    'a millisecond before the hours end',
    'OUTSIDE_AUTO_HOURS',
    'pass',
    { at: before(1) },
    { ...HOURS, ...engine({ autoHoursPolicy: 'review' }) },
  ],
  ['when the hours end', 'OUTSIDE_AUTO_HOURS', 'hit', {}, { ...HOURS, ...engine({ autoHoursPolicy: 'review' }) }],
  [
    'outside under the policy wait',
    'OUTSIDE_AUTO_HOURS',
    'off',
    {},
    { ...HOURS, ...engine({ autoHoursPolicy: 'wait' }) },
  ],
  ['outside without a policy', 'OUTSIDE_AUTO_HOURS', 'off', {}, HOURS],
  [
    'a reason that needs two people',
    'DUAL_APPROVAL_REQUIRED',
    'hit',
    { documentShared: true },
    engine({ dualApprovalReasons: ['SHARED_DOCUMENT'] }),
  ],
  [
    'an AML reason that needs two people',
    'DUAL_APPROVAL_REQUIRED',
    'hit',
    withRisk({ netGamingResult: 'zero' }),
    engine({ dualApprovalReasons: ['AML_NO_PLAY_REPORTED'] }),
  ],
  [
    'another reason',
    'DUAL_APPROVAL_REQUIRED',
    'pass',
    { reviewRequested: true },
    engine({ dualApprovalReasons: ['SHARED_DOCUMENT'] }),
  ],
  ['no reason at all', 'DUAL_APPROVAL_REQUIRED', 'pass', {}, engine({ dualApprovalReasons: ['SHARED_DOCUMENT'] })],
];

// 10 % under 5500 is 4950.
const reporting = (changes: Partial<NonNullable<EngineThresholds['structuring']>> = {}) =>
  engine({ structuring: { thresholdMinor: 5500n, marginPercent: 10, minCount: 3, windowDays: 7, ...changes } });
const earlier = (...amounts: bigint[]) => ({
  withdrawals: amounts.map((amountMinor) => ({ at: minutesBefore(60), amountMinor })),
});
const turnaround = (changes: Partial<NonNullable<EngineThresholds['rapidTurnaround']>> = {}) =>
  engine({ rapidTurnaround: { withinMinutes: 30, similarityPercent: 10, minCount: 2, windowDays: 30, ...changes } });
const soonAfter = (amountMinor: bigint, ms: number, times = 1): Partial<RiskFacts> => ({
  deposits: [
    { at: before(ms), amountMinor },
    ...Array.from({ length: times }, () => ({ at: before(2 * DAY_MS + 20 * MINUTE_MS), amountMinor: 7000n })),
  ],
  withdrawals: Array.from({ length: times }, () => ({ at: before(2 * DAY_MS), amountMinor: 7000n })),
});
const amlCases: Case[] = [
  ['the second just under', 'AML_STRUCTURING', 'pass', withRisk(earlier(5000n)), reporting()],
  ['the third just under', 'AML_STRUCTURING', 'hit', withRisk(earlier(5000n, 5499n)), reporting()],
  ['earlier ones at the threshold itself', 'AML_STRUCTURING', 'pass', withRisk(earlier(5000n, 5500n)), reporting()],
  ['earlier ones at the lower edge', 'AML_STRUCTURING', 'hit', withRisk(earlier(5000n, 4950n)), reporting()],
  ['earlier ones below the edge', 'AML_STRUCTURING', 'pass', withRisk(earlier(5000n, 4949n)), reporting()],
  [
    'this one is not just under',
    'AML_STRUCTURING',
    'pass',
    withRisk(earlier(5000n, 5000n, 5000n), { amountMinor: 4949n }),
    reporting(),
  ],
  [
    'outside the days',
    'AML_STRUCTURING',
    'pass',
    withRisk({
      withdrawals: [
        { at: before(7 * DAY_MS), amountMinor: 5000n },
        { at: AT, amountMinor: 5000n },
      ],
    }),
    reporting(),
  ],
  [
    'just inside the days',
    'AML_STRUCTURING',
    'hit',
    withRisk({
      withdrawals: [
        { at: before(7 * DAY_MS - 1), amountMinor: 5000n },
        { at: AT, amountMinor: 5000n },
      ],
    }),
    reporting(),
  ],
  ['no reporting threshold', 'AML_STRUCTURING', 'off', withRisk(earlier(5000n, 5000n)), {}],
  ['once', 'AML_RAPID_TURNAROUND', 'pass', withRisk(soonAfter(5000n, MINUTE_MS, 0)), turnaround()],
  ['twice', 'AML_RAPID_TURNAROUND', 'hit', withRisk(soonAfter(5000n, MINUTE_MS, 1)), turnaround()],
  ['not asked for', 'AML_RAPID_TURNAROUND', 'off', withRisk(soonAfter(5000n, MINUTE_MS, 5)), {}],
  ['no result reported', 'AML_NO_PLAY_REPORTED', 'pass', {}, {}],
  ['another result', 'AML_NO_PLAY_REPORTED', 'pass', withRisk({ netGamingResult: 'other' }), {}],
  ['the result 0 with a deposit', 'AML_NO_PLAY_REPORTED', 'hit', withRisk({ netGamingResult: 'zero' }), {}],
  [
    'the result 0 without a deposit',
    'AML_NO_PLAY_REPORTED',
    'pass',
    withRisk({ netGamingResult: 'zero' }, { settledDepositCount: 0 }),
    {},
  ],
  ['turned off', 'AML_NO_PLAY_REPORTED', 'off', withRisk({ netGamingResult: 'zero' }), engine({ noPlayReview: false })],
  [
    'payers of one player less',
    'AML_SHARED_PAYER',
    'pass',
    withRisk({ playersOfPayers: 2 }),
    engine({ sharedPayerPlayers: 3 }),
  ],
  [
    'payers of so many players',
    'AML_SHARED_PAYER',
    'hit',
    withRisk({ playersOfPayers: 3 }),
    engine({ sharedPayerPlayers: 3 }),
  ],
  ['not asked for', 'AML_SHARED_PAYER', 'off', withRisk({ playersOfPayers: 9 }), {}],
  ...around('AML_MANY_PAYERS', withRisk({ payers30d: 2 }), withRisk({ payers30d: 3 }), engine({ maxPayers30d: 2 })),
];

export const RISK_CASES: readonly Case[] = [
  ...windowCases,
  ...dayCases,
  ...velocityCases,
  ...playerCases,
  ...operationCases,
  ...amlCases,
];
