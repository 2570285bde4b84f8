// What people decide about a proposed change of rules. Each is one SQL statement that uses up the person's stored act,
// writes the audit entry and changes the request, if the request is still as it was read; otherwise it stores nothing.
import type { NamedAction } from '../../domain/audit-actions.js';
import {
  countedApprovals,
  type RuleChangeDecision,
  type RuleChangeSnapshot,
  subjectOf,
  usedBy,
} from '../../domain/rule-change.js';
import { canonicalJson } from '../../domain/rules/canonical-json.js';
import { parseRuleSet } from '../../domain/rules/rule-set.js';
import type { RuleChangeActKind, StaffAct } from '../../domain/staff.js';
import { detailBy } from '../audit/audit.js';
import type { Database } from '../database.js';
import type { Sealer } from '../sealing/sealer.js';
import { rowsOf, sqlFile } from '../statements.js';
import { usedActParameter } from '../staff/acts.js';
import { replaceRuleSet } from './rule-sets.js';
import { proposedEngine, ruleChangeOf } from './rule-changes.js';

const DECIDE = sqlFile('rules/decide-rule-change.sql');
const VOID_PROOF = sqlFile('rules/void-proof.sql');

/** A decision on a change, and what becomes of the change by it. */
export interface DecisionToStore {
  /** As it was read. */
  readonly before: RuleChangeSnapshot;
  readonly decision: RuleChangeDecision;
  readonly status: 'pending_approval' | 'rejected' | 'superseded';
}

/** Stores a decision that puts no rules in force. False: the request changed, or the act cannot be done. */
export async function storeDecision(
  database: Database,
  { before, decision, status }: DecisionToStore,
): Promise<boolean> {
  const decisions = [...before.decisions, decision];
  const decidedAt = status === 'pending_approval' ? null : decision.at;
  const kind = `rule_change.${decision.decision}` as const;
  const statement = DECIDE({
    ...heldParameters(before),
    ...usedParameters(before, decision, kind),
    ...{ status, decidedAt, decisions: JSON.stringify(decisions) },
    decidedBy: decisions.map(({ person }) => person),
    audit: decisionAudit(before, decisions),
  });
  return (await rowsOf(database, statement)).length > 0;
}

/** `changed`: the request changed, or the act cannot be done. */
export type Application = 'applied' | 'superseded' | 'changed';

/** Stores the last approval and the next rule set version with its event. Only `applied` stored anything. */
export async function applyRuleChange(
  database: Database,
  sealer: Sealer,
  { before, decision, eventId }: Omit<DecisionToStore, 'status'> & { readonly eventId: string },
): Promise<Application> {
  const { id, operationId, baseVersion, proof } = before;
  const row = await ruleChangeOf(database, id, operationId);
  const decisions = [...before.decisions, decision];
  const people = countedApprovals({ decisions, proof }).map(({ person }) => person);
  const replaced = await replaceRuleSet(database, sealer, {
    operationId,
    baseVersion,
    rules: parseRuleSet(row.rules),
    engine: proposedEngine(row),
    createdBy: `${id} (${people.join(', ')})`,
    at: decision.at,
    eventId,
    request: {
      ...heldParameters(before),
      ...usedParameters(before, decision, 'rule_change.approve'),
      decisions: JSON.stringify(decisions),
      decidedBy: decisions.map(({ person }) => person),
      audit: decisionAudit(before, decisions),
    },
  });
  if (replaced.kind === 'stored') return 'applied';
  return replaced.currentVersion === baseVersion ? 'changed' : 'superseded';
}

/**
 * Voids the proof of the request, if any, so that it is computed again. `false` if the request changed, or the act
 * cannot be used.
 */
export async function voidProof(
  database: Database,
  { before, act, at }: { readonly before: RuleChangeSnapshot; readonly act: StaffAct; readonly at: string },
): Promise<boolean> {
  const kind = 'rule_change.recompute';
  const { id, operationId, proof } = before;
  const detail = canonicalJson(detailBy({ ...act, actId: act.id }, { reason: act.reason, void: proof?.digest }));
  const entry = { key: act.id, at, person: act.handle, action: kind, operationId, subject: id, detail };
  const statement = VOID_PROOF({
    ...heldParameters(before),
    ...usedParameters(before, { ...act, actId: act.id }, kind),
    audit: JSON.stringify(entry),
  });
  return (await rowsOf(database, statement)).length > 0;
}

/** The request as it was read: pending, with these decisions and this report. */
function heldParameters({ id, operationId, decisions, proof }: RuleChangeSnapshot) {
  return { id, operationId, decisionsBefore: decisions.length, digestBefore: proof?.digest ?? null };
}

/** The act by which it is decided, and the version that the act is about. */
function usedParameters(
  change: RuleChangeSnapshot,
  { actId: id, means, address }: Pick<RuleChangeDecision, 'actId' | 'means' | 'address'>,
  kind: RuleChangeActKind,
) {
  const { version, digest } = subjectOf(change, kind);
  return { act: usedActParameter(usedBy(change, { id, means, address }, kind), digest), version };
}

/** The parameter of `audit_act` for the newest decision. Repeating the statement appends it once. */
function decisionAudit(
  { id, operationId }: RuleChangeSnapshot,
  decisions: readonly RuleChangeDecision[],
): string | null {
  const last = decisions.at(-1);
  if (last === undefined) return null;
  const { at, person, decision, reason, digest } = last;
  const detail = canonicalJson(detailBy(last, { reason, digest: digest ?? undefined }));
  const key = `${id}:${decisions.length}`;
  const action: NamedAction = `rule_change.${decision}`;
  return JSON.stringify({ key, at, person, action, operationId, subject: id, detail });
}
