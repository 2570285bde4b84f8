// A proposed rule change: its proof, what people decide about it, and its expiry. Every step reads the person's stored
// act and the request, decides, and stores the result if both are unchanged.
import { ApplicationFailure, CancelledFailure, Context } from '@temporalio/activity';
import type { RuleChangeInput, RuleChangeOutcome } from '../../contract/temporal/rule-change.js';
import {
  approvalsMissing,
  type RuleChangeDecision,
  ruleChangeExpiresAt,
  type RuleChangeProofSummary,
  ruleChangeRefusal,
  type RuleChangeSnapshot,
  ruleChangeState,
} from '../../domain/rule-change.js';
import { parseRuleSet } from '../../domain/rules/rule-set.js';
import type { StaffAct } from '../../domain/staff.js';
import type { GatewayAlert } from '../../store/alerts/alerts.js';
import type { Database } from '../../store/database.js';
import {
  type Application,
  applyRuleChange,
  storeDecision,
  voidProof,
} from '../../store/rules/rule-change-decisions.js';
import { proveRuleChange } from '../../store/rules/rule-change-proof.js';
import {
  expireRuleChange,
  proofSummary,
  proposedEngine,
  ruleChangeOf,
  ruleChangeSnapshot,
  storeProof,
} from '../../store/rules/rule-changes.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import { assertReached } from '../forged.js';
import { untilStored } from '../payments/retries.js';
import { actReader } from '../staff-acts.js';
import type { RuleChangeActivities } from './types.js';

type ProofInput = Parameters<RuleChangeActivities['proveRuleChange']>[0];
type DecisionInput = Parameters<RuleChangeActivities['decideRuleChange']>[0];
type VoidInput = Parameters<RuleChangeActivities['voidRuleChangeProof']>[0];

/** What the steps need of the database. */
export interface RuleChangeStore {
  readAct(id: string): Promise<StaffAct | null>;
  read(ref: RuleChangeInput): Promise<RuleChangeSnapshot>;
  /** Each stores nothing if the request changed or the act cannot be done. */
  storeDecision(write: Parameters<typeof storeDecision>[1]): Promise<boolean>;
  apply(write: Parameters<typeof applyRuleChange>[2]): Promise<Application>;
  voidProof(write: Parameters<typeof voidProof>[1]): Promise<boolean>;
  expire(order: RuleChangeInput & { at: string }): Promise<void>;
}

export function createRuleChangeStore(
  database: Database,
  sealer: Sealer,
  raiseAlert: (alert: GatewayAlert) => Promise<void>,
): RuleChangeStore {
  return {
    readAct: actReader(database, raiseAlert),
    read: async ({ changeId, operationId }) => ruleChangeSnapshot(await ruleChangeOf(database, changeId, operationId)),
    storeDecision: (write) => storeDecision(database, write),
    apply: (write) => applyRuleChange(database, sealer, write),
    voidProof: (write) => voidProof(database, write),
    expire: (order) => expireRuleChange(database, order),
  };
}

export function createRuleChangeSteps(changes: RuleChangeStore): Omit<RuleChangeActivities, 'proveRuleChange'> {
  const state = async (ref: RuleChangeInput) => ruleChangeState(await changes.read(ref));
  return {
    loadRuleChange: (ref) => state(ref),
    decideRuleChange: (input) => untilStored(() => decideOnce(changes, input)),
    voidRuleChangeProof: (input) => untilStored(() => voidOnce(changes, input)),
    expireRuleChange: async (input) => {
      const before = await changes.read(input);
      if (before.status === 'pending_approval')
        assertReached(ruleChangeExpiresAt(before), input.at, 'the change has not expired yet');
      await changes.expire(input);
      return state(input);
    },
  };
}

/**
 * One try; `null` if the row or the act has changed. The act is read before the row, so the row includes the change of
 * an act that is used.
 */
async function decideOnce(changes: RuleChangeStore, input: DecisionInput): Promise<RuleChangeOutcome | null> {
  const act = await changes.readAct(input.actId);
  const before = await changes.read(input);
  // A repeat after a lost answer.
  if (before.decisions.some(({ actId }) => actId === input.actId)) return done(before);
  const refusal = ruleChangeRefusal(before, act, `rule_change.${input.decision}`);
  if (refusal !== null || act === null) return { kind: refusal ?? 'unknown_act', change: ruleChangeState(before) };
  const stored = await storeDecided(changes, before, decisionOf(act, input), input.eventId);
  return stored ? done(await changes.read(input)) : null;
}

async function storeDecided(
  changes: RuleChangeStore,
  before: RuleChangeSnapshot,
  decision: RuleChangeDecision,
  eventId: string,
): Promise<boolean> {
  if (decision.decision === 'reject') return changes.storeDecision({ before, decision, status: 'rejected' });
  const decisions = [...before.decisions, decision];
  if (approvalsMissing({ decisions, proof: before.proof }) > 0)
    return changes.storeDecision({ before, decision, status: 'pending_approval' });
  const applied = await changes.apply({ before, decision, eventId });
  // The approval still counts: the record shows that it had no effect.
  if (applied === 'superseded') return changes.storeDecision({ before, decision, status: 'superseded' });
  return applied === 'applied';
}

function decisionOf(act: StaffAct, { decision, at }: DecisionInput): RuleChangeDecision {
  return {
    actId: act.id,
    means: act.means,
    address: act.address,
    person: act.handle,
    decision,
    reason: act.reason,
    digest: act.subjectDigest,
    at,
  };
}

async function voidOnce(changes: RuleChangeStore, input: VoidInput): Promise<RuleChangeOutcome | null> {
  const act = await changes.readAct(input.actId);
  const before = await changes.read(input);
  const refusal = ruleChangeRefusal(before, act, 'rule_change.recompute');
  // A repeat after a lost answer: a report that was stored in the meantime stays.
  if (refusal === 'used_act') return done(before);
  if (refusal !== null || act === null) return { kind: refusal ?? 'unknown_act', change: ruleChangeState(before) };
  return (await changes.voidProof({ before, act, at: input.at })) ? done(await changes.read(input)) : null;
}

function done(change: RuleChangeSnapshot): RuleChangeOutcome {
  return { kind: 'done', change: ruleChangeState(change) };
}

export function createRuleChangeProof(database: Database): Pick<RuleChangeActivities, 'proveRuleChange'> {
  return { proveRuleChange: (input) => proveStored(database, input) };
}

async function proveStored(database: Database, input: ProofInput): Promise<RuleChangeProofSummary> {
  const { changeId, operationId, at: through } = input;
  const before = await ruleChangeOf(database, changeId, operationId);
  if (before.proofDigest === null && before.status === 'pending_approval') {
    const order = {
      operationId,
      baseVersion: before.baseVersion,
      rules: parseRuleSet(before.rules),
      engine: proposedEngine(before),
      through,
    };
    await storeProof(database, input, await proveRuleChange(database, order, reportProgress));
  }
  const summary = proofSummary(await ruleChangeOf(database, changeId, operationId));
  if (summary === null)
    throw ApplicationFailure.nonRetryable(`rule change ${changeId} was closed without a report`, 'RuleChangeClosed');
  return summary;
}

/** Ends the work for a request that was decided in the meantime. */
function reportProgress(cases: number): void {
  const context = Context.current();
  context.heartbeat({ cases });
  if (context.cancellationSignal.aborted) throw new CancelledFailure('the report is no longer needed');
}
