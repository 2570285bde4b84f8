// Proposed changes of rules: what waits, one with its report, and what a person does about it.
import { RuleSetError } from '../../domain/rules/rule-set.js';
import type { Answering } from '../../contract/panel/routes.js';
import type { PanelErrorCode } from '../../contract/panel/errors.js';
import { actOnChange, type ChangeAct, type ChangeActAnswer } from '../../staff/acts/rule-changes.js';
import { proposeRules } from '../../staff/acts/rule-sets.js';
import { readRuleChange, readRuleChanges } from '../../staff/reads/panel/rule-changes.js';
import { changedRules, type ChangedRules, tryRules } from '../../staff/reads/panel/rule-trial.js';
import { may, sees, type Viewer } from '../../staff/viewer.js';
import { operationExists } from '../../store/operations/operations.js';
import { confirmed } from '../confirmation.js';
import { trial } from '../limits.js';
import { isRefusal, type Refusal, refuse } from '../refusal.js';
import type { HandlerRequest, Handlers } from '../request.js';
import { actServices, type PanelServices } from '../services.js';
import { unreachedCode } from './outcomes.js';

type RuleChangeHandlers = Handlers<
  'readRuleChanges' | 'readRuleChange' | 'actOnRuleChange' | 'tryRules' | 'proposeRules'
>;
type Acting = HandlerRequest<'actOnRuleChange'>;
type RuleChangeAnswer = Answering<'readRuleChange'>;

export function ruleChangeHandlers(services: PanelServices): RuleChangeHandlers {
  const { database } = services;
  return {
    readRuleChanges: ({ viewer }) => readRuleChanges(database, viewer),
    readRuleChange: async ({ viewer, params: { id } }) =>
      (await readRuleChange(database, viewer, id)) ?? refuse('not_found'),
    actOnRuleChange: (request) => act(services, request),
    tryRules: async ({ viewer, params: { operation }, body, now }) => {
      if (!may(viewer, 'rules.set', operation)) return refuse(sees(viewer, operation) ? 'not_permitted' : 'not_found');
      if (!(await operationExists(database, operation))) return refuse('not_found');
      const wait = await trial(services, viewer.handle);
      if (wait !== null) return wait;
      const changed = await changedOrInvalid(services, operation, body);
      return isRefusal(changed) ? changed : tryRules(database, operation, changed, now);
    },
    proposeRules: (request) => propose(services, request),
  };
}

/** The rules with these thresholds. What they cannot hold is the person's mistake, and named. */
async function changedOrInvalid(
  { database }: PanelServices,
  operationId: string,
  { changes, engine_changes: engineChanges }: HandlerRequest<'tryRules'>['body'],
): Promise<ChangedRules | Refusal> {
  try {
    return await changedRules(database, operationId, changes, engineChanges);
  } catch (error) {
    if (!(error instanceof RuleSetError)) throw error;
    const [path = '', problem = ''] = error.message.split(/: (.*)/s);
    return refuse('invalid', { issues: [{ path, problem }] });
  }
}

async function propose(
  services: PanelServices,
  { viewer, params: { operation: operationId }, body }: HandlerRequest<'proposeRules'>,
): Promise<Answering<'proposeRules'> | Refusal> {
  if (!sees(viewer, operationId)) return refuse('not_found');
  const changed = await changedOrInvalid(services, operationId, body);
  if (isRefusal(changed)) return changed;
  const { baseVersion, rules } = changed;
  const hasEngine = Object.keys(body.engine_changes).length > 0;
  if (baseVersion !== body.base_version) return refuse('stale');
  const proposal = { operationId, rules, engine: hasEngine ? changed.engine : null, baseVersion };
  const outcome = await proposeRules(actServices(services), viewer, proposal, body.reason);
  if (outcome.kind !== 'requested') return refuse(outcome.kind === 'not_permitted' ? outcome.kind : 'not_found');
  // It is stored in any case. Its page offers to compute the report again.
  return { id: outcome.changeId };
}

async function act(services: PanelServices, request: Acting): Promise<Answering<'actOnRuleChange'> | Refusal> {
  const { viewer, params, body } = request;
  const { id } = params;
  const seen = await readRuleChange(services.database, viewer, id);
  if (seen === null) return refuse('not_found');
  if (body.act === 'approve') {
    // With another digest it is not the report that the person has read.
    if (seen.proof?.is_intact === false) return refuse('other_state', { now: stateOf(seen) });
  }
  if (body.act !== 'approve' && !isAsSeen(seen, body)) return refuse('stale', { now: stateOf(seen) });
  const actor = body.act === 'approve' ? await approver(services, viewer, seen, body) : viewer;
  if (isRefusal(actor)) return actor;
  const answer = await actOnChange(actServices(services), actor, actOf(id, body));
  if (answer.kind === 'done') return { outcome: 'done', status: answer.change.status };
  if (answer.kind === 'under_way') return { outcome: 'under_way', status: seen.status };
  const now = (await readRuleChange(services.database, viewer, id)) ?? seen;
  return refuse(codeOf(answer), { now: stateOf(now) });
}

/** Whether it has the report and the approvals that the person saw. */
function isAsSeen(
  { proof, approvals }: RuleChangeAnswer,
  seen: { readonly digest: string | null; readonly approvals: number },
) {
  return (proof?.digest ?? null) === seen.digest && approvals.given.length === seen.approvals;
}

/** Approvers of a change approve the report with this digest: they sign it, or type its end. */
function approver(
  services: PanelServices,
  viewer: Viewer,
  { id, base_version: subjectVersion }: RuleChangeAnswer,
  { digest, reason, ...given }: Extract<Acting['body'], { act: 'approve' }>,
) {
  const act = { kind: 'rule_change.approve', subjectId: id, subjectVersion, subjectDigest: digest, reason } as const;
  return confirmed(services, viewer, act, given, digest);
}

function actOf(id: string, body: Acting['body']): ChangeAct {
  switch (body.act) {
    case 'approve':
      return { kind: 'rule_change.approve', id, reason: body.reason, digest: body.digest };
    case 'reject':
      return { kind: 'rule_change.reject', id, reason: body.reason };
    case 'recompute':
      return { kind: 'rule_change.recompute', id, reason: '' };
  }
}

function codeOf(answer: Exclude<ChangeActAnswer, { kind: 'done' | 'under_way' }>): PanelErrorCode {
  switch (answer.kind) {
    case 'unknown_change':
      return 'not_found';
    case 'not_permitted':
    case 'too_close':
      return answer.kind;
    case 'other_proof':
      return 'stale';
    case 'no_proof':
      return 'other_state';
    case 'not_pending':
      return 'decided_before';
    case 'approved_already':
      return 'same_person';
    case 'unreached':
      return unreachedCode(answer);
  }
}

function stateOf({ status, decided }: RuleChangeAnswer) {
  return { status, version: null, decisions: decided };
}
