// Why a decision flips: the rules that hit under one rule set only, with the values that they compare.
import { type RuleReport, type ShownExplanation, shownExplanation } from '../rule.js';

export interface Why {
  readonly code: string;
  /** `hits`: hits under the proposed rules only. `passes`: hit under the rules in force only. */
  readonly proposed: 'hits' | 'passes';
  /** The values under the proposed rules; empty when they do not use the rule. No personal data. */
  readonly compared: ShownExplanation;
}

/** One flipped decision. Ids and amounts only. */
export interface FlipExample {
  readonly object_id: string;
  readonly decided_at: string;
  readonly amount_minor: string;
  readonly why: readonly Why[];
}

/** The rules whose result changed, in the order of their table. */
export function whyFlipped(before: readonly RuleReport[], after: readonly RuleReport[]): Why[] {
  const hitBefore = new Set(before.filter(isHit).map(({ code }) => code));
  const reportsAfter = new Map(after.map((report) => [report.code, report]));
  const appeared = after
    .filter((report) => isHit(report) && !hitBefore.has(report.code))
    .map(({ code, compared }): Why => ({ code, proposed: 'hits', compared: shownExplanation(compared) }));
  const gone = before.filter(isHit).flatMap(({ code }): Why[] => {
    const report = reportsAfter.get(code);
    return report !== undefined && isHit(report)
      ? []
      : [{ code, proposed: 'passes', compared: shownExplanation(report?.compared ?? {}) }];
  });
  return [...appeared, ...gone];
}

function isHit({ result }: RuleReport): boolean {
  return result === 'hit';
}
