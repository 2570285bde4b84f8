// What would have passed. Finds the largest amount and the earliest time that the same rules would have approved
// automatically. Both are found by evaluating changed facts with the engine itself, so they never contradict it.
import { evaluateWithdrawal } from './engine.js';
import { engineOf, type Thresholds } from './thresholds.js';
import { isWithinHours, localDate, nextOpening } from './local-time.js';
import type { Movement, RiskFacts } from './risk-rules.js';
import type { WithdrawalFacts, WithdrawalStage } from './withdrawal-rules.js';
import { DAY_MS } from '../instant.js';

export interface Counterfactual {
  /** The largest smaller amount that would have been automatic at that moment; null without one. */
  readonly automaticUpToMinor: bigint | null;
  /**
   * The earliest later time at which the same request, made later by as much, would have been automatic, without other
   * events in between; null without one.
   */
  readonly automaticFrom: string | null;
}

const HOUR_MS = 3_600_000;

/** For a withdrawal that was not automatic. Both are null when only people or other facts could change the result. */
export function counterfactual(stage: WithdrawalStage, facts: WithdrawalFacts, thresholds: Thresholds): Counterfactual {
  const isAutomatic = (changed: WithdrawalFacts) =>
    evaluateWithdrawal(stage, changed, thresholds).outcome.kind === 'automatic';
  if (isAutomatic(facts)) return { automaticUpToMinor: null, automaticFrom: null };
  return {
    automaticUpToMinor: largestAmount(facts, thresholds, isAutomatic),
    automaticFrom: earliestTime(facts, thresholds, isAutomatic),
  };
}

/** Bisection between the smallest allowed amount, which passes, and the requested amount, which does not. */
function largestAmount(
  facts: WithdrawalFacts,
  { withdrawalMinMinor }: Thresholds,
  isAutomatic: (changed: WithdrawalFacts) => boolean,
): bigint | null {
  const passes = (amount: bigint) => isAutomatic({ ...facts, amountMinor: amount });
  let [passing, failing] = [withdrawalMinMinor ?? 1n, facts.amountMinor];
  if (passing < 1n) passing = 1n;
  if (passing >= failing || !passes(passing)) return null;
  while (failing - passing > 1n) {
    const middle = (passing + failing) / 2n;
    if (passes(middle)) passing = middle;
    else failing = middle;
  }
  return passing;
}

function earliestTime(
  facts: WithdrawalFacts,
  thresholds: Thresholds,
  isAutomatic: (changed: WithdrawalFacts) => boolean,
): string | null {
  const candidates = [...new Set(turningPoints(facts, thresholds))]
    .filter((ms) => ms > Date.parse(facts.at))
    .sort((one, other) => one - other);
  const found = candidates.find((ms) => isAutomatic(factsAt(facts, thresholds, new Date(ms))));
  return found === undefined ? null : new Date(found).toISOString();
}

/** Every time at which the result of a rule can change without a new event. */
function turningPoints(facts: WithdrawalFacts, thresholds: Thresholds): number[] {
  const at = new Date(facts.at);
  const createdAt = new Date(facts.createdAt);
  // A day or an hour of the request begins for the decision when it would be made.
  const elapsedMs = at.getTime() - createdAt.getTime();
  const { autoHours, timezone, pixKeyChangeCooldownHours } = thresholds;
  const { velocity, structuring, rapidTurnaround } = engineOf(thresholds);
  const movements = facts.risk.withdrawals;
  const ends = (days: number) => movements.map((movement) => Date.parse(movement.at) + days * DAY_MS);
  const points = [
    ...(facts.keyFirstUsedAt === null ? [] : [Date.parse(facts.keyFirstUsedAt) + pixKeyChangeCooldownHours * HOUR_MS]),
    ...(velocity === null
      ? []
      : facts.risk.requestedAt.map((requested) => Date.parse(requested) + velocity.windowMinutes * 60_000)),
    ...ends(7),
    ...ends(30),
    ...(structuring === null ? [] : ends(structuring.windowDays)),
    // One millisecond after the limit.
    ...(rapidTurnaround === null
      ? []
      : facts.risk.deposits.map((deposit) => Date.parse(deposit.at) + rapidTurnaround.withinMinutes * 60_000 + 1)),
    nextLocalDay(createdAt, timezone) + elapsedMs,
    (Math.floor(createdAt.getTime() / HOUR_MS) + 1) * HOUR_MS + elapsedMs,
  ];
  if (autoHours === null || engineOf(thresholds).autoHoursPolicy !== 'review') return points;
  const opening = (ms: number) =>
    isWithinHours(new Date(ms), timezone, autoHours) ? ms : nextOpening(new Date(ms), timezone, autoHours).getTime();
  return [...points.map(opening), opening(at.getTime())];
}

/** The first minute of the next local date, at most 26 hours away. */
function nextLocalDay(at: Date, timezone: string): number {
  const today = localDate(at, timezone);
  let minute = Math.floor(at.getTime() / 60_000) * 60_000;
  while (localDate(new Date(minute), timezone) === today) minute += 60_000;
  return minute;
}

/** The same request decided at a later time and made later by as much, without other events in between. */
function factsAt(facts: WithdrawalFacts, { timezone }: Thresholds, at: Date): WithdrawalFacts {
  const before = new Date(facts.createdAt);
  const createdAt = new Date(before.getTime() + at.getTime() - Date.parse(facts.at));
  const risk = { ...riskAt(facts.risk, at), automatic: automaticAt(facts.risk, before, createdAt, timezone) };
  return { ...facts, at: at.toISOString(), createdAt: createdAt.toISOString(), risk };
}

function riskAt(risk: RiskFacts, at: Date): RiskFacts {
  // Sums at a later time need every movement in them.
  const isWhole = risk.withdrawals.length === risk.windows.d30.count;
  const sumOf = (days: number) => {
    const inside = risk.withdrawals.filter((movement) => Date.parse(movement.at) > at.getTime() - days * DAY_MS);
    return { amountMinor: total(inside), count: inside.length };
  };
  return { ...risk, windows: isWhole ? { d7: sumOf(7), d30: sumOf(30) } : risk.windows };
}

function automaticAt(
  { automatic: { hourMinor, dayMinor } }: RiskFacts,
  before: Date,
  createdAt: Date,
  timezone: string,
): RiskFacts['automatic'] {
  const isSameHour = before.toISOString().slice(0, 13) === createdAt.toISOString().slice(0, 13);
  const isSameDay = localDate(before, timezone) === localDate(createdAt, timezone);
  return { hourMinor: isSameHour ? hourMinor : 0n, dayMinor: isSameDay ? dayMinor : 0n };
}

function total(movements: readonly Movement[]): bigint {
  return movements.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
}
