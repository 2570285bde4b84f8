// Rows of proposed rule changes, mapped to the domain, and the first storing of one.
import type { RuleChangeDecision, RuleChangeSnapshot, RuleChangeStatus } from '../domain/rule-change.js';
import type { RuleSet } from '../domain/rules/rule-set.js';
import type { Prisma, RuleChangeRequest } from '../prisma/generated/client.js';
import type { Database } from './client.js';

export interface NewRuleChange {
  readonly id: string;
  readonly operationId: string;
  readonly baseVersion: number;
  readonly rules: RuleSet;
  readonly justification: string;
  /** The API key that asked. */
  readonly requestedBy: string;
}

/** Stores a request once: a repeat after a crash carries the same id and changes nothing. */
export async function insertRuleChange(database: Database, change: NewRuleChange): Promise<void> {
  const rules = change.rules as unknown as Prisma.InputJsonValue;
  await database.ruleChangeRequest.createMany({ data: [{ ...change, rules, decidedBy: [] }], skipDuplicates: true });
}

/** What the workflow and the support commands know of a request. */
export function ruleChangeSnapshot(row: RuleChangeRequest): RuleChangeSnapshot {
  return {
    id: row.id,
    operationId: row.operationId,
    status: row.status as RuleChangeStatus,
    baseVersion: row.baseVersion,
    decisions: row.decisions as unknown as RuleChangeDecision[],
    appliedVersion: row.appliedVersion,
    createdAt: row.createdAt.toISOString(),
    decidedAt: row.decidedAt?.toISOString() ?? null,
  };
}
