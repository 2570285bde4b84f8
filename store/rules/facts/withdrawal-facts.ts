// The facts of a withdrawal's decision, read in one statement, so that all are from the same moment.
import type { WithdrawalQuestion } from '../../../contract/temporal/rule-questions.js';
import { isUsableForPix } from '../../../domain/documents.js';
import { isDirectoryKey, isPixKeyFormat } from '../../../domain/pix.js';
import { documentLookupValue } from '../../../domain/rules/lookup-values.js';
import type { WithdrawalFacts } from '../../../domain/rules/withdrawal-rules.js';
import { Prisma } from '../../../prisma/generated/client.js';
import type { Database } from '../../database.js';
import { isCashBoxSql } from '../../ledger/cash-box-sql.js';
import { WITHDRAWAL_COUNTS, WITHDRAWAL_SETTLED } from '../../payments/phase-sql.js';
import {
  deviceHash,
  documentHash,
  ipHash,
  networkHashes,
  pixKeyHash,
  playerHash,
} from '../../sealing/lookup-hashes.js';
import { openWithdrawalRequest, type SealedWithdrawalRequest } from '../../sealing/sealed-requests.js';
import type { Sealer } from '../../sealing/sealer.js';
import { rowOf } from '../../statements.js';
import {
  type ListQuestion,
  BEFORE_OWN,
  countedSql,
  documentUse,
  HOURS_OF_LOCAL_DAY,
  isListed,
  type JsonMovement,
  type KnownPlayerColumns,
  knownPlayerSql,
  listedSql,
  movementOf,
  NO_PLAYER_REVISION,
  ofPlayerSql,
  type RuleSetColumns,
  type RulesInForce,
  rulesInForce,
  ruleSetSql,
} from './facts-sql.js';
import { type RiskColumns, riskFacts, riskSql } from './risk-facts.js';

export interface WithdrawalReading extends RulesInForce {
  readonly facts: WithdrawalFacts;
  readonly playerRevision: string;
}

/** Throws MissingRowError if the operation has no rule set. */
export async function readWithdrawalFacts(
  database: Database,
  sealer: Sealer,
  question: WithdrawalQuestion,
): Promise<WithdrawalReading> {
  const { order, at } = question;
  const request = openWithdrawalRequest(sealer, order);
  const row = await rowOf<WithdrawalRow>(database, factsSql(question, hashesOf(sealer, order.operationId, request)));
  const inForce = rulesInForce(row, order.operationId, order.currency);
  if (row === null) throw new Error('the statement of facts gave no row');
  const { thresholds, engine } = inForce;
  const createdAt = row.own_created_at ?? at;
  return {
    ...inForce,
    facts: {
      ...requestFacts(question, request),
      createdAt,
      ...storedFacts(row, request),
      risk: riskFacts(row, { createdAt, playerRef: order.playerRef }, request, thresholds, engine),
    },
    playerRevision: row.player_revision ?? NO_PLAYER_REVISION,
  };
}

interface Hashes {
  readonly document: Uint8Array;
  readonly destination: Uint8Array;
  readonly ip: Uint8Array | null;
  /** The hashes of every network that contains the address. */
  readonly networks: readonly Uint8Array[];
  readonly device: Uint8Array | null;
}

function hashesOf(sealer: Sealer, operationId: string, { player, destination }: SealedWithdrawalRequest): Hashes {
  const { key, key_type } = destination.pix;
  return {
    document: documentHash(sealer, operationId, player.document.number),
    destination: pixKeyHash(sealer, operationId, key, key_type),
    ip: player.ip === undefined ? null : ipHash(sealer, operationId, player.ip),
    networks: player.ip === undefined ? [] : networkHashes(sealer, operationId, player.ip),
    device: player.device_id === undefined ? null : deviceHash(sealer, operationId, player.device_id),
  };
}

interface WithdrawalRow extends RuleSetColumns, KnownPlayerColumns, RiskColumns {
  readonly hits: string[];
  /** `null` while it is being created. */
  readonly own_created_at: string | null;
  readonly document_shared: boolean;
  readonly settled_count: number;
  readonly settled_minor: string;
  readonly paid_count: number;
  readonly counted_minor: string;
  readonly recent: JsonMovement[];
  readonly key_first_used_at: string | null;
  readonly had_other_key_before: boolean;
  readonly key_paid_before: boolean;
  readonly key_used_by_others: boolean;
  readonly ip_seen: boolean;
  readonly device_seen: boolean;
  readonly available_minor: string;
}

