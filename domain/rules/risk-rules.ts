// The rules over the history of the player and the operation: windows, velocity, churn, VIP limits, automatic caps and
// the AML group. Their thresholds are in thresholds.ts.
import { engineOf, type Thresholds, type WindowLimits } from './thresholds.js';
import { isWithinHours, localDate } from './local-time.js';
import { aboveLimit, finding, type RuleFinding, RULE_OFF } from './rule.js';
import { DAY_MS } from '../instant.js';

/** An amount and when it moved. */
export interface Movement {
  readonly at: string;
  readonly amountMinor: bigint;
}

export interface WindowSum {
  readonly amountMinor: bigint;
  readonly count: number;
}

/**
 * The facts of the history rules. "Counted" withdrawals are those not rejected, failed, cancelled or returned, without
 * this one. Lists hold the newest 200.
 */
export interface RiskFacts {
  readonly windows: { readonly d7: WindowSum; readonly d30: WindowSum };
  /** Counted withdrawals of the last 30 days, newest first. */
  readonly withdrawals: readonly Movement[];
  /** Times of withdrawal requests in the last 24 hours, whatever their outcome. RFC 3339. */
  readonly requestedAt: readonly string[];
  /** Number of different keys in the withdrawals of the last 30 days, whatever their outcome, this one included. */
  readonly destinations30d: number;
  /** Settled deposits of the last 30 days, by payment time, newest first. */
  readonly deposits: readonly Movement[];
  /** Number of different payers of the settled deposits of the last 30 days. */
  readonly payers30d: number;
  /** Number of players whose settled deposits share a payer with this player's, this player included. */
  readonly playersOfPayers: number;
  readonly vipTier: string | null;
  /** Automatic payouts of the operation in this clock hour and local day. */
  readonly automatic: { readonly hourMinor: bigint; readonly dayMinor: bigint };
  readonly netGamingResult: 'zero' | 'other' | 'unreported';
}

/** The part of a withdrawal's facts that the history rules use. */
export interface RiskSubject {
  readonly at: string;
  readonly createdAt: string;
  readonly amountMinor: bigint;
  readonly settledDepositCount: number;
  /** Counted withdrawals of the 26 hours before `createdAt`, which cover any local day. */
  readonly recentWithdrawals: readonly Movement[];
  readonly risk: RiskFacts;
}

type Evaluate = (subject: RiskSubject, thresholds: Thresholds) => RuleFinding;

const MINUTE_MS = 60_000;

/**
 * Sum and count of the local day of the request, this withdrawal included. It is the day that later withdrawals find it
 * on, however long its own decision took.
 */
export function dayTotal(
  {
    createdAt: at,
    amountMinor,
    recentWithdrawals,
  }: Pick<RiskSubject, 'createdAt' | 'amountMinor' | 'recentWithdrawals'>,
  { timezone }: Thresholds,
): WindowSum & { today: string } {
  return totalOfDay({ at, amountMinor }, recentWithdrawals, timezone);
}

/** Sum and count of `own` and the earlier movements on the local day of `own.at`. */
export function totalOfDay(
  own: Movement,
  earlier: readonly Movement[],
  timezone: string,
): WindowSum & { today: string } {
  const today = localDate(new Date(own.at), timezone);
  const sameDay = earlier.filter(({ at }) => localDate(new Date(at), timezone) === today);
  const total = sameDay.reduce((sum, { amountMinor }) => sum + amountMinor, own.amountMinor);
  return { today, amountMinor: total, count: sameDay.length + 1 };
}

/** Sum and count of this withdrawal and the earlier ones of a rolling window. */
export function windowTotal(amountMinor: bigint, window: WindowSum): WindowSum {
  return { amountMinor: amountMinor + window.amountMinor, count: window.count + 1 };
}

/** A rolling window's sum above its review threshold. */
export const windowAmountExceeded =
  (window: 'd7' | 'd30'): Evaluate =>
  (subject, thresholds) => {
    const limitMinor = engineOf(thresholds).windows[window].reviewMinor;
    if (limitMinor === null) return RULE_OFF;
    return aboveLimit(windowTotal(subject.amountMinor, subject.risk.windows[window]).amountMinor, limitMinor);
  };

