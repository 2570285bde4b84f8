// The SQL that the fact readers share: the rule set in force and what is listed. Fragments of one statement each, so
// that all facts of a decision come from the same moment.
import { ApplicationFailure } from '@temporalio/activity';
import type { ListKind, ListName } from '../../../domain/rules/lookup-values.js';
import { type EngineRules, engineRulesSchema } from '../../../domain/rules/engine-rules.js';
import { parseRuleSet } from '../../../domain/rules/rule-set.js';
import { type Thresholds, thresholdsOf } from '../../../domain/rules/thresholds.js';
import { Prisma } from '../../../prisma/generated/client.js';

export interface Asked {
  readonly kind: ListKind;
  readonly hash: Uint8Array | null;
}

/** `rule_set`: the one in force (no row for an operation without). */
export function ruleSetSql(operationId: string): Prisma.Sql {
  return Prisma.sql`rule_set AS (
    SELECT version, rules, engine FROM rule_set_version WHERE operation_id = ${operationId} ORDER BY version DESC LIMIT 1)`;
}

/** `listed`: one row with `hits`, each `<list>:<kind>`, for the hashes asked. One index probe per list and hash. */
export function listedSql(operationId: string, asked: readonly Asked[]): Prisma.Sql {
  const known = asked.filter((one): one is Asked & { hash: Uint8Array } => one.hash !== null);
  return Prisma.sql`listed AS (
    SELECT coalesce(array_agg(DISTINCT entry.list || ':' || entry.kind), '{}') AS hits
    FROM unnest(${known.map(({ kind }) => kind)}::text[], ${known.map(({ hash }) => Buffer.from(hash))}::bytea[]) AS asked(kind, hash)
    JOIN list_entry AS entry ON entry.operation_id = ${operationId} AND entry.list IN ('block', 'review')
      AND entry.kind = asked.kind AND entry.value_hash = asked.hash)`;
}

/** Whether a kind is listed, from the `hits` of `listed`. */
export function isListed(hits: readonly string[], list: ListName, kind: ListKind): boolean {
  return hits.includes(`${list}:${kind}`);
}

/** `known`: the player's revision and whether the document is the one fixed; no row for a new player. */
export function knownPlayerSql(operationId: string, playerRef: string, document: Uint8Array): Prisma.Sql {
  return Prisma.sql`known AS (
    SELECT revision::text AS revision, document_hash = ${document}::bytea AS same
    FROM player WHERE operation_id = ${operationId} AND external_ref = ${playerRef})`;
}

export interface KnownPlayerColumns {
  readonly player_revision: string | null;
  readonly same_document: boolean | null;
}

export interface RuleSetColumns {
  readonly version: number | null;
  readonly rules: unknown;
  readonly engine: unknown;
}

export interface RulesInForce {
  readonly ruleSetVersion: number;
  readonly thresholds: Thresholds;
  /** The engine's own configuration, for facts that depend on it. */
  readonly engine: EngineRules;
}

/** The thresholds of the rule set that was read. An operation without one cannot be decided for: a fault, not a verdict. */
export function rulesInForce(row: RuleSetColumns | undefined, operationId: string, currency: string): RulesInForce {
  if (row === undefined || row.version === null)
    throw ApplicationFailure.nonRetryable(`operation ${operationId} has no rule set`, 'RuleSetMissing');
  const engine = engineRulesSchema.parse(row.engine ?? {});
  return { ruleSetVersion: row.version, thresholds: thresholdsOf(parseRuleSet(row.rules), currency, engine), engine };
}

/** The instant so many hours before another. Computed here: a day of the database session's time zone can have 23 or 25 hours. */
export function hoursBefore(at: string, hours: number): string {
  return new Date(Date.parse(at) - hours * 3_600_000).toISOString();
}
/** The rolling windows are 7 and 30 times 24 hours. */
export const HOURS_OF_7_DAYS = 168;
export const HOURS_OF_30_DAYS = 720;
/** Enough for any local day, and an hour. */
export const HOURS_OF_LOCAL_DAY = 26;

/** An instant of a JSON result as RFC 3339 with milliseconds in UTC. */
export function utcInstant(text: string): string {
  return new Date(text).toISOString();
}
