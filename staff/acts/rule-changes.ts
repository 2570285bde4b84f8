// What a person does about a proposed change of rules. The act is stored first; the change's workflow, which is started
// if it does not run, only gets its id.
import {
  type Client,
  WithStartWorkflowOperation,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowUpdateHandle,
  WorkflowUpdateStage,
} from '@temporalio/client';
import {
  decideRuleChange,
  recomputeRuleChangeProof,
  RULE_CHANGE_WORKFLOW,
  type RuleChangeInput,
  type RuleChangeOutcome,
  ruleChangeStart,
} from '../../contract/temporal/rule-change.js';
import { isSamePerson } from '../../domain/people.js';
import {
  countedApprovals,
  type RuleChangeRefusal,
  type RuleChangeSnapshot,
  type RuleChangeStatus,
} from '../../domain/rule-change.js';
import { type RuleChangeActKind, STAFF_ACT_REFUSALS } from '../../domain/staff.js';
import type { Database } from '../../store/database.js';
import { type Actor, insertAct } from '../../store/staff/acts.js';
import { mayNow } from '../../store/staff/people.js';
import { readChangeState } from '../reads/rule-changes.js';
import { wakeWaiting } from './wake.js';
import {
  type ActServices,
  mayStillBeDone,
  NOT_IN_BOOKS,
  settle,
  settled,
  type UnderWay,
  type Unreached,
  unreached,
  UPDATE_TIMEOUTS,
} from './workflow-updates.js';

type RuleChangeWorkflow = (input: RuleChangeInput) => Promise<unknown>;

export type ChangeAct =
  | { readonly kind: 'rule_change.approve'; readonly id: string; readonly reason: string; readonly digest: string }
  | { readonly kind: 'rule_change.reject' | 'rule_change.recompute'; readonly id: string; readonly reason: string };

/** Refused by the change's row, before anything is stored. */
type ChangeNotAsked =
  | { readonly kind: 'unknown_change' | 'not_permitted' | 'other_proof' | 'no_proof' | 'too_close' }
  | { readonly kind: 'not_pending'; readonly status: RuleChangeStatus; readonly baseVersion: number }
  /** `person` has approved the report already. */
  | { readonly kind: 'approved_already'; readonly person: string };

export type ChangeActAnswer =
  /** The change as its row has it then. */
  { readonly kind: 'done'; readonly change: RuleChangeSnapshot } | ChangeNotAsked | UnderWay | Unreached;

/** Approves or rejects a change, or has its report computed again and waits for it. */
export async function actOnChange(services: ActServices, actor: Actor, act: ChangeAct): Promise<ChangeActAnswer> {
  const { database, withTemporal, timeouts = UPDATE_TIMEOUTS } = services;
  const found = await readChangeState(database, act.id);
  if (found === null) return { kind: 'unknown_change' };
  const { change, operationName } = found;
  const { operationId, baseVersion: subjectVersion } = change;
  const refusal = whyNotAsked(change, actor, act);
  if (refusal !== null) return refusal;
  if (!(await mayNow(database, actor, act.kind, operationId))) return { kind: 'not_permitted' };
  return withTemporal(async (client) => {
    const subjectDigest = act.kind === 'rule_change.approve' ? act.digest : null;
    const stored = { actor, kind: act.kind, operationId, subjectId: act.id, subjectVersion, subjectDigest };
    const actId = await insertAct(database, { ...stored, reason: act.reason });
    const input = { changeId: act.id, operationId };
    const outcome = await settle(client, timeouts, () => ask(client, act.kind, actId, input, operationName));
    const done = () => storedOutcome(database, act);
    const refused = async () => (outcome.kind === 'done' ? NOT_IN_BOOKS : outcome);
    // A report that was being computed already is computed without the act.
    const isRecomputed = act.kind === 'rule_change.recompute' && outcome.kind === 'done';
    const answer = isUnknown(outcome) || isRecomputed ? outcome : await settled(database, actId, { done, refused });
    if (answer.kind === 'under_way' || (answer.kind === 'unreached' && mayStillBeDone(answer))) return answer;
    const now = (await readChangeState(database, act.id))?.change ?? change;
    // Somebody else may have decided it since the row was read, and its workflow has ended.
    if (answer.kind === 'unreached') return now.status === 'pending_approval' ? answer : notPending(now);
    if (answer.kind === 'done' && now.status === 'approved')
      await wakeWaiting({ database, withTemporal: (work) => work(client) }, operationId, 'automatic_hours');
    return answer.kind === 'done' ? { kind: 'done', change: now } : refusedBy(answer.kind, now, actor);
  });
}