/** A rolling window's count above its review threshold. */
export const windowCountExceeded =
  (window: 'd7' | 'd30'): Evaluate =>
  (subject, thresholds) => {
    const limit = engineOf(thresholds).windows[window].reviewCount;
    if (limit === null) return RULE_OFF;
    const { count } = windowTotal(subject.amountMinor, subject.risk.windows[window]);
    return finding(count > limit, { count, limit });
  };

/** Any window above its hard threshold. `compared` names the first. */
export const windowHardLimit: Evaluate = (subject, thresholds) => {
  const { day, d7, d30 } = engineOf(thresholds).windows;
  if ([day, d7, d30].every(({ maxMinor, maxCount }) => maxMinor === null && maxCount === null)) return RULE_OFF;
  const { windows } = subject.risk;
  return firstExceeded([
    ['day', dayTotal(subject, thresholds), day],
    ['7d', windowTotal(subject.amountMinor, windows.d7), d7],
    ['30d', windowTotal(subject.amountMinor, windows.d30), d30],
  ]);
};

/** A hit for the first window whose sum or count is above its hard limit; otherwise a pass with all totals. */
export function firstExceeded(
  windows: readonly (readonly [name: string, total: WindowSum, limits: WindowLimits])[],
): RuleFinding {
  for (const [window, { amountMinor, count }, { maxMinor, maxCount }] of windows) {
    if (maxMinor !== null && amountMinor > maxMinor)
      return finding(true, { window, totalMinor: amountMinor, limitMinor: maxMinor });
    if (maxCount !== null && count > maxCount) return finding(true, { window, count, limit: maxCount });
  }
  return finding(
    false,
    Object.fromEntries(windows.map(([name, { amountMinor, count }]) => [name, `${amountMinor} in ${count}`])),
  );
}

/** Counts the requests of the last minutes, this one included, whatever their outcome. */
const velocityAbove =
  (limitOf: 'reviewAbove' | 'refuseAbove'): Evaluate =>
  (subject, thresholds) => {
    const { velocity } = engineOf(thresholds);
    const limit = velocity?.[limitOf] ?? null;
    if (velocity === null || limit === null) return RULE_OFF;
    const since = Date.parse(subject.at) - velocity.windowMinutes * MINUTE_MS;
    const count = subject.risk.requestedAt.filter((at) => Date.parse(at) > since).length + 1;
    return finding(count > limit, { count, limit, windowMinutes: velocity.windowMinutes });
  };
export const velocityReview = velocityAbove('reviewAbove');
export const velocityHardLimit = velocityAbove('refuseAbove');

export const destinationChurn: Evaluate = (subject, thresholds) => {
  const limit = engineOf(thresholds).maxDestinations30d;
  if (limit === null) return RULE_OFF;
  const { destinations30d } = subject.risk;
  return finding(destinations30d > limit, { destinations30d, limit });
};

/** The limits of the player's VIP tier. They apply in addition to those of `GET /rules` and never loosen them. */
export const vipLimitExceeded: Evaluate = (subject, thresholds) => {
  const { vipTiers } = engineOf(thresholds);
  const vipTier = subject.risk.vipTier;
  const limits = vipTier === null ? undefined : vipTiers[vipTier];
  if (limits === undefined) return RULE_OFF;
  const { maxPerWithdrawalMinor, maxPerDayMinor } = limits;
  const { amountMinor: dayMinor } = dayTotal(subject, thresholds);
  const isAbove =
    (maxPerWithdrawalMinor !== null && subject.amountMinor > maxPerWithdrawalMinor) ||
    (maxPerDayMinor !== null && dayMinor > maxPerDayMinor);
  return finding(isAbove, {
    vipTier,
    amountMinor: subject.amountMinor,
    maxPerWithdrawalMinor,
    dayMinor,
    maxPerDayMinor,
  });
};

/** The operation's automatic payouts, this one included, above the cap per clock hour or local day. */
export const operationCapExceeded: Evaluate = (subject, thresholds) => {
  const { perHourMinor, perDayMinor } = engineOf(thresholds).operationAutoCap;
  if (perHourMinor === null && perDayMinor === null) return RULE_OFF;
  const hourMinor = subject.risk.automatic.hourMinor + subject.amountMinor;
  const dayMinor = subject.risk.automatic.dayMinor + subject.amountMinor;
  const isAbove =
    (perHourMinor !== null && hourMinor > perHourMinor) || (perDayMinor !== null && dayMinor > perDayMinor);
  return finding(isAbove, { hourMinor, perHourMinor, dayMinor, perDayMinor });
};

