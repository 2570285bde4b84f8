// What people decide about a proposed change of rules. Each is one SQL statement that uses up the person's stored act,
// writes the audit entry and changes the request, if the request is still as it was read; otherwise it stores nothing.
import {
  countedApprovals,
  type RuleChangeDecision,
  type RuleChangeSnapshot,
  subjectOf,
  usedBy,
} from '../../domain/rule-change.js';
import { canonicalJson } from '../../domain/rules/canonical-json.js';
import { parseRuleSet } from '../../domain/rules/rule-set.js';
import type { StaffAct } from '../../domain/staff.js';
import { Prisma } from '../../prisma/generated/client.js';
import { detailBy } from '../audit/audit.js';
import type { Database } from '../database.js';
import type { Sealer } from '../sealing/sealer.js';
import { usedActSql } from '../staff/acts.js';
import { decisionAuditSql } from './decision-audit-sql.js';
import { replaceRuleSet } from './rule-set-replacement.js';
import { proposedEngine, ruleChangeOf } from './rule-changes.js';

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
  const stored = await database.$queryRaw<object[]>`
    WITH held AS (${heldSql(before)}),
    ${usedActSql(usedBy(before, usedIn(decision), kind), subjectOf(before, kind))}
    changed AS (
      UPDATE rule_change_request SET status = ${status}, decided_at = ${decidedAt}::timestamptz,
        decisions = ${JSON.stringify(decisions)}::jsonb, decided_by = ${decisions.map(({ person }) => person)}::text[]
      FROM held, used WHERE rule_change_request.id = held.id
      RETURNING rule_change_request.id
    )
    SELECT ${decisionAuditSql(before.operationId, before.id, decisions)} FROM changed`;
  return stored.length > 0;
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
      id,
      decisions,
      heldSql: heldSql(before),
      usedSql: usedActSql(
        usedBy(before, usedIn(decision), 'rule_change.approve'),
        subjectOf(before, 'rule_change.approve'),
      ),
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
  const stored = await database.$queryRaw<object[]>`
    WITH held AS (${heldSql(before)}),
    ${usedActSql(usedBy(before, act, kind), subjectOf(before, kind))}
    changed AS (
      UPDATE rule_change_request SET proof = NULL, proof_digest = NULL
      FROM held, used WHERE rule_change_request.id = held.id
      RETURNING rule_change_request.id
    )
    SELECT append_audit(
      ${act.id}, ${at}::timestamptz, ${act.handle}, ${kind}, ${operationId}, ${id}, ${detail}
    )::text FROM changed`;
  return stored.length > 0;
}

function usedIn({ actId: id, means, address }: RuleChangeDecision) {
  return { id, means, address };
}

/** The request as it was read: pending, with these decisions and this report. */
function heldSql({ id, operationId, decisions, proof }: RuleChangeSnapshot): Prisma.Sql {
  return Prisma.sql`
      SELECT id FROM rule_change_request
      WHERE id = ${id} AND operation_id = ${operationId} AND status = 'pending_approval'
        AND jsonb_array_length(decisions) = ${decisions.length}::int
        AND proof_digest IS NOT DISTINCT FROM ${proof?.digest ?? null}::text
      FOR UPDATE`;
}
