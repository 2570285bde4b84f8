// The shape of a rule, and how a table of rules is evaluated: every rule of the stage, in the order of the table.
import type { Thresholds } from './thresholds.js';

/** What a rule compared, for people: amounts in minor units as strings, counts, times, yes and no. */
export type Explanation = Readonly<Record<string, string | number | boolean | null>>;

/** `off`: the rule set does not ask for this rule. */
export interface RuleFinding {
  readonly result: 'pass' | 'hit' | 'off';
  readonly compared: Explanation;
}

/** One rule. `consequence` says what a hit does; it differs by the table that the rule stands in. */
export interface Rule<Facts, Stage extends string, Consequence> {
  readonly code: string;
  readonly consequence: Consequence;
  readonly stages: readonly Stage[];
  readonly evaluate: (facts: Facts, thresholds: Thresholds) => RuleFinding;
}

/** A rule's verdict as it is stored with the decision. */
export interface RuleReport extends RuleFinding {
  readonly code: string;
}

export interface Evaluated<Consequence> {
  readonly reports: readonly RuleReport[];
  readonly hits: readonly { readonly code: string; readonly consequence: Consequence }[];
}

/** Evaluates the rules of a stage. No rule hides another: all are evaluated and reported. */
export function evaluateRules<Facts, Stage extends string, Consequence>(
  rules: readonly Rule<Facts, Stage, Consequence>[],
  stage: Stage,
  facts: Facts,
  thresholds: Thresholds,
): Evaluated<Consequence> {
  const evaluated = rules
    .filter(({ stages }) => stages.includes(stage))
    .map((rule) => ({ rule, finding: rule.evaluate(facts, thresholds) }));
  return {
    reports: evaluated.map(({ rule, finding }) => ({ code: rule.code, ...finding })),
    hits: evaluated
      .filter(({ finding }) => finding.result === 'hit')
      .map(({ rule: { code, consequence } }) => ({ code, consequence })),
  };
}

/** A finding from a comparison: `isHit` and what was compared. */
export function finding(isHit: boolean, compared: Explanation): RuleFinding {
  return { result: isHit ? 'hit' : 'pass', compared };
}

/** The finding of a rule that the rule set does not ask for. */
export const RULE_OFF: RuleFinding = { result: 'off', compared: {} };

/** Amount above a limit; off without a limit. The limit itself passes. */
export function aboveLimit(amountMinor: bigint, limitMinor: string | null): RuleFinding {
  if (limitMinor === null) return RULE_OFF;
  return finding(amountMinor > BigInt(limitMinor), { amountMinor: amountMinor.toString(), limitMinor });
}

/** Amount below a limit; off without a limit. The limit itself passes. */
export function belowLimit(amountMinor: bigint, limitMinor: string | null): RuleFinding {
  if (limitMinor === null) return RULE_OFF;
  return finding(amountMinor < BigInt(limitMinor), { amountMinor: amountMinor.toString(), limitMinor });
}