export const automaticSuspended: Evaluate = (_subject, thresholds) => {
  const { autoSuspended } = engineOf(thresholds);
  return finding(autoSuspended, { autoSuspended });
};

/** Hits under the policy `review` only. Under `wait` (the default) the dispatch waits for the window. */
export const outsideHoursReview: Evaluate = ({ at }, thresholds) => {
  const { autoHours, timezone } = thresholds;
  if (autoHours === null || engineOf(thresholds).autoHoursPolicy !== 'review') return RULE_OFF;
  return finding(!isWithinHours(new Date(at), timezone, autoHours), { at, timezone, ...autoHours });
};

// The AML group

/** Several withdrawals within the margin below the reporting threshold, this one included. */
export const structuring: Evaluate = (subject, thresholds) => {
  const rule = engineOf(thresholds).structuring;
  if (rule === null) return RULE_OFF;
  const threshold = rule.thresholdMinor;
  const isJustUnder = ({ amountMinor }: { amountMinor: bigint }) =>
    amountMinor < threshold && amountMinor * 100n >= threshold * BigInt(100 - rule.marginPercent);
  const earlier = subject.risk.withdrawals.filter(isJustUnder).filter(since(subject.at, rule.windowDays)).length;
  const count = isJustUnder(subject) ? earlier + 1 : 0;
  return finding(count >= rule.minCount, {
    count,
    minCount: rule.minCount,
    thresholdMinor: rule.thresholdMinor,
    marginPercent: rule.marginPercent,
  });
};

/** Repeated withdrawals of about the amount of a recent deposit, this one included. */
export const rapidTurnaround: Evaluate = (subject, thresholds) => {
  const rule = engineOf(thresholds).rapidTurnaround;
  if (rule === null) return RULE_OFF;
  const { deposits, withdrawals } = subject.risk;
  const isTurnaround = (out: Movement) =>
    deposits.some(
      (deposit) => isSoonAfter(deposit, out, rule.withinMinutes) && isSimilar(deposit, out, rule.similarityPercent),
    );
  const count = isTurnaround(subject)
    ? withdrawals.filter(since(subject.at, rule.windowDays)).filter(isTurnaround).length + 1
    : 0;
  return finding(count >= rule.minCount, {
    count,
    minCount: rule.minCount,
    withinMinutes: rule.withinMinutes,
    similarityPercent: rule.similarityPercent,
  });
};

function since(at: string, days: number): (movement: Movement) => boolean {
  const start = Date.parse(at) - days * DAY_MS;
  return (movement) => Date.parse(movement.at) > start;
}

function isSoonAfter(deposit: Movement, out: Movement, withinMinutes: number): boolean {
  const elapsedMs = Date.parse(out.at) - Date.parse(deposit.at);
  return elapsedMs >= 0 && elapsedMs <= withinMinutes * MINUTE_MS;
}

/** Whether the amounts differ by at most `percent` of the deposit. */
function isSimilar(deposit: Movement, out: Movement, percent: number): boolean {
  const difference = deposit.amountMinor - out.amountMinor;
  return (difference < 0n ? -difference : difference) * 100n <= deposit.amountMinor * BigInt(percent);
}

/** The operator reports a net gaming result of zero although money was deposited. */
export const noPlayReported: Evaluate = (subject, thresholds) => {
  if (!engineOf(thresholds).noPlayReview) return RULE_OFF;
  const { netGamingResult } = subject.risk;
  const { settledDepositCount } = subject;
  return finding(netGamingResult === 'zero' && settledDepositCount > 0, { netGamingResult, settledDepositCount });
};

export const sharedPayer: Evaluate = (subject, thresholds) => {
  const limit = engineOf(thresholds).sharedPayerPlayers;
  if (limit === null) return RULE_OFF;
  const { playersOfPayers } = subject.risk;
  return finding(playersOfPayers >= limit, { playersOfPayers, limit });
};

export const manyPayers: Evaluate = (subject, thresholds) => {
  const limit = engineOf(thresholds).maxPayers30d;
  if (limit === null) return RULE_OFF;
  const { payers30d } = subject.risk;
  return finding(payers30d > limit, { payers30d, limit });
};
