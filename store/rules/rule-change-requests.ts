// Requested rule changes: lists for staff, and one by its id.
import type { Reach } from '../../domain/staff.js';
import type { RuleChangeRequest } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';

/** Changes that wait for approval, oldest first; with `all` also the decided ones. */
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

/** Changes of the operations that a person reaches that wait for approval, longest waiting first. */
export function pendingRuleChanges(database: Database, reach: Reach, limit: number): Promise<RuleChangeRequest[]> {
  return database.ruleChangeRequest.findMany({
    where: { status: 'pending_approval', ...(reach === 'every' ? {} : { operationId: { in: [...reach] } }) },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: limit,
  });
}

/** The newest changes of an operation, decided ones too. */
export function latestRuleChanges(
  database: Database,
  operationId: string,
  limit: number,
): Promise<RuleChangeRequest[]> {
  return database.ruleChangeRequest.findMany({ where: { operationId }, orderBy: { createdAt: 'desc' }, take: limit });
}

/** Whether the operation has that change. */
export async function isRuleChangeStored(database: Database, operationId: string, id: string): Promise<boolean> {
  return (await database.ruleChangeRequest.count({ where: { id, operationId } })) > 0;
}

/** The row of a change; `null` if there is none. */
export function ruleChangeById(database: Database, id: string): Promise<RuleChangeRequest | null> {
  return database.ruleChangeRequest.findUnique({ where: { id } });
}
