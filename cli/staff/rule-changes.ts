// A proposed change of rules as the commands read and print it.
import {
  countedApprovals,
  RULE_CHANGE_APPROVALS,
  ruleChangeExpiresAt,
  type RuleChangeSnapshot,
} from '../../domain/rule-change.js';
import type { RuleChangeRequest } from '../../prisma/generated/client.js';
import type { Database } from '../../store/database.js';
import { ruleChangeById } from '../../store/rules/rule-change-requests.js';
import { refused } from '../problem.js';

export async function requestRow(database: Database, id: string): Promise<RuleChangeRequest> {
  const row = await ruleChangeById(database, id);
  if (row === null) throw refused(`change ${id}: there is no such change`);
  return row;
}

/** `approvals.given` are those that count: of the report that is there now. */
export function presentChange(row: RuleChangeRequest, change: RuleChangeSnapshot) {
  return {
    id: change.id,
    operation_id: change.operationId,
    status: change.status,
    base_version: change.baseVersion,
    requested_by: row.requestedBy,
    created_at: change.createdAt,
    expires_at: ruleChangeExpiresAt(change),
    digest: change.proof?.digest ?? null,
    summary: change.proof?.summary ?? null,
    approvals: { given: countedApprovals(change).map(({ person }) => person), needed: RULE_CHANGE_APPROVALS },
    decisions: change.decisions,
    applied_version: change.appliedVersion,
    decided_at: change.decidedAt,
  };
}