function factsSql(question: WithdrawalQuestion, hashes: Hashes): Prisma.Sql {
  const { order, at } = question;
  const { operationId, playerRef, currency } = order;
  const { document, destination } = hashes;
  return Prisma.sql`
    WITH ${ruleSetSql(operationId)},
    ${listedSql(operationId, askedOf(playerRef, hashes))},
    ${knownPlayerSql(operationId, playerRef, document)},
    ${depositsSql(question)},
    ${withdrawalsSql(question)},
    ${historySql(question, hashes)},
    ${riskSql({ operationId, playerRef, currency, at, destination })}
    SELECT rule_set.version, rule_set.rules, rule_set.engine, listed.hits, (SELECT created_at FROM own) AS own_created_at,
      known.revision AS player_revision, known.same AS same_document,
      ${documentSharedSql(operationId, playerRef, document)} AS document_shared,
      settled.count AS settled_count, settled.total AS settled_minor,
      history.*, risk.*,
      coalesce((
        SELECT TRUE FROM withdrawal
        WHERE operation_id = ${operationId} AND player_ref = ${playerRef} AND ${BEFORE_OWN}
          AND destination_hash <> ${destination}::bytea
          AND created_at < coalesce(history.key_first_used_at, 'infinity')
        ORDER BY created_at LIMIT 1
      ), FALSE) AS had_other_key_before,
      ${usedByOthersSql(operationId, playerRef, destination)} AS key_used_by_others,
      ${availableSql(order)} AS available_minor
    FROM settled CROSS JOIN history CROSS JOIN risk CROSS JOIN listed
    LEFT JOIN rule_set ON TRUE LEFT JOIN known ON TRUE`;
}

function askedOf(playerRef: string, { document, destination, device, networks }: Hashes): ListQuestion[] {
  return [
    { kind: 'player', hash: playerHash(playerRef) },
    { kind: 'document', hash: document },
    { kind: 'pix_key', hash: destination },
    { kind: 'device', hash: device },
    ...networks.map((hash): ListQuestion => ({ kind: 'ip', hash })),
  ];
}

/** CTE `settled`: count and sum of the player's settled deposits in the order's currency. */
function depositsSql({ order }: WithdrawalQuestion): Prisma.Sql {
  return Prisma.sql`
    settled AS (
      SELECT coalesce(sum(settled_count), 0)::int AS count, coalesce(sum(settled_minor), 0)::text AS total
      FROM player_sum WHERE ${ofPlayerSql(order)} AND kind = 'deposit'
    )`;
}

/**
 * CTEs `own`, this withdrawal if it is stored already, and `later`, this one and the player's later ones. The decision
 * leaves `later` out: those counted this one.
 */
function withdrawalsSql({ order: { operationId, playerRef, withdrawalId } }: WithdrawalQuestion): Prisma.Sql {
  return Prisma.sql`
    own AS MATERIALIZED (
      SELECT sequence, created_at, CASE WHEN ${WITHDRAWAL_COUNTS} THEN amount_minor END AS reserved_minor
      FROM withdrawal WHERE id = ${withdrawalId} AND operation_id = ${operationId}
    ),
    later AS MATERIALIZED (
      SELECT payment.* FROM own CROSS JOIN LATERAL (
        SELECT amount_minor, currency, created_at, ${WITHDRAWAL_COUNTS} AS counted, ${WITHDRAWAL_SETTLED} AS settled
        FROM withdrawal
        WHERE operation_id = ${operationId} AND player_ref = ${playerRef} AND sequence >= own.sequence
      ) AS payment
    )`;
}

/**
 * CTE `history`, one row. Sums are of the order's currency. A key's first counted use starts its cooldown. Other keys
 * count whatever their withdrawals became: otherwise a rejected attempt would make the next key look like the first.
 */
function historySql({ order, at }: WithdrawalQuestion, { destination, ip, device }: Hashes): Prisma.Sql {
  const { operationId, playerRef, currency } = order;
  const mine = Prisma.sql`operation_id = ${operationId} AND player_ref = ${playerRef} AND ${BEFORE_OWN}`;
  const withKey = Prisma.sql`FROM withdrawal WHERE ${mine} AND destination_hash = ${destination}::bytea`;
  const recent = Prisma.sql`${countedSql({ kind: 'withdrawal', operationId, playerRef, currency })} AND ${BEFORE_OWN}
            AND created_at > coalesce((SELECT created_at FROM own), ${at}::timestamptz)
              - make_interval(hours => ${HOURS_OF_LOCAL_DAY})`;
  const wasSeen = (kind: string, hash: Uint8Array | null) => Prisma.sql`EXISTS (
          SELECT FROM player_trait
          WHERE operation_id = ${operationId} AND player_ref = ${playerRef} AND kind = ${kind}
            AND value_hash = ${hash}::bytea
            AND first_sequence < coalesce((SELECT sequence FROM own), ${2n ** 63n - 1n})
        )`;
  return Prisma.sql`
    history AS (
      SELECT
        (
          coalesce((
            SELECT sum(settled_count) FROM player_sum
            WHERE operation_id = ${operationId} AND player_ref = ${playerRef} AND kind = 'withdrawal'
          ), 0) - (SELECT count(*) FROM later WHERE settled)
        )::int AS paid_count,
        (
          coalesce((
            SELECT counted_minor FROM player_sum WHERE ${ofPlayerSql(order)} AND kind = 'withdrawal'
          ), 0) - coalesce((SELECT sum(amount_minor) FROM later WHERE counted AND currency = ${currency}), 0)
        )::text AS counted_minor,
        (
          SELECT coalesce(
            json_agg(
              json_build_object('at', created_at, 'amountMinor', amount_minor::text) ORDER BY created_at, amount_minor
            ),
            '[]'
          )
          FROM ${recent}
        ) AS recent,
        (SELECT created_at ${withKey} AND ${WITHDRAWAL_COUNTS} ORDER BY created_at LIMIT 1) AS key_first_used_at,
        coalesce((SELECT TRUE ${withKey} AND ${WITHDRAWAL_SETTLED} ORDER BY created_at LIMIT 1), FALSE) AS key_paid_before,
        ${wasSeen('ip', ip)} AS ip_seen,
        ${wasSeen('device', device)} AS device_seen
    )`;
}

