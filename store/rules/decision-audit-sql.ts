// The audit entry of a person's decision on a rule change, written in the statement that stores the decision.
import type { RuleChangeDecision } from '../../domain/rule-change.js';
import { canonicalJson } from '../../domain/rules/canonical-json.js';
import { Prisma } from '../../prisma/generated/client.js';
import { detailBy } from '../audit/audit.js';

/**
 * An expression that appends the newest decision to the audit trail and returns the entry's number; `null` if there is
 * no decision. Repeating the statement appends it once. The audit chain's lock is the last one taken.
 */
export function decisionAuditSql(
  operationId: string,
  changeId: string,
  decisions: readonly RuleChangeDecision[],
): Prisma.Sql {
  const last = decisions.at(-1);
  if (last === undefined) return Prisma.sql`NULL::text`;
  const [key, action] = [`${changeId}:${decisions.length}`, `rule_change.${last.decision}`];
  const detail = canonicalJson(detailBy(last, { reason: last.reason, digest: last.digest ?? undefined }));
  return Prisma.sql`
      append_audit(
        ${key}, ${last.at}::timestamptz, ${last.person}, ${action}, ${operationId}, ${changeId}, ${detail}
      )::text`;
}
