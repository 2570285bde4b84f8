// The facts of a withdrawal's decision: everything in one statement, so that no two facts are from different moments.
import { isUsableForPix } from '../../../domain/documents.js';
import { isDirectoryKey, isPixKeyFormat, normalizePixKey } from '../../../domain/pix.js';
import { documentLookupValue, pixKeyLookupValue } from '../../../domain/rules/lookup-values.js';
import type { WithdrawalFacts } from '../../../domain/rules/withdrawal-rules.js';
import { Prisma } from '../../../prisma/generated/client.js';
import type { Database } from '../../database.js';
import {
  deviceHash,
  documentHash,
  ipHash,
  networkHashes,
  pixKeyHash,
  playerHash,
} from '../../sealing/lookup-hashes.js';
import type { SealedWithdrawalRequest, Sealer } from '../../sealing/sealer.js';
import { documentStanding } from './deposit-facts.js';
import {
  HOURS_OF_LOCAL_DAY,
  hoursBefore,
  isListed,
  type KnownPlayerColumns,
  knownPlayerSql,
  listedSql,
  type RuleSetColumns,
  type RulesInForce,
  rulesInForce,
  ruleSetSql,
  utcInstant,
} from './facts-sql.js';
import { type RiskColumns, riskFacts, riskSql } from './risk-facts.js';
import type { WithdrawalQuestion } from '../../../activities/rules/types.js';

export interface WithdrawalReading extends RulesInForce {
  readonly facts: WithdrawalFacts;
  /** `-1` for a player that did not exist: creating it is then a newer revision for everybody else who read the same. */
  readonly playerRevision: string;
}

export async function readWithdrawalFacts(
  database: Database,
  sealer: Sealer,
  question: WithdrawalQuestion,
): Promise<WithdrawalReading> {
  const request = sealer.openJson<SealedWithdrawalRequest>(question.order.sealedRequest);
  const hashes = hashesOf(sealer, request);
  const [row] = await database.$queryRaw<WithdrawalRow[]>(factsSql(question, hashes, sealer, request));
  const inForce = rulesInForce(row, question.order.operationId, question.order.currency);
  if (row === undefined) throw new Error('the statement of facts gave no row');
  return {
    ...inForce,
    facts: {
      ...requestFacts(question, request),
      ...storedFacts(row, request),
      risk: riskFacts(
        row,
        { at: question.at, playerRef: question.order.playerRef },
        request,
        inForce.thresholds,
        inForce.engine,
      ),
    },
    playerRevision: row.player_revision ?? '-1',
  };
}

interface Hashes {
  readonly document: Uint8Array;
  readonly destination: Uint8Array;
  readonly ip: Uint8Array | null;
  readonly device: Uint8Array | null;
}

function hashesOf(sealer: Sealer, { player, destination }: SealedWithdrawalRequest): Hashes {
  const { key, key_type } = destination.pix;
  return {
    document: documentHash(sealer, player.document.number),
    destination: pixKeyHash(sealer, key, key_type),
    ip: player.ip === undefined ? null : ipHash(sealer, player.ip),
    device: player.device_id === undefined ? null : deviceHash(sealer, player.device_id),
  };
}

interface WithdrawalRow extends RuleSetColumns, KnownPlayerColumns, RiskColumns {
  readonly hits: string[];
  readonly document_shared: boolean;
  readonly settled_count: number;
  readonly settled_minor: string;
  readonly paid_count: number;
  readonly counted_minor: string;
  readonly recent: { at: string; amountMinor: string }[];
  readonly key_first_used_at: Date | null;
  readonly had_other_key_before: boolean;
  readonly key_paid_before: boolean;
  readonly key_used_by_others: boolean;
  readonly ip_seen: boolean;
  readonly device_seen: boolean;
  readonly available_minor: string;
}

/**
 * `mine` holds the player's withdrawals before this one: all of them while it is being created, and once it is stored (it waited for DICT)
 * not those that were asked for later, which have counted this one. Sums are of the order's currency; `recent` reaches 26 hours back,
 * the longest local day and an hour. A key's first counted use starts its cooldown; other keys count whatever became of
 * their withdrawals, or a rejected attempt would make the next key look like the first.
 */
