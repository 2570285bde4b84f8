// What the fact readers share: the CTEs of the rule set in force, of list hits and of the player. They are parts of one
// statement per decision, so that all facts are from the same moment; hence SQL.
import type { DocumentUse } from '../../../domain/rules/deposit-rules.js';
import { type EngineRules, engineRulesSchema } from '../../../domain/rules/engine-rules.js';
import { type ListKind, type ListName, LISTS } from '../../../domain/rules/lookup-values.js';
import { parseRuleSet } from '../../../domain/rules/rule-set.js';
import { type Thresholds, thresholdsOf } from '../../../domain/rules/thresholds.js';
import { Prisma } from '../../../prisma/generated/client.js';
import { MissingRowError } from '../../missing-row.js';
import { DEPOSIT_COUNTS, WITHDRAWAL_COUNTS } from '../../payments/phase-sql.js';

export interface ListQuestion {
  readonly kind: ListKind;
  readonly hash: Uint8Array | null;
}

/**
 * CTE `rule_set`: the one in force; no row for an operation without one. A person's stop of automatic withdrawals
 * overrides its engine thresholds.
 */
export function ruleSetSql(operationId: string): Prisma.Sql {
  return Prisma.sql`
    rule_set AS (
      SELECT version, rules,
        CASE WHEN operation.automatic_stopped_at IS NULL THEN engine
          ELSE coalesce(engine, '{}') || '{"auto_suspended": true}' END AS engine
      FROM rule_set_version JOIN operation ON operation.id = operation_id
      WHERE operation_id = ${operationId}
      ORDER BY version DESC LIMIT 1
    )`;
}

const LIST_LITERALS = Prisma.raw(LISTS.map((list) => `'${list}'`).join(', '));

/** CTE `listed`: one row with `hits`, each `<list>:<kind>`, for the hashes asked. One index probe per list and hash. */
export function listedSql(operationId: string, asked: readonly ListQuestion[]): Prisma.Sql {
  const known = asked.filter((one): one is ListQuestion & { hash: Uint8Array } => one.hash !== null);
  const kinds = known.map(({ kind }) => kind);
  const hashes = known.map(({ hash }) => Buffer.from(hash));
  return Prisma.sql`
    listed AS (
      SELECT coalesce(array_agg(DISTINCT entry.list || ':' || entry.kind), '{}') AS hits
      FROM unnest(${kinds}::text[], ${hashes}::bytea[]) AS asked(kind, hash)
      JOIN list_entry AS entry
        ON entry.operation_id = ${operationId} AND entry.list IN (${LIST_LITERALS})
        AND entry.kind = asked.kind AND entry.value_hash = asked.hash
    )`;
}

/** Whether a kind is listed, from the `hits` of `listed`. */
export function isListed(hits: readonly string[], list: ListName, kind: ListKind): boolean {
  return hits.includes(`${list}:${kind}`);
}

/** CTE `known`: the player's revision and whether the document is the stored one; no row for a new player. */
export function knownPlayerSql(operationId: string, playerRef: string, document: Uint8Array): Prisma.Sql {
  return Prisma.sql`
    known AS (
      SELECT revision::text AS revision, document_hash = ${document}::bytea AS same
      FROM player WHERE operation_id = ${operationId} AND external_ref = ${playerRef}
    )`;
}

export interface KnownPlayerColumns {
  readonly player_revision: string | null;
  readonly same_document: boolean | null;
}

/** The document compared with the player's stored one; `null` is a new player. */
export function documentUse(isSame: boolean | null): DocumentUse {
  if (isSame === null) return 'first_use';
  return isSame ? 'same' : 'changed';
}

/** The revision of a player that does not exist yet; inserting the player makes it out of date. */
export const NO_PLAYER_REVISION = '-1';

export interface RuleSetColumns {
  readonly version: number | null;
  readonly rules: unknown;
  readonly engine: unknown;
}

export interface RulesInForce {
  readonly ruleSetVersion: number;
  readonly thresholds: Thresholds;
  /** The engine's own thresholds, for facts that depend on them. */
  readonly engine: EngineRules;
}

/** The thresholds of the rule set that was read. Throws MissingRowError for an operation without a rule set. */
export function rulesInForce(row: RuleSetColumns | null, operationId: string, currency: string): RulesInForce {
  if (row === null || row.version === null)
    throw new MissingRowError('RuleSet', `operation ${operationId} has no rule set`);
  const engine = engineRulesSchema.parse(row.engine ?? {});
  return { ruleSetVersion: row.version, thresholds: thresholdsOf(parseRuleSet(row.rules), currency, engine), engine };
}

/** Computed here: a day in the database session's time zone can have 23 or 25 hours. */
export function hoursBefore(at: string, hours: number): string {
  return new Date(Date.parse(at) - hours * 3_600_000).toISOString();
}

