// Stored decisions evaluated again: with their own rules they must give their digest.
import { randomInt } from 'node:crypto';
import { engineOf, type Thresholds, thresholdsOf } from '../../domain/rules/thresholds.js';
import { type AnyOutcome, type DecisionStage, reevaluate } from '../../domain/rules/engine.js';
import type { Decision } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { decisionDigest, type DecisionFilter, decisionPages, decisionsWithIds, newestDecisionId } from './decisions.js';
import { engineRulesOf, ruleSetOfVersion } from './rule-sets.js';

const PAGE = 500;
const MOST_EXAMPLES = 100;

export interface ReplayOrder extends DecisionFilter {
  /** `null` for the version of each decision, which must reproduce its digest. */
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

type ReplayedRows = Awaited<ReturnType<typeof replayDecisions>>;

function compare(found: ReplayedRows, decision: Decision, thresholds: Thresholds | null, version: number): void {
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

/** The digest of evaluating a decision again. */
export function digestOf(decision: Decision, thresholds: Thresholds, outcome: AnyOutcome): string {
  const { facts } = questionOf(decision);
  return decisionDigest({ facts, thresholds, ruleSetVersion: decision.ruleSetVersion, outcome });
}

/**
 * Reads each rule set once. BRL is the only enabled currency. Null if the version does not exist. While a person has
 * stopped automatic withdrawals, that counts beside every version (facts/shared.ts): so it does here.
 */
export function thresholdsReader(
  database: Database,
  version: number | null,
): (decision: Decision) => Promise<Thresholds | null> {
  const known = new Map<string, Promise<Thresholds | null>>();
  return async (decision) => {
    const { operationId } = decision;
    const wanted = version ?? decision.ruleSetVersion;
    const isStopped = await wasStopped(database, decision);
    const key = `${operationId}:${wanted}:${isStopped}`;
    const thresholds = known.get(key) ?? thresholdsOfVersion(database, operationId, wanted, 'BRL', isStopped);
    known.set(key, thresholds);
    return thresholds;
  };
}

/** Whether a person had stopped automatic withdrawals: the decision counted a stop that its rule set does not have. */
async function wasStopped(database: Database, decision: Decision): Promise<boolean> {
  if (!engineOf(stored(decision).thresholds).autoSuspended) return false;
  const { operationId, ruleSetVersion } = decision;
  return (await engineRulesOf(database, operationId, ruleSetVersion)).auto_suspended !== true;
}

/**
 * The thresholds of a version of the operation's rules; `null` if there is no such version. `isStopped`: with the stop
 * of automatic withdrawals.
 */
export async function thresholdsOfVersion(
  database: Database,
  operationId: string,
  version: number,
  currency: string,
  isStopped = false,
): Promise<Thresholds | null> {
  const [ruleSet, engine] = await Promise.all([
    ruleSetOfVersion(database, operationId, version),
    engineRulesOf(database, operationId, version),
  ]);
  const inForce = isStopped ? { ...engine, auto_suspended: true } : engine;
  return ruleSet === null ? null : thresholdsOf(ruleSet.rules, currency, inForce);
}

/** A decision and its facts. */
export function questionOf({ objectId, stage, facts }: Decision) {
  return { objectId, stage: stage as DecisionStage, facts: facts as object };
}

/** The thresholds and the outcome of a stored decision. */
export function stored({ thresholds, outcome }: Decision) {
  return { thresholds: thresholds as unknown as Thresholds, outcome: outcome as unknown as AnyOutcome };
}

/** A decision that its stored facts and rules do not give again. */
export interface DifferingDecision {
  readonly operationId: string;
  readonly objectId: string;
  readonly stage: DecisionStage;
}

/** Evaluates a random sample of the last decisions again. Finds each by its id: the cost does not grow. */
export async function replaySample(
  database: Database,
  { sample, outOf }: { readonly sample: number; readonly outOf: number },
): Promise<{ readonly decisions: number; readonly differing: readonly DifferingDecision[] }> {
  const thresholdsFor = thresholdsReader(database, null);
  const decisions = await decisionsWithIds(database, randomIds(await newestDecisionId(database), sample, outOf));
  const differing: DifferingDecision[] = [];
  for (const decision of decisions) {
    const thresholds = await thresholdsFor(decision);
    const again = thresholds === null ? null : reevaluate(questionOf(decision), thresholds).outcome;
    const isSame = thresholds !== null && again !== null && digestOf(decision, thresholds, again) === decision.digest;
    if (!isSame) differing.push({ ...decision, stage: decision.stage as DecisionStage });
  }
  return { decisions: decisions.length, differing };
}

/** All ids when there are no more than the sample. */
function randomIds(newest: bigint, sample: number, outOf: number): bigint[] {
  const last = Number(newest);
  const first = Math.max(1, last - outOf + 1);
  if (last - first < sample) return Array.from({ length: last - first + 1 }, (_, index) => BigInt(first + index));
  const ids = new Set<number>();
  while (ids.size < sample) ids.add(randomInt(first, last + 1));
  return [...ids].map(BigInt);
}
