// Requested rule changes: lists for staff, and one by its id.
import type { RuleChangeRequest } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';

/** Changes that wait for approval, oldest first; with `all` the decided ones too. */
export function listRuleChanges(
  database: Database,
  { operationId, all, limit }: { operationId: string | null; all: boolean; limit: number },
): Promise<RuleChangeRequest[]> {
  return database.ruleChangeRequest.findMany({
    where: { ...(operationId === null ? {} : { operationId }), ...(all ? {} : { status: 'pending_approval' }) },
    orderBy: { createdAt: 'asc' },
    take: limit,
  });
}

/** The row of a change; null if there is none. */
export function ruleChangeById(database: Database, id: string): Promise<RuleChangeRequest | null> {
  return database.ruleChangeRequest.findUnique({ where: { id } });
}