/** Of an act that was used up. A report that is computed again takes a while. */
async function storedOutcome(
  database: Database,
  { id, kind }: ChangeAct,
): Promise<{ readonly kind: 'done' } | UnderWay> {
  if (kind !== 'rule_change.recompute') return { kind: 'done' };
  const proof = (await readChangeState(database, id))?.change.proof ?? null;
  return proof === null ? { kind: 'under_way' } : { kind: 'done' };
}

/** The row is enough to refuse what is decided, and an approval of another report or by the same person. */
function whyNotAsked(change: RuleChangeSnapshot, actor: Actor, act: ChangeAct): ChangeNotAsked | null {
  if (change.status !== 'pending_approval') return notPending(change);
  if (act.kind !== 'rule_change.approve') return null;
  if (change.proof === null) return { kind: 'no_proof' };
  if (change.proof.digest !== act.digest) return { kind: 'other_proof' };
  const person = approvedAs(change, actor);
  return person === null ? null : { kind: 'approved_already', person };
}

/** The step found what the row did not show before. */
function refusedBy(refusal: RuleChangeRefusal, change: RuleChangeSnapshot, actor: Actor): ChangeNotAsked {
  switch (refusal) {
    case 'not_pending':
      return notPending(change);
    case 'same_person':
      return { kind: 'approved_already', person: approvedAs(change, actor) ?? actor.handle };
    case 'other_proof':
    case 'not_permitted':
    case 'too_close':
      return { kind: refusal };
    case 'unknown_act':
    case 'other_subject':
    case 'used_act':
    case 'expired_act':
    case 'subject_changed':
    case 'never_second':
      throw new Error(`an act that was just stored was refused: ${STAFF_ACT_REFUSALS[refusal]}`);
  }
}

function notPending({ status, baseVersion }: RuleChangeSnapshot): ChangeNotAsked {
  return { kind: 'not_pending', status, baseVersion };
}

function approvedAs(change: RuleChangeSnapshot, { handle }: Actor): string | null {
  return countedApprovals(change).find(({ person }) => isSamePerson(person, handle))?.person ?? null;
}

function ask(
  client: Client,
  kind: RuleChangeActKind,
  actId: string,
  input: RuleChangeInput,
  operationName: string,
): Promise<WorkflowUpdateHandle<RuleChangeOutcome>> {
  const options = {
    updateId: actId,
    waitForStage: WorkflowUpdateStage.ACCEPTED,
    startWorkflowOperation: new WithStartWorkflowOperation<RuleChangeWorkflow>(
      RULE_CHANGE_WORKFLOW,
      ruleChangeStart(input, operationName),
    ),
  } as const;
  if (kind === 'rule_change.recompute')
    return client.workflow.startUpdateWithStart(recomputeRuleChangeProof, { ...options, args: [{ actId }] });
  const decision = kind === 'rule_change.approve' ? 'approve' : 'reject';
  return client.workflow.startUpdateWithStart(decideRuleChange, { ...options, args: [{ decision, actId }] });
}

/** The act may still be done: what becomes of it is not known. */
function isUnknown(answer: { readonly kind: string } | Unreached): boolean {
  return answer.kind === 'under_way' || (answer.kind === 'unreached' && mayStillBeDone(answer as Unreached));
}

/** Starts the workflow of a stored change, which computes its report. Null: it runs. */
export async function startChange(
  client: Client,
  input: RuleChangeInput,
  operationName: string,
  { acceptMs } = UPDATE_TIMEOUTS,
): Promise<Unreached | null> {
  try {
    await client.withDeadline(Date.now() + acceptMs, () =>
      client.workflow.start<RuleChangeWorkflow>(RULE_CHANGE_WORKFLOW, ruleChangeStart(input, operationName)),
    );
    return null;
  } catch (error) {
    return error instanceof WorkflowExecutionAlreadyStartedError ? null : unreached(error);
  }
}
