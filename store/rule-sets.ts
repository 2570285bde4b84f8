// Rule set versions of an operation: written once, numbered 1, 2, 3, …; the highest is in force.
import { parseRuleSet, type RuleSet } from '../domain/rules/rule-set.js';
import { Prisma } from '../prisma/generated/client.js';
import type { Database } from './client.js';

export interface StoredRuleSet {
  readonly version: number;
  readonly rules: RuleSet;
  /** RFC 3339. */
  readonly createdAt: string;
  readonly createdBy: string;
}

export interface NewRuleSet {
  readonly operationId: string;
  /** Its `version` is replaced by the next one. */
  readonly rules: RuleSet;
  readonly createdBy: string;
  /** Stored only if this is still the version in force (0: there is none yet). */
  readonly expectedVersion?: number;
}

export type RuleSetInsertion =
  | { readonly kind: 'stored'; readonly version: number }
  /** Another version came in between. */
  | { readonly kind: 'stale'; readonly currentVersion: number }
  | { readonly kind: 'unknown_operation' };

/** Anything that runs raw SQL: the client, or a transaction's. */
type RawDatabase = Pick<Database, '$queryRaw'>;

/** The rule set in force; null for an operation that has none (or does not exist). */
export async function currentRuleSet(database: RawDatabase, operationId: string): Promise<StoredRuleSet | null> {
  const [row] = await database.$queryRaw<RuleSetRow[]>(Prisma.sql`
    SELECT version, rules, created_at, created_by FROM rule_set_version
    WHERE operation_id = ${operationId} ORDER BY version DESC LIMIT 1`);
  return row === undefined ? null : storedRuleSet(row);
}

/** One earlier or current version; null if there is none. */
export async function ruleSetOfVersion(database: RawDatabase, operationId: string, version: number): Promise<StoredRuleSet | null> {
  const [row] = await database.$queryRaw<RuleSetRow[]>(Prisma.sql`
    SELECT version, rules, created_at, created_by FROM rule_set_version
    WHERE operation_id = ${operationId} AND version = ${version}`);
  return row === undefined ? null : storedRuleSet(row);
}

/** Stores the next version in one statement. Of two that race one is stored first; the other becomes the next, or stale. */
export async function insertRuleSet(database: RawDatabase, input: NewRuleSet): Promise<RuleSetInsertion> {
  const { operationId, rules, createdBy } = input;
  for (let attempt = 1; attempt <= INSERT_ATTEMPTS; attempt += 1) {
    const [row] = await database.$queryRaw<{ known: boolean; current: number; stored: number | null }[]>(Prisma.sql`
      WITH known AS (SELECT id, coalesce((SELECT max(version) FROM rule_set_version WHERE operation_id = id), 0) AS current
                     FROM operation WHERE id = ${operationId}),
           stored AS (
             INSERT INTO rule_set_version (operation_id, version, rules, created_by)
             SELECT id, current + 1, jsonb_set(${JSON.stringify(rules)}::jsonb, '{version}', to_jsonb(current + 1)), ${createdBy}
             FROM known WHERE current = coalesce(${input.expectedVersion ?? null}::int, current)
             ON CONFLICT DO NOTHING RETURNING version)
      SELECT EXISTS (SELECT FROM known) AS known, coalesce((SELECT current FROM known), 0) AS current, (SELECT version FROM stored) AS stored`);
    if (row === undefined || !row.known) return { kind: 'unknown_operation' };
    if (row.stored !== null) return { kind: 'stored', version: row.stored };
    if (input.expectedVersion !== undefined && row.current !== input.expectedVersion) return { kind: 'stale', currentVersion: row.current };
    // Another version took the number in this very moment: look again.
  }
  throw new Error('rule set versions of this operation change too fast');
}

const INSERT_ATTEMPTS = 20;

interface RuleSetRow {
  readonly version: number;
  readonly rules: unknown;
  readonly created_at: Date;
  readonly created_by: string;
}

function storedRuleSet(row: RuleSetRow): StoredRuleSet {
  const rules = parseRuleSet(row.rules);
  return { version: row.version, rules, createdAt: row.created_at.toISOString(), createdBy: row.created_by };
}
