// The shape of a rule, and the evaluation of a table of rules.
import type { ReasonCode } from './reason-sentences.js';
import type { Thresholds } from './thresholds.js';

/** The values that a rule compared: amounts in minor units, counts, times and booleans. */
export type Explanation = Readonly<Record<string, string | number | bigint | boolean | null>>;

/** The same as rows and people have it: amounts are text. */
export type ShownExplanation = Readonly<Record<string, string | number | boolean | null>>;

export function shownExplanation(compared: Explanation): ShownExplanation {
  const shown = Object.entries(compared).map(([name, value]) => [name, typeof value === 'bigint' ? `${value}` : value]);
  return Object.fromEntries(shown) as ShownExplanation;
}

/** `off`: the rule set does not use this rule. */
export interface RuleFinding {
  readonly result: 'pass' | 'hit' | 'off';
  readonly compared: Explanation;
}

/** One rule. `consequence` says what a hit does; its type depends on the rule's table. */
export interface Rule<Facts, Stage extends string, Consequence> {
  readonly code: ReasonCode;
  readonly consequence: Consequence;
  readonly stages: readonly Stage[];
  readonly evaluate: (facts: Facts, thresholds: Thresholds) => RuleFinding;
}

/** A rule's finding as it is stored with the decision. */
export interface RuleReport extends RuleFinding {
  readonly code: string;
}

/** The same as its row has it. */
export interface StoredReport extends Omit<RuleReport, 'compared'> {
  readonly compared: ShownExplanation;
}

export interface Evaluation<Consequence> {
  readonly reports: readonly RuleReport[];
  readonly hits: readonly { readonly code: ReasonCode; readonly consequence: Consequence }[];
}

/** Evaluates every rule of a stage, in the order of the table. All are reported; no hit hides another. */
export function evaluateRules<Facts, Stage extends string, Consequence>(
  rules: readonly Rule<Facts, Stage, Consequence>[],
  stage: Stage,
  facts: Facts,
  thresholds: Thresholds,
): Evaluation<Consequence> {
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

/** The finding of a rule that the rule set does not use. */
export const RULE_OFF: RuleFinding = { result: 'off', compared: {} };

/** Amount above a limit; off without a limit. The limit itself passes. */
export function aboveLimit(amountMinor: bigint, limitMinor: bigint | null): RuleFinding {
  if (limitMinor === null) return RULE_OFF;
  return finding(amountMinor > limitMinor, { amountMinor, limitMinor });
}

/** Amount below a limit; off without a limit. The limit itself passes. */
export function belowLimit(amountMinor: bigint, limitMinor: bigint | null): RuleFinding {
  if (limitMinor === null) return RULE_OFF;
  return finding(amountMinor < limitMinor, { amountMinor, limitMinor });
}
