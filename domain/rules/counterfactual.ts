// What would have passed: the largest amount, and the earliest time, that the same rules would have let out automatically. Each
// answer is found by evaluating changed facts with the engine itself, so it can never contradict it.
import { evaluateWithdrawal } from './engine.js';
import { engineOf } from './engine-thresholds.js';
import { isWithinHours, localDate, nextOpening } from './local-time.js';
import type { Movement, RiskFacts } from './risk-rules.js';
import type { Thresholds } from './thresholds.js';
import type { WithdrawalFacts, WithdrawalStage } from './withdrawal-rules.js';

export interface Counterfactual {
  /** The largest smaller amount that would have gone out automatically at that moment; null if none would. */
  readonly automaticUpToMinor: string | null;
  /** The earliest later moment at which the same request would have gone out automatically, were nothing else to happen. */
  readonly automaticFrom: string | null;
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** For a withdrawal that was not automatic; both are null where only people or other facts could have helped. */
export function counterfactual(stage: WithdrawalStage, facts: WithdrawalFacts, thresholds: Thresholds): Counterfactual {
  const isAutomatic = (changed: WithdrawalFacts) =>
    evaluateWithdrawal(stage, changed, thresholds).outcome.kind === 'automatic';
  if (isAutomatic(facts)) return { automaticUpToMinor: null, automaticFrom: null };
  return {
    automaticUpToMinor: largestAmount(facts, thresholds, isAutomatic),
    automaticFrom: earliestTime(facts, thresholds, isAutomatic),
  };
}

/** Bisection between the smallest amount allowed, which passes, and the one asked for, which does not. */
function largestAmount(
  facts: WithdrawalFacts,
  { withdrawalMinMinor }: Thresholds,
  isAutomatic: (changed: WithdrawalFacts) => boolean,
): string | null {
  const passes = (amount: bigint) => isAutomatic({ ...facts, amountMinor: amount.toString() });
  let [passing, failing] = [BigInt(withdrawalMinMinor ?? '1'), BigInt(facts.amountMinor)];
  if (passing < 1n) passing = 1n;
  if (passing >= failing || !passes(passing)) return null;
  while (failing - passing > 1n) {
    const middle = (passing + failing) / 2n;
    if (passes(middle)) passing = middle;
    else failing = middle;
  }
  return passing.toString();
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

/** Every moment at which some rule's answer can change by the clock alone. */
function turningPoints(facts: WithdrawalFacts, thresholds: Thresholds): number[] {
  const at = new Date(facts.at);
  const { autoHours, timezone, pixKeyChangeCooldownHours } = thresholds;
  const { velocity, structuring, rapidTurnaround } = engineOf(thresholds);
  const movements = facts.risk?.withdrawals ?? [];
  const ends = (days: number) => movements.map((movement) => Date.parse(movement.at) + days * DAY_MS);
  const points = [
    ...(facts.keyFirstUsedAt === null ? [] : [Date.parse(facts.keyFirstUsedAt) + pixKeyChangeCooldownHours * HOUR_MS]),
    ...(velocity === null
      ? []
      : (facts.risk?.requestedAt ?? []).map((requested) => Date.parse(requested) + velocity.windowMinutes * 60_000)),
    ...ends(7),
    ...ends(30),
    ...(structuring === null ? [] : ends(structuring.windowDays)),
    // A millisecond after it is no longer soon.
    ...(rapidTurnaround === null
      ? []
      : (facts.risk?.deposits ?? []).map(
          (deposit) => Date.parse(deposit.at) + rapidTurnaround.withinMinutes * 60_000 + 1,
        )),
    nextLocalDay(at, timezone),
    (Math.floor(at.getTime() / HOUR_MS) + 1) * HOUR_MS,
  ];
  if (autoHours === null || engineOf(thresholds).autoHoursPolicy !== 'review') return points;
  const opening = (ms: number) =>
    isWithinHours(new Date(ms), timezone, autoHours) ? ms : nextOpening(new Date(ms), timezone, autoHours).getTime();
  return [...points.map(opening), opening(at.getTime())];
}

/** The first minute whose local date is another one: at most 26 hours away. */
function nextLocalDay(at: Date, timezone: string): number {
  const today = localDate(at, timezone);
  let minute = Math.floor(at.getTime() / 60_000) * 60_000;
  while (localDate(new Date(minute), timezone) === today) minute += 60_000;
  return minute;
}

/** The same request later, with nothing else happening in between. */
function factsAt(facts: WithdrawalFacts, { timezone }: Thresholds, at: Date): WithdrawalFacts {
  const { risk } = facts;
  const later = { ...facts, at: at.toISOString() };
  return risk === undefined ? later : { ...later, risk: riskAt(risk, new Date(facts.at), at, timezone) };
}

function riskAt(risk: RiskFacts, before: Date, at: Date, timezone: string): RiskFacts {
  // Sums can only be aged where every movement of them is known.
  const isWhole = risk.withdrawals.length === risk.windows.d30.count;
  const sumOf = (days: number) => {
    const inside = risk.withdrawals.filter((movement) => Date.parse(movement.at) > at.getTime() - days * DAY_MS);
    return { amountMinor: total(inside), count: inside.length };
  };
  const isSameHour = before.toISOString().slice(0, 13) === at.toISOString().slice(0, 13);
  const isSameDay = localDate(before, timezone) === localDate(at, timezone);
  return {
    ...risk,
    windows: isWhole ? { d7: sumOf(7), d30: sumOf(30) } : risk.windows,
    automatic: {
      hourMinor: isSameHour ? risk.automatic.hourMinor : '0',
      dayMinor: isSameDay ? risk.automatic.dayMinor : '0',
    },
  };
}

function total(movements: readonly Movement[]): string {
  return movements.reduce((sum, { amountMinor }) => sum + BigInt(amountMinor), 0n).toString();
}
