// The decisions of the rules on a payment, as the panel shows them.
import { toMoney } from '../../../domain/money.js';
import type { Decision } from '../../../prisma/generated/client.js';
import { counterfactualOf, explain } from '../decisions.js';

/** Most decisions that a page shows. */
export const MOST_DECISIONS = 100;

/** One decision: every rule that matched with its numbers, what would have passed, whether it reproduces. */
export function shownRuleDecision(decision: Decision, currency: string) {
  const { stage, decided_at: at, time_zone, ruleset_version, outcome, why, digest, reproduced } = explain(decision);
  const passing = counterfactualOf(decision, outcome);
  return {
    stage,
    at,
    time_zone,
    ruleset_version,
    outcome: { kind: outcome.kind, reasons: [...(outcome.reasons ?? [])] },
    why: why.map(({ code, compared, decided }) => ({ code, compared, decided })),
    counterfactual:
      passing === null
        ? null
        : {
            automatic_up_to: passing.automaticUpToMinor === null ? null : toMoney(passing.automaticUpToMinor, currency),
            automatic_from: passing.automaticFrom,
          },
    digest,
    reproduced,
  };
}
