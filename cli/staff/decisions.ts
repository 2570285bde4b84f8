// Explains stored decisions and evaluates them again. Facts hold no personal data, so they may be printed.
import { formatBrl } from '../../domain/money.js';
import { counterfactual } from '../../domain/rules/counterfactual.js';
import { reasonInWords } from '../../domain/rules/reason-words.js';
import { type AnyOutcome, type DecisionStage, isWithdrawal, reevaluate } from '../../domain/rules/replay.js';
import type { RuleReport } from '../../domain/rules/rule.js';
import { type Thresholds, thresholdsOf } from '../../domain/rules/thresholds.js';
import type { WithdrawalFacts, WithdrawalStage } from '../../domain/rules/withdrawal-rules.js';
import type { Decision } from '../../prisma/generated/client.js';
import type { Database } from '../../store/database.js';
import { decisionDigest } from '../../store/rules/decision-digest.js';
import { type DecisionFilter, decisionPages, decisionsOf } from '../../store/rules/stored-decisions.js';
import { engineRulesOf } from '../../store/rules/engine-rules.js';
import { ruleSetOfVersion } from '../../store/rules/rule-sets.js';
import { localMinute } from './words.js';

const MOST_DECISIONS = 500;
const PAGE = 500;
const MOST_EXAMPLES = 100;

/** Every decision on a payment, oldest first: why, what would have passed, and whether it reproduces. */
export async function explainDecisions(database: Database, objectId: string) {
  const decisions = await decisionsOf(database, objectId, MOST_DECISIONS);
  return decisions.map(explain);
}

function explain(decision: Decision) {
  const { thresholds, outcome } = stored(decision);
  const { outcome: again } = reevaluate(questionOf(decision), thresholds);
  const hits = (decision.verdicts as unknown as RuleReport[]).filter(({ result }) => result === 'hit');
  return {
    stage: decision.stage,
    decided_at: decision.decidedAt,
    time_zone: thresholds.timezone,
    ruleset_version: decision.ruleSetVersion,
    outcome,
    // A block outranks review codes: those matched too, but did not decide.
    why: hits.map(({ code, compared }) => ({
      code,
      meaning: reasonInWords(code),
      compared,
      decided: outcome.reasons?.includes(code) ?? true,
    })),
    asks_what_would_pass: asksWhatWouldPass(decision, outcome),
    would_have_passed: wouldHavePassed(decision, outcome),
    digest: decision.digest,
    reproduced: digestOf(decision, thresholds, again) === decision.digest,
  };
}

function asksWhatWouldPass({ objectId, stage }: Decision, { kind }: AnyOutcome): boolean {
  return isWithdrawal(objectId) && stage !== 'dispatch' && kind !== 'automatic';
}

/** For people: "automatic up to R$ 180,00", "automatic after 2026-11-22 14:05 (America/Sao_Paulo)". */
function wouldHavePassed(decision: Decision, { kind }: AnyOutcome): string[] {
  const { thresholds } = stored(decision);
  if (!asksWhatWouldPass(decision, { kind })) return [];
  const { automaticUpToMinor, automaticFrom } = counterfactual(
    decision.stage as WithdrawalStage,
    decision.facts as unknown as WithdrawalFacts,
    thresholds,
  );
  return [
    ...(automaticUpToMinor === null ? [] : [`automatic up to ${formatBrl(BigInt(automaticUpToMinor))}`]),
    ...(automaticFrom === null
      ? []
      : [`automatic after ${localMinute(automaticFrom, thresholds.timezone)} (${thresholds.timezone})`]),
  ];
}

export interface ReplayOrder extends DecisionFilter {
  /** Null: the version of each decision, which must reproduce its digest. */
  readonly version: number | null;
}

interface Difference {
  readonly object_id: string;
  readonly stage: string;
  readonly decided_at: Date;
  readonly was: AnyOutcome;
  readonly is: AnyOutcome;
}

/**
 * Evaluates stored facts again. Thresholds come from the stored rule set, not from the stored thresholds, so the digest
 * proves the rule set too. With another version of the rule set it reports what would be decided differently.
 */
export async function replayDecisions(database: Database, order: ReplayOrder) {
  const thresholdsFor = thresholdsReader(database, order.version);
  const found = {
    decisions: 0,
    reproduced: 0,
    not_reproduced: [] as string[],
    flips: {} as Record<string, number>,
    examples: [] as Difference[],
  };
  for await (const page of decisionPages(database, order, PAGE))
    for (const decision of page)
      compare(found, decision, await thresholdsFor(decision), order.version ?? decision.ruleSetVersion);
  return found;
}

type Found = Awaited<ReturnType<typeof replayDecisions>>;

function compare(found: Found, decision: Decision, thresholds: Thresholds | null, version: number): void {
  const { outcome: was } = stored(decision);
  const is = thresholds === null ? null : reevaluate(questionOf(decision), thresholds).outcome;
  found.decisions += 1;
  if (version === decision.ruleSetVersion) {
    if (thresholds !== null && is !== null && digestOf(decision, thresholds, is) === decision.digest)
      found.reproduced += 1;
    else if (found.not_reproduced.length < MOST_EXAMPLES)
      found.not_reproduced.push(`${decision.objectId}:${decision.stage}:${decision.digest.slice(0, 12)}`);
  }
  if (is === null || (is.kind === was.kind && String(is.reasons ?? '') === String(was.reasons ?? ''))) return;
  const flip = is.kind === was.kind ? `${was.kind}: other reasons` : `${was.kind} → ${is.kind}`;
  found.flips[flip] = (found.flips[flip] ?? 0) + 1;
  if (found.examples.length < MOST_EXAMPLES)
    found.examples.push({
      object_id: decision.objectId,
      stage: decision.stage,
      decided_at: decision.decidedAt,
      was,
      is,
    });
}

function digestOf(decision: Decision, thresholds: Thresholds, outcome: AnyOutcome): string {
  const { facts } = questionOf(decision);
  return decisionDigest({ facts, thresholds, ruleSetVersion: decision.ruleSetVersion, outcome });
}

/** Reads each rule set once. BRL is the only enabled currency. Null if the version does not exist. */
function thresholdsReader(
  database: Database,
  version: number | null,
): (decision: Decision) => Promise<Thresholds | null> {
  const known = new Map<string, Promise<Thresholds | null>>();
  return (decision) => {
    const wanted = version ?? decision.ruleSetVersion;
    const currency = 'BRL';
    const key = `${decision.operationId}:${wanted}`;
    const thresholds = known.get(key) ?? readThresholds(database, decision.operationId, wanted, currency);
    known.set(key, thresholds);
    return thresholds;
  };
}

async function readThresholds(
  database: Database,
  operationId: string,
  version: number,
  currency: string,
): Promise<Thresholds | null> {
  const [ruleSet, engine] = await Promise.all([
    ruleSetOfVersion(database, operationId, version),
    engineRulesOf(database, operationId, version),
  ]);
  return ruleSet === null ? null : thresholdsOf(ruleSet.rules, currency, engine);
}

function questionOf({ objectId, stage, facts }: Decision) {
  return { objectId, stage: stage as DecisionStage, facts: facts as object };
}

function stored({ thresholds, outcome }: Decision) {
  return { thresholds: thresholds as unknown as Thresholds, outcome: outcome as unknown as AnyOutcome };
}
