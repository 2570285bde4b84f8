// The rules over a player's history and the operation's: windows, velocity, churn, VIP limits, automatic caps, and the AML
// group. Their thresholds are the engine's own; decisions stored before their facts were read say `facts: not_recorded`.
import { engineOf, type WindowLimits } from './engine-thresholds.js';
import { isWithinHours, localDate } from './local-time.js';
import { aboveLimit, finding, type RuleFinding, RULE_OFF } from './rule.js';
import type { Thresholds } from './thresholds.js';

/** An amount and when it moved. */
export interface Movement {
  readonly at: string;
  readonly amountMinor: string;
}

export interface WindowSum {
  readonly amountMinor: string;
  readonly count: number;
}

/**
 * What the history rules compare. "Counted" withdrawals are those not rejected, failed, cancelled or returned; this one is
 * never among them. Lists hold the newest 200.
 */
export interface RiskFacts {
  readonly windows: { readonly d7: WindowSum; readonly d30: WindowSum };
  /** Counted withdrawals of the last 30 days, newest first. */
  readonly withdrawals: readonly Movement[];
  /** When withdrawals were asked for in the last 24 hours, whatever became of them. */
  readonly requestedAt: readonly string[];
  /** Distinct keys of the last 30 days' withdrawals, whatever became of them, and of this one. */
  readonly destinations30d: number;
  /** Settled deposits of the last 30 days by their payment, newest first. */
  readonly deposits: readonly Movement[];
  /** Different payers of the settled deposits of the last 30 days. */
  readonly payers30d: number;
  /** Players whose settled deposits the payers of this player's settled deposits paid, this one included. */
  readonly playersOfPayers: number;
  readonly vipTier: string | null;
  /** What the operation paid out automatically in this clock hour and local day. */
  readonly automatic: { readonly hourMinor: string; readonly dayMinor: string };
  readonly netGamingResult: 'zero' | 'other' | 'unreported';
}

/** What the history rules look at of a withdrawal. */
export interface RiskSubject {
  readonly at: string;
  readonly amountMinor: string;
  readonly settledDepositCount: number;
  /** Counted withdrawals of the last 26 hours: enough for any local day. */
  readonly recentWithdrawals: readonly Movement[];
  readonly risk?: RiskFacts | undefined;
}

type Evaluate = (subject: RiskSubject, thresholds: Thresholds) => RuleFinding;

const NOT_RECORDED: RuleFinding = { result: 'off', compared: { facts: 'not_recorded' } };
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** Sum and count of the local day of `at`, this withdrawal included. */
export function dayTotal(
  subject: Pick<RiskSubject, 'at' | 'amountMinor' | 'recentWithdrawals'>,
  { timezone }: Thresholds,
): WindowSum & { today: string } {
  return totalOfDay(subject, subject.recentWithdrawals, timezone);
}

/** Sum and count of those movements of the local day of `own.at`, and of `own`. */
export function totalOfDay(
  own: Movement,
  earlier: readonly Movement[],
  timezone: string,
): WindowSum & { today: string } {
  const today = localDate(new Date(own.at), timezone);
  const sameDay = earlier.filter(({ at }) => localDate(new Date(at), timezone) === today);
  const total = sameDay.reduce((sum, { amountMinor }) => sum + BigInt(amountMinor), BigInt(own.amountMinor));
  return { today, amountMinor: total.toString(), count: sameDay.length + 1 };
}

/** This withdrawal's sum with the earlier ones of a rolling window. */
export function windowTotal(amountMinor: string, window: WindowSum): WindowSum {
  return { amountMinor: (BigInt(amountMinor) + BigInt(window.amountMinor)).toString(), count: window.count + 1 };
}

/** A rolling window's sum above its review threshold. */
export const windowAmountExceeded =
  (window: 'd7' | 'd30'): Evaluate =>
  (subject, thresholds) => {
    const limitMinor = engineOf(thresholds).windows[window].reviewMinor;
    if (limitMinor === null) return RULE_OFF;
    if (subject.risk === undefined) return NOT_RECORDED;
    return aboveLimit(BigInt(windowTotal(subject.amountMinor, subject.risk.windows[window]).amountMinor), limitMinor);
  };

