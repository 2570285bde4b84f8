// Proposed changes of rules in Postgres: reading the request, keeping its decisions, and putting an approved one in force.
import { ApplicationFailure } from '@temporalio/activity';
import type { RuleChangeSnapshot } from '../../domain/rule-change.js';
import { parseRuleSet } from '../../domain/rules/rule-set.js';
import type { Database } from '../../store/client.js';
import { decisionAuditSql, replaceRuleSet } from '../../store/rule-sets.js';
import { ruleChangeSnapshot } from '../../store/rule-changes.js';
import type { Sealer } from '../../store/sealing.js';
import type { RuleChangeActivities } from '../operation-types.js';

export function createRuleChangeStore(database: Database, sealer: Sealer): RuleChangeActivities {
  return {
    loadRuleChange: async ({ changeId, operationId }) => ruleChangeSnapshot(await requestOf(database, changeId, operationId)),
    storeRuleChange: ({ change }) => storeRuleChange(database, change),
    applyRuleChange: (input) => applyRuleChange(database, sealer, input),
  };
}

async function requestOf(database: Database, changeId: string, operationId: string) {
  const row = await database.ruleChangeRequest.findFirst({ where: { id: changeId, operationId } });
  if (row === null) throw ApplicationFailure.nonRetryable(`rule change ${changeId} does not exist`, 'RuleChangeMissing');
  return row;
}

/** The row and the audit trail's entry of the newest decision, in one statement; repeating it changes nothing. */
async function storeRuleChange(database: Database, { id, operationId, status, decisions, decidedAt }: RuleChangeSnapshot): Promise<void> {
  await database.$queryRaw`
    WITH changed AS (
      UPDATE rule_change_request SET status = ${status}, decisions = ${JSON.stringify(decisions)}::jsonb,
        decided_by = ${decisions.map(({ person }) => person)}::text[], decided_at = ${decidedAt}::timestamptz
      WHERE id = ${id} AND operation_id = ${operationId} AND status = 'pending_approval'
      RETURNING id
    )
    SELECT ${decisionAuditSql(operationId, id, decisions)} FROM changed`;
}

async function applyRuleChange(database: Database, sealer: Sealer, { change, eventId }: { change: RuleChangeSnapshot; eventId: string }) {
  const { id, operationId, baseVersion, decisions, decidedAt } = change;
  const row = await requestOf(database, id, operationId);
  // A repeat whose first answer was lost.
  if (row.appliedVersion !== null) return { kind: 'applied', version: row.appliedVersion } as const;
  const replaced = await replaceRuleSet(database, sealer, {
    operationId,
    baseVersion,
    rules: parseRuleSet(row.rules),
    createdBy: `${id} (${decisions.map(({ person }) => person).join(', ')})`,
    at: decidedAt ?? row.createdAt.toISOString(),
    eventId,
    request: { id, decisions },
  });
  if (replaced.kind === 'stored') return { kind: 'applied', version: replaced.version } as const;
  const { appliedVersion } = await requestOf(database, id, operationId);
  if (appliedVersion !== null) return { kind: 'applied', version: appliedVersion } as const;
  // Not stored although nothing came in between: the operation has no counter, or the request was closed by hand.
  if (replaced.currentVersion === baseVersion) throw new Error(`rule change ${id} could not be stored`);
  return { kind: 'superseded', currentVersion: replaced.currentVersion } as const;
}