function factsSql(
  { order, at }: WithdrawalQuestion,
  hashes: Hashes,
  sealer: Sealer,
  { player }: SealedWithdrawalRequest,
): Prisma.Sql {
  const { operationId, playerRef, withdrawalId, currency } = order;
  const networks = player.ip === undefined ? [] : networkHashes(sealer, player.ip);
  const asked = [
    { kind: 'player' as const, hash: playerHash(playerRef) },
    { kind: 'document' as const, hash: hashes.document },
    { kind: 'pix_key' as const, hash: hashes.destination },
    { kind: 'device' as const, hash: hashes.device },
    ...networks.map((hash) => ({ kind: 'ip' as const, hash })),
  ];
  return Prisma.sql`
    WITH ${ruleSetSql(operationId)}, ${listedSql(operationId, asked)},
    ${knownPlayerSql(operationId, playerRef, hashes.document)},
    paid_in AS MATERIALIZED (
      SELECT amount_minor, coalesce(paid_at, updated_at) AS paid_at, payer_document_hash
      FROM deposit WHERE operation_id = ${operationId} AND player_ref = ${playerRef} AND status = 'paid' AND currency = ${currency}),
    settled AS (SELECT count(*)::int AS count, coalesce(sum(amount_minor), 0)::text AS total FROM paid_in),
    own AS MATERIALIZED (
      SELECT sequence, CASE WHEN status NOT IN ('rejected', 'failed', 'cancelled', 'returned') THEN amount_minor END AS reserved_minor
      FROM withdrawal WHERE id = ${withdrawalId} AND operation_id = ${operationId}),
    mine AS MATERIALIZED (
      SELECT status, amount_minor, currency, created_at, destination_hash, ip_hash, device_hash,
        status NOT IN ('rejected', 'failed', 'cancelled', 'returned') AS counted
      FROM withdrawal WHERE operation_id = ${operationId} AND player_ref = ${playerRef} AND id <> ${withdrawalId}
        AND NOT EXISTS (SELECT FROM own WHERE own.sequence < withdrawal.sequence)),
    history AS (
      SELECT count(*) FILTER (WHERE status = 'paid')::int AS paid_count,
        coalesce(sum(amount_minor) FILTER (WHERE counted AND currency = ${currency}), 0)::text AS counted_minor,
        coalesce(json_agg(json_build_object('at', created_at, 'amountMinor', amount_minor::text) ORDER BY created_at, amount_minor)
          FILTER (WHERE counted AND currency = ${currency} AND created_at > ${hoursBefore(at, HOURS_OF_LOCAL_DAY)}::timestamptz), '[]') AS recent,
        min(created_at) FILTER (WHERE counted AND destination_hash = ${hashes.destination}::bytea) AS key_first_used_at,
        coalesce(bool_or(status = 'paid' AND destination_hash = ${hashes.destination}::bytea), FALSE) AS key_paid_before,
        coalesce(bool_or(ip_hash = ${hashes.ip}::bytea), FALSE) AS ip_seen,
        coalesce(bool_or(device_hash = ${hashes.device}::bytea), FALSE) AS device_seen
      FROM mine),
    ${riskSql({ operationId, playerRef, currency, at, destination: hashes.destination })}
    SELECT rule_set.version, rule_set.rules, rule_set.engine, listed.hits, known.revision AS player_revision, known.same AS same_document,
      EXISTS (SELECT FROM player WHERE operation_id = ${operationId} AND document_hash = ${hashes.document}::bytea AND external_ref <> ${playerRef}) AS document_shared,
      settled.count AS settled_count, settled.total AS settled_minor, history.*, risk.*,
      EXISTS (SELECT FROM mine WHERE destination_hash <> ${hashes.destination}::bytea
        AND created_at < coalesce(history.key_first_used_at, 'infinity')) AS had_other_key_before,
      ${usedByOthersSql(operationId, playerRef, hashes.destination)} AS key_used_by_others,
      (coalesce((SELECT balance_minor FROM ledger_account
          WHERE operation_id = ${operationId} AND currency = ${currency} AND account = 'available'), 0)
        + coalesce((SELECT reserved_minor FROM own), 0))::text AS available_minor
    FROM settled CROSS JOIN history CROSS JOIN risk CROSS JOIN listed LEFT JOIN rule_set ON TRUE LEFT JOIN known ON TRUE`;
}

/** Two probes of an ordered index instead of reading every use of the key. */
function usedByOthersSql(operationId: string, playerRef: string, destination: Uint8Array): Prisma.Sql {
  const sameKey = Prisma.sql`SELECT FROM withdrawal WHERE operation_id = ${operationId} AND destination_hash = ${destination}::bytea`;
  return Prisma.sql`(EXISTS (${sameKey} AND player_ref < ${playerRef}) OR EXISTS (${sameKey} AND player_ref > ${playerRef}))`;
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

/** What the request alone tells. */
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
    keyWellFormed: isPixKeyFormat(key_type, normalizePixKey(key_type, key)),
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
  const isOwn =
    document.type === key_type.toUpperCase() &&
    documentLookupValue(document.number) === pixKeyLookupValue(key, key_type);
  return isOwn ? 'player' : 'other';
}

/** What the database adds. */
function storedFacts(
  row: WithdrawalRow,
  { player }: SealedWithdrawalRequest,
): Omit<WithdrawalFacts, keyof RequestFacts | 'risk'> {
  const { hits } = row;
  return {
    document: documentStanding(row.same_document),
    documentShared: row.document_shared,
    playerBlocked: isListed(hits, 'block', 'player'),
    documentBlocked: isListed(hits, 'block', 'document'),
    destinationBlocked: isListed(hits, 'block', 'pix_key'),
    playerOnReviewList: isListed(hits, 'review', 'player') || isListed(hits, 'review', 'document'),
    destinationOnReviewList: isListed(hits, 'review', 'pix_key'),
    ipListed: isListed(hits, 'review', 'ip') || isListed(hits, 'block', 'ip'),
    deviceListed: isListed(hits, 'review', 'device') || isListed(hits, 'block', 'device'),
    keyFirstUsedAt: row.key_first_used_at?.toISOString() ?? null,
    hadOtherKeyBefore: row.had_other_key_before,
    keyPaidBefore: row.key_paid_before,
    keyUsedByOthers: row.key_used_by_others,
    ipSeenBefore: player.ip === undefined ? null : row.ip_seen,
    deviceSeenBefore: player.device_id === undefined ? null : row.device_seen,
    settledDepositCount: row.settled_count,
    settledDepositsMinor: row.settled_minor,
    paidWithdrawalCount: row.paid_count,
    countedWithdrawalsMinor: row.counted_minor,
    recentWithdrawals: row.recent.map((withdrawal) => ({
      at: utcInstant(withdrawal.at),
      amountMinor: withdrawal.amountMinor,
    })),
    availableMinor: row.available_minor,
  };
}
