// Explains stored decisions. Facts hold no personal data, so they may be printed.
import { formatBrl } from '../../domain/money.js';
import { counterfactual, type Counterfactual } from '../../domain/rules/counterfactual.js';
import { reasonSentence } from '../../domain/rules/reason-sentences.js';
import { type AnyOutcome, isWithdrawal, reevaluate } from '../../domain/rules/engine.js';
import type { StoredReport } from '../../domain/rules/rule.js';
import type { WithdrawalFacts, WithdrawalStage } from '../../domain/rules/withdrawal-rules.js';
import type { Decision } from '../../prisma/generated/client.js';
import type { Database } from '../../store/database.js';
import { digestOf, questionOf, stored } from '../../store/rules/replayed-decisions.js';
import { decisionsOf } from '../../store/rules/decisions.js';
import { localMinute } from './texts.js';

const MOST_DECISIONS = 500;

/** Every decision on a payment, oldest first: why, what would have passed, and whether it reproduces. */
export async function explainDecisions(database: Database, objectId: string) {
  const decisions = await decisionsOf(database, objectId, MOST_DECISIONS);
  return decisions.map(explain);
}

/** One decision: what was compared, what it led to, and whether it reproduces. */
export function explain(decision: Decision) {
  const { thresholds, outcome } = stored(decision);
  const { outcome: again } = reevaluate(questionOf(decision), thresholds);
  const hits = (decision.verdicts as unknown as StoredReport[]).filter(({ result }) => result === 'hit');
  return {
    stage: decision.stage,
    decided_at: decision.decidedAt,
    time_zone: thresholds.timezone,
    ruleset_version: decision.ruleSetVersion,
    outcome,
    // A block outranks review codes: those matched too, but did not decide.
    why: hits.map(({ code, compared }) => ({
      code,
      meaning: reasonSentence(code),
      compared,
      decided: outcome.reasons?.includes(code) ?? true,
    })),
    asks_what_would_pass: asksWhatWouldPass(decision, outcome),
    would_have_passed: wouldHavePassed(decision, outcome),
    digest: decision.digest,
    reproduced: digestOf(decision, thresholds, again) === decision.digest,
  };
}

const NOTHING: Counterfactual = { automaticUpToMinor: null, automaticFrom: null };

function asksWhatWouldPass({ objectId, stage }: Decision, { kind }: AnyOutcome): boolean {
  return isWithdrawal(objectId) && stage !== 'dispatch' && kind !== 'automatic';
}

/** What would have passed; `null` if that does not apply. */
export function counterfactualOf(decision: Decision, outcome: AnyOutcome): Counterfactual | null {
  if (!asksWhatWouldPass(decision, outcome)) return null;
  const { thresholds } = stored(decision);
  return counterfactual(decision.stage as WithdrawalStage, decision.facts as unknown as WithdrawalFacts, thresholds);
}

/** For people: "automatic up to R$ 180,00", "automatic after 2026-11-22 14:05 (America/Sao_Paulo)". */
function wouldHavePassed(decision: Decision, outcome: AnyOutcome): string[] {
  const { thresholds } = stored(decision);
  const { automaticUpToMinor, automaticFrom } = counterfactualOf(decision, outcome) ?? NOTHING;
  return [
    ...(automaticUpToMinor === null ? [] : [`automatic up to ${formatBrl(automaticUpToMinor)}`]),
    ...(automaticFrom === null
      ? []
      : [`automatic after ${localMinute(automaticFrom, thresholds.timezone)} (${thresholds.timezone})`]),
  ];
}