/** A rolling window's count above its review threshold. */
export const windowCountExceeded =
  (window: 'd7' | 'd30'): Evaluate =>
  (subject, thresholds) => {
    const limit = engineOf(thresholds).windows[window].reviewCount;
    if (limit === null) return RULE_OFF;
    if (subject.risk === undefined) return NOT_RECORDED;
    const { count } = windowTotal(subject.amountMinor, subject.risk.windows[window]);
    return finding(count > limit, { count, limit });
  };

/** Any window above its hard threshold; `compared` names the first that is. */
export const windowHardLimit: Evaluate = (subject, thresholds) => {
  const { day, d7, d30 } = engineOf(thresholds).windows;
  if ([day, d7, d30].every(({ maxMinor, maxCount }) => maxMinor === null && maxCount === null)) return RULE_OFF;
  if (subject.risk === undefined) return NOT_RECORDED;
  const { windows } = subject.risk;
  return firstExceeded([
    ['day', dayTotal(subject, thresholds), day],
    ['7d', windowTotal(subject.amountMinor, windows.d7), d7],
    ['30d', windowTotal(subject.amountMinor, windows.d30), d30],
  ]);
};

/** The first window whose sum or count is above its hard limit; without one, all pass. */
export function firstExceeded(
  windows: readonly (readonly [name: string, total: WindowSum, limits: WindowLimits])[],
): RuleFinding {
  for (const [window, { amountMinor, count }, { maxMinor, maxCount }] of windows) {
    if (maxMinor !== null && BigInt(amountMinor) > BigInt(maxMinor))
      return finding(true, { window, totalMinor: amountMinor, limitMinor: maxMinor });
    if (maxCount !== null && count > maxCount) return finding(true, { window, count, limit: maxCount });
  }
  return finding(
    false,
    Object.fromEntries(windows.map(([name, { amountMinor, count }]) => [name, `${amountMinor} in ${count}`])),
  );
}

/** Requests in the last minutes, this one included, whatever became of them. */
const velocityAbove =
  (limitOf: 'reviewAbove' | 'refuseAbove'): Evaluate =>
  (subject, thresholds) => {
    const { velocity } = engineOf(thresholds);
    const limit = velocity?.[limitOf] ?? null;
    if (velocity === null || limit === null) return RULE_OFF;
    if (subject.risk === undefined) return NOT_RECORDED;
    const since = Date.parse(subject.at) - velocity.windowMinutes * MINUTE_MS;
    const count = subject.risk.requestedAt.filter((at) => Date.parse(at) > since).length + 1;
    return finding(count > limit, { count, limit, windowMinutes: velocity.windowMinutes });
  };
export const velocityReview = velocityAbove('reviewAbove');
export const velocityHardLimit = velocityAbove('refuseAbove');

export const destinationChurn: Evaluate = (subject, thresholds) => {
  const limit = engineOf(thresholds).maxDestinations30d;
  if (limit === null) return RULE_OFF;
  if (subject.risk === undefined) return NOT_RECORDED;
  const { destinations30d } = subject.risk;
  return finding(destinations30d > limit, { destinations30d, limit });
};

/** A VIP's own limits come on top of everybody's: nothing here loosens what `GET /rules` shows. */
export const vipLimitExceeded: Evaluate = (subject, thresholds) => {
  const { vipTiers } = engineOf(thresholds);
  const vipTier = subject.risk?.vipTier ?? null;
  const limits = vipTier === null ? undefined : vipTiers[vipTier];
  if (limits === undefined) return RULE_OFF;
  const { maxPerWithdrawalMinor, maxPerDayMinor } = limits;
  const { amountMinor: dayMinor } = dayTotal(subject, thresholds);
  const isAbove =
    (maxPerWithdrawalMinor !== null && BigInt(subject.amountMinor) > BigInt(maxPerWithdrawalMinor)) ||
    (maxPerDayMinor !== null && BigInt(dayMinor) > BigInt(maxPerDayMinor));
  return finding(isAbove, {
    vipTier,
    amountMinor: subject.amountMinor,
    maxPerWithdrawalMinor,
    dayMinor,
    maxPerDayMinor,
  });
};

