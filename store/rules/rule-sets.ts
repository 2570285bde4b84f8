// Rule set versions of an operation: written once, numbered 1, 2, 3, …; the highest is in force.
import { parseRuleSet, type RuleSet } from '../../domain/rules/rule-set.js';
import type { RuleSetVersion } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';

export interface StoredRuleSet {
  readonly version: number;
  readonly rules: RuleSet;
  /** RFC 3339. */
  readonly createdAt: string;
  readonly createdBy: string;
}

/** The client, or a transaction's. */
type RuleSetTable = Pick<Database, 'ruleSetVersion'>;

/** The rule set in force; null for an operation that has none (or does not exist). */
export async function currentRuleSet(database: RuleSetTable, operationId: string): Promise<StoredRuleSet | null> {
  const row = await database.ruleSetVersion.findFirst({ where: { operationId }, orderBy: { version: 'desc' } });
  return row === null ? null : storedRuleSet(row);
}

/** The newest versions of an operation, without their rules. */
export function newestRuleSets(database: Database, operationId: string, take: number) {
  return database.ruleSetVersion.findMany({
    where: { operationId },
    orderBy: { version: 'desc' },
    take,
    select: { version: true, createdAt: true, createdBy: true },
  });
}

/** One version; `null` if there is none. */
export async function ruleSetOfVersion(
  database: RuleSetTable,
  operationId: string,
  version: number,
): Promise<StoredRuleSet | null> {
  const row = await database.ruleSetVersion.findUnique({
    where: { operationId_version: { operationId, version } },
  });
  return row === null ? null : storedRuleSet(row);
}

function storedRuleSet({ version, rules, createdAt, createdBy }: RuleSetVersion): StoredRuleSet {
  return { version, rules: parseRuleSet(rules), createdAt: createdAt.toISOString(), createdBy };
}

export interface NewRuleSet {
  readonly operationId: string;
  /** The `version` in it is replaced by the next one. */
  readonly rules: RuleSet;
  readonly createdBy: string;
  /** Stored only if this is still the version in force; 0 if there is none yet. */
  readonly expectedVersion?: number;
}

export type RuleSetInsertion =
  | { readonly kind: 'stored'; readonly version: number }
  /** Another version was stored in the meantime. */
  | { readonly kind: 'stale'; readonly currentVersion: number }
  | { readonly kind: 'unknown_operation' };

const INSERT_ATTEMPTS = 20;

/**
 * Stores the next version without an event. SQL, because the number is taken and the row inserted in one statement: of
 * two concurrent calls one is stored first, and the other becomes the next version, or stale.
 */
export async function insertRuleSet(
  database: Pick<Database, '$queryRaw'>,
  { operationId, rules, createdBy, expectedVersion }: NewRuleSet,
): Promise<RuleSetInsertion> {
  for (let attempt = 1; attempt <= INSERT_ATTEMPTS; attempt += 1) {
    const [row] = await database.$queryRaw<{ known: boolean; current: number; stored: number | null }[]>`
      WITH known AS (
        SELECT id, coalesce((SELECT max(version) FROM rule_set_version WHERE operation_id = id), 0) AS current
        FROM operation WHERE id = ${operationId}
      ),
      stored AS (
        INSERT INTO rule_set_version (operation_id, version, rules, created_by)
        SELECT id, current + 1, jsonb_set(${JSON.stringify(rules)}::jsonb, '{version}', to_jsonb(current + 1)),
          ${createdBy}
        FROM known WHERE current = coalesce(${expectedVersion ?? null}::int, current)
        ON CONFLICT DO NOTHING
        RETURNING version
      )
      SELECT EXISTS (SELECT FROM known) AS known, coalesce((SELECT current FROM known), 0) AS current,
        (SELECT version FROM stored) AS stored`;
    if (row === undefined || !row.known) return { kind: 'unknown_operation' };
    if (row.stored !== null) return { kind: 'stored', version: row.stored };
    if (expectedVersion !== undefined && row.current !== expectedVersion)
      return { kind: 'stale', currentVersion: row.current };
    // Another transaction has just taken the number: try the next.
  }
  throw new Error('rule set versions of this operation change too fast');
}
