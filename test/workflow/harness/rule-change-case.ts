// One proposed change of rules of a test: started as the api does it, decided as the `gateway` command does.
import { WithStartWorkflowOperation, type WorkflowHandle } from '@temporalio/client';
import {
  decideRuleChange,
  recomputeRuleChangeProof,
  RULE_CHANGE_WORKFLOW,
  type RuleChangeDecisionInput,
  type RuleChangeInput,
  type RuleChangeOutcome,
  ruleChangeQuery,
  ruleChangeStart,
} from '../../../contract/temporal/rule-change.js';
import type { RuleChangeSnapshot } from '../../../domain/rule-change.js';
import { eventually } from '../../../lab/harness/eventually.js';
import type { Gateway } from './gateway.js';
import { newId } from './stage.js';

type Decision = RuleChangeDecisionInput['decision'];

/** Who decides, why, and the digest of the report that they have read. */
interface Wishes {
  readonly person?: string;
  readonly reason?: string;
  readonly digest?: string | null;
}

/** A stored request, based on version 1, and its workflow if it was started. */
export async function proposeRuleChange(
  gateway: Gateway,
  { isStarted = true, isProven = isStarted }: { isStarted?: boolean; isProven?: boolean } = {},
) {
  const input: RuleChangeInput = { changeId: newId('chg_'), operationId: newId('op_') };
  const operations = gateway.world.operations;
  operations.changes.set(input.changeId, {
    id: input.changeId,
    operationId: input.operationId,
    status: 'pending_approval',
    baseVersion: 1,
    decisions: [],
    proof: null,
    appliedVersion: null,
    createdAt: await gateway.now(),
    decidedAt: null,
  });
  const { client } = gateway.temporal;
  const options = ruleChangeStart(input, 'acme');
  if (isStarted) await client.start<(input: RuleChangeInput) => Promise<unknown>>(RULE_CHANGE_WORKFLOW, options);
  const handle: WorkflowHandle = client.getHandle(input.changeId);
  const row = () => operations.changes.get(input.changeId) as RuleChangeSnapshot;
  const withStart = () =>
    new WithStartWorkflowOperation<(input: RuleChangeInput) => Promise<unknown>>(RULE_CHANGE_WORKFLOW, options);
  /** Stores a person's act as the `gateway` command does. */
  const act = (
    { person = 'ana', digest = row().proof?.digest ?? null, ...order }: Wishes,
    what: Decision | 'recompute',
  ) =>
    gateway.world.database.acts.store({
      kind: `rule_change.${what}`,
      operationId: input.operationId,
      subjectId: input.changeId,
      subjectVersion: 1,
      subjectDigest: what === 'approve' ? digest : null,
      handle: person,
      reason: '',
      ...order,
    });
  const send = (order: RuleChangeDecisionInput): Promise<RuleChangeOutcome> =>
    client.executeUpdateWithStart(decideRuleChange, { args: [order], startWorkflowOperation: withStart() });
  /** By default ana approves the report that is there. */
  const decide = async ({ decision = 'approve', ...settings }: Wishes & { decision?: Decision } = {}) =>
    send({ decision, actId: act(settings, decision) });
  const recompute = (person: string): Promise<RuleChangeOutcome> =>
    client.executeUpdateWithStart(recomputeRuleChangeProof, {
      args: [{ actId: act({ person }, 'recompute') }],
      startWorkflowOperation: withStart(),
    });
  const proven = () => eventually(async () => (await handle.query(ruleChangeQuery))?.proof != null, 'the report');
  if (isProven) await proven();
  const version = () => operations.versions.get(input.operationId) ?? 1;
  const events = () => gateway.world.database.events.filter(({ operationId }) => operationId === input.operationId);
  return { input, handle, act, send, decide, recompute, proven, row, version, events, operations };
}
