// Why one decision flips: the rules that hit under one rule set and not under the other, with what they compare.
import type { Explanation, RuleReport } from '../rule.js';

export interface Why {
  readonly code: string;
  /** `hits`: only the proposed rules say so. `passes`: only those in force did. */
  readonly proposed: 'hits' | 'passes';
  /** Under the proposed rules; empty where they do not ask. No personal data. */
  readonly compared: Explanation;
}

/** One flipped decision. Ids and amounts only. */
export interface FlipExample {
  readonly object_id: string;
  readonly decided_at: string;
  readonly amount_minor: string;
  readonly why: readonly Why[];
}

/** In the order of the rules' table. */
export function whyFlipped(before: readonly RuleReport[], after: readonly RuleReport[]): Why[] {
  const hitBefore = new Set(before.filter(isHit).map(({ code }) => code));
  const reportsAfter = new Map(after.map((report) => [report.code, report]));
  const appeared = after
    .filter((report) => isHit(report) && !hitBefore.has(report.code))
    .map(({ code, compared }): Why => ({ code, proposed: 'hits', compared }));
  const gone = before.filter(isHit).flatMap(({ code }): Why[] => {
    const report = reportsAfter.get(code);
    return report !== undefined && isHit(report)
      ? []
      : [{ code, proposed: 'passes', compared: report?.compared ?? {} }];
  });
  return [...appeared, ...gone];
}

function isHit({ result }: RuleReport): boolean {
  return result === 'hit';
}