function documentSharedSql(operationId: string, playerRef: string, document: Uint8Array): Prisma.Sql {
  return Prisma.sql`EXISTS (
        SELECT FROM player
        WHERE operation_id = ${operationId} AND document_hash = ${document}::bytea AND external_ref <> ${playerRef}
      )`;
}

/**
 * Two probes of an ordered index instead of reading every use of the key. The order keeps Postgres to the index also
 * where it expects other players among the uses of a key that has none.
 */
function usedByOthersSql(operationId: string, playerRef: string, destination: Uint8Array): Prisma.Sql {
  const sameKey = Prisma.sql`
        SELECT player_ref FROM withdrawal WHERE operation_id = ${operationId} AND destination_hash = ${destination}::bytea`;
  return Prisma.sql`coalesce(
        (${sameKey} AND player_ref < ${playerRef} ORDER BY player_ref DESC LIMIT 1),
        (${sameKey} AND player_ref > ${playerRef} ORDER BY player_ref LIMIT 1)
      ) IS NOT NULL`;
}

/** What the account that pays it holds of the cash box, with what this withdrawal itself has reserved. */
function availableSql(order: WithdrawalQuestion['order']): Prisma.Sql {
  return Prisma.sql`(
        coalesce((
          SELECT balance_minor FROM ledger_account WHERE ${isCashBoxSql(order)}
        ), 0)
        + coalesce((SELECT reserved_minor FROM own), 0)
      )::text`;
}

type RequestFacts = Pick<
  WithdrawalFacts,
  | 'at'
  | 'amountMinor'
  | 'documentUsable'
  | 'hasPlayerIp'
  | 'reviewRequested'
  | 'keyWellFormed'
  | 'keyHolder'
  | 'keyOwner'
>;

/** The facts of the request alone. */
function requestFacts(
  { order, at, keyOwner }: WithdrawalQuestion,
  { player, destination }: SealedWithdrawalRequest,
): RequestFacts {
  const { key, key_type } = destination.pix;
  return {
    at,
    amountMinor: order.amountMinor,
    documentUsable: isUsableForPix(player.document as Parameters<typeof isUsableForPix>[0]),
    hasPlayerIp: order.hasPlayerIp && player.ip !== undefined,
    reviewRequested: order.reviewRequested,
    keyWellFormed: isPixKeyFormat(key_type, key),
    keyHolder: keyHolder(player.document, destination.pix),
    keyOwner,
  };
}

type PixDestination = SealedWithdrawalRequest['destination']['pix'];

/** A CPF key is the player's own CPF or another's; a CNPJ key of an individual is another's by definition. */
function keyHolder(
  document: { type: string; number: string },
  { key, key_type }: PixDestination,
): WithdrawalFacts['keyHolder'] {
  if (isDirectoryKey(key_type)) return 'in_directory';
  const isOwn = document.type === key_type.toUpperCase() && documentLookupValue(document.number) === key;
  return isOwn ? 'player' : 'other';
}

/** The facts of the database. */
function storedFacts(
  row: WithdrawalRow,
  { player }: SealedWithdrawalRequest,
): Omit<WithdrawalFacts, keyof RequestFacts | 'createdAt' | 'risk'> {
  const { hits } = row;
  return {
    document: documentUse(row.same_document),
    documentShared: row.document_shared,
    playerBlocked: isListed(hits, 'block', 'player'),
    documentBlocked: isListed(hits, 'block', 'document'),
    destinationBlocked: isListed(hits, 'block', 'pix_key'),
    playerOnReviewList: isListed(hits, 'review', 'player') || isListed(hits, 'review', 'document'),
    destinationOnReviewList: isListed(hits, 'review', 'pix_key'),
    ipListed: isListed(hits, 'review', 'ip') || isListed(hits, 'block', 'ip'),
    deviceListed: isListed(hits, 'review', 'device') || isListed(hits, 'block', 'device'),
    keyFirstUsedAt: row.key_first_used_at,
    hadOtherKeyBefore: row.had_other_key_before,
    keyPaidBefore: row.key_paid_before,
    keyUsedByOthers: row.key_used_by_others,
    ipSeenBefore: player.ip === undefined ? null : row.ip_seen,
    deviceSeenBefore: player.device_id === undefined ? null : row.device_seen,
    settledDepositCount: row.settled_count,
    settledDepositsMinor: row.settled_minor,
    paidWithdrawalCount: row.paid_count,
    countedWithdrawalsMinor: row.counted_minor,
    recentWithdrawals: row.recent.map(movementOf),
    availableMinor: row.available_minor,
  };
}