/** What the operation has paid out automatically, with this one, above its cap per clock hour or local day. */
export const operationCapExceeded: Evaluate = (subject, thresholds) => {
  const { perHourMinor, perDayMinor } = engineOf(thresholds).operationAutoCap;
  if (perHourMinor === null && perDayMinor === null) return RULE_OFF;
  if (subject.risk === undefined) return NOT_RECORDED;
  const hourMinor = BigInt(subject.risk.automatic.hourMinor) + BigInt(subject.amountMinor);
  const dayMinor = BigInt(subject.risk.automatic.dayMinor) + BigInt(subject.amountMinor);
  const isAbove =
    (perHourMinor !== null && hourMinor > BigInt(perHourMinor)) ||
    (perDayMinor !== null && dayMinor > BigInt(perDayMinor));
  return finding(isAbove, {
    hourMinor: hourMinor.toString(),
    perHourMinor,
    dayMinor: dayMinor.toString(),
    perDayMinor,
  });
};

export const automaticSuspended: Evaluate = (_subject, thresholds) => {
  const { autoSuspended } = engineOf(thresholds);
  return finding(autoSuspended, { autoSuspended });
};

/** Under the policy `wait` (the default) the dispatch waits for the window instead. */
export const outsideHoursReview: Evaluate = ({ at }, thresholds) => {
  const { autoHours, timezone } = thresholds;
  if (autoHours === null || engineOf(thresholds).autoHoursPolicy !== 'review') return RULE_OFF;
  return finding(!isWithinHours(new Date(at), timezone, autoHours), { at, timezone, ...autoHours });
};

// The AML group

/** Several withdrawals just under the reporting threshold: within the margin below it, this one among them. */
export const structuring: Evaluate = (subject, thresholds) => {
  const rule = engineOf(thresholds).structuring;
  if (rule === null) return RULE_OFF;
  if (subject.risk === undefined) return NOT_RECORDED;
  const threshold = BigInt(rule.thresholdMinor);
  const isJustUnder = ({ amountMinor }: { amountMinor: string }) =>
    BigInt(amountMinor) < threshold && BigInt(amountMinor) * 100n >= threshold * BigInt(100 - rule.marginPercent);
  const earlier = subject.risk.withdrawals.filter(isJustUnder).filter(since(subject.at, rule.windowDays)).length;
  const count = isJustUnder(subject) ? earlier + 1 : 0;
  return finding(count >= rule.minCount, {
    count,
    minCount: rule.minCount,
    thresholdMinor: rule.thresholdMinor,
    marginPercent: rule.marginPercent,
  });
};

/** Repeatedly out again soon after about the same came in; this withdrawal must be such a one itself. */
export const rapidTurnaround: Evaluate = (subject, thresholds) => {
  const rule = engineOf(thresholds).rapidTurnaround;
  if (rule === null) return RULE_OFF;
  if (subject.risk === undefined) return NOT_RECORDED;
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

/** They differ by at most so many percent of the deposit. */
function isSimilar(deposit: Movement, out: Movement, percent: number): boolean {
  const difference = BigInt(deposit.amountMinor) - BigInt(out.amountMinor);
  return (difference < 0n ? -difference : difference) * 100n <= BigInt(deposit.amountMinor) * BigInt(percent);
}

/** The operator reports that the player won and lost nothing, though money was deposited. */
export const noPlayReported: Evaluate = (subject, thresholds) => {
  if (!engineOf(thresholds).noPlayReview) return RULE_OFF;
  if (subject.risk === undefined) return NOT_RECORDED;
  const { netGamingResult } = subject.risk;
  const { settledDepositCount } = subject;
  return finding(netGamingResult === 'zero' && settledDepositCount > 0, { netGamingResult, settledDepositCount });
};

export const sharedPayer: Evaluate = (subject, thresholds) => {
  const limit = engineOf(thresholds).sharedPayerPlayers;
  if (limit === null) return RULE_OFF;
  if (subject.risk === undefined) return NOT_RECORDED;
  const { playersOfPayers } = subject.risk;
  return finding(playersOfPayers >= limit, { playersOfPayers, limit });
};

export const manyPayers: Evaluate = (subject, thresholds) => {
  const limit = engineOf(thresholds).maxPayers30d;
  if (limit === null) return RULE_OFF;
  if (subject.risk === undefined) return NOT_RECORDED;
  const { payers30d } = subject.risk;
  return finding(payers30d > limit, { payers30d, limit });
};