/** The rolling windows are 7 and 30 times 24 hours. */
export const HOURS_OF_7_DAYS = 168;
export const HOURS_OF_30_DAYS = 720;
/** The longest local day, and an hour. */
export const HOURS_OF_LOCAL_DAY = 26;

/** A player's payments of one kind in a currency. */
export interface PlayerPayments {
  readonly kind: 'deposit' | 'withdrawal';
  readonly operationId: string;
  readonly playerRef: string;
  readonly currency: string;
}

/** The condition that a row of the payments' table, or of kept sums, is one of these. */
export function ofPlayerSql({ operationId, playerRef, currency }: Omit<PlayerPayments, 'kind'>): Prisma.Sql {
  return Prisma.sql`operation_id = ${operationId} AND player_ref = ${playerRef} AND currency = ${currency}`;
}

/** The payments of a player that count. */
export function countedSql(payments: PlayerPayments): Prisma.Sql {
  const [table, counts] = { deposit: ['deposit', DEPOSIT_COUNTS], withdrawal: ['withdrawal', WITHDRAWAL_COUNTS] }[
    payments.kind
  ] as [string, Prisma.Sql];
  return Prisma.sql`${Prisma.raw(table)} WHERE ${ofPlayerSql(payments)} AND ${counts}`;
}

/**
 * A withdrawal from before the decision's own one, or any while that is being created. Needs the CTE `own`. `IS TRUE`
 * keeps it from being searched for in an index: nearly every row satisfies it.
 */
export const BEFORE_OWN = Prisma.sql`(sequence < coalesce((SELECT sequence FROM own), ${2n ** 63n - 1n})) IS TRUE`;

/**
 * CTE `name`, one row: sum and number of the counted payments of so many hours before `at`. Whole UTC days come from
 * the kept sums, the rest of the first day from its rows. `leftOut`: rows that the sums hold and the decision must not
 * see.
 */
export function windowSql(
  name: 'd7' | 'd30',
  payments: PlayerPayments,
  at: string,
  hours: number,
  leftOut: Prisma.Sql,
): Prisma.Sql {
  const start = hoursBefore(at, hours);
  const firstDay = start.slice(0, 10);
  const nextDay = new Date(Date.parse(firstDay) + 86_400_000).toISOString();
  return Prisma.sql`
    ${Prisma.raw(name)} AS (
      SELECT coalesce(sum(minor), 0)::text AS minor, coalesce(sum(number), 0)::int AS number FROM (
        SELECT (value ->> 0)::numeric AS minor, (value ->> 1)::int AS number
        FROM player_sum CROSS JOIN LATERAL jsonb_each(days) AS day
        WHERE ${ofPlayerSql(payments)} AND kind = ${payments.kind} AND day.key > ${firstDay}
        UNION ALL
        SELECT amount_minor, 1 FROM ${countedSql(payments)}
          AND created_at > ${start}::timestamptz AND created_at < ${nextDay}::timestamptz
        UNION ALL
        SELECT -amount_minor, -1 FROM ${leftOut} WHERE created_at > ${start}::timestamptz
      ) AS part
    )`;
}

/** An instant of a JSON result as RFC 3339 with milliseconds in UTC. */
export function utcInstant(text: string): string {
  return new Date(text).toISOString();
}

/** A payment in a list of facts, as JSON in SQL builds it. */
export interface JsonMovement {
  readonly at: string;
  readonly amountMinor: string;
}

export function movementOf({ at, amountMinor }: JsonMovement): JsonMovement {
  return { at: utcInstant(at), amountMinor };
}

/** A JSON array of the newest rows of `rows` as JsonMovement, newest first. `time`: the column of `at`. */
export function newestMovementsSql(time: 'created_at' | 'paid_at', rows: Prisma.Sql, limit: number): Prisma.Sql {
  const at = Prisma.raw(time);
  return Prisma.sql`(
          SELECT coalesce(
            json_agg(
              json_build_object('at', ${at}, 'amountMinor', amount_minor::text) ORDER BY ${at} DESC, amount_minor
            ),
            '[]'
          )
          FROM (SELECT ${at}, amount_minor FROM ${rows} ORDER BY ${at} DESC, amount_minor LIMIT ${limit}) AS newest
        )`;
}

/** A JSON array of the newest `created_at` of `rows`, newest first. */
export function newestTimesSql(rows: Prisma.Sql, limit: number): Prisma.Sql {
  return Prisma.sql`(
          SELECT coalesce(json_agg(created_at ORDER BY created_at DESC), '[]')
          FROM (SELECT created_at FROM ${rows} ORDER BY created_at DESC LIMIT ${limit}) AS newest
        )`;
}
