// The facts of a deposit's creation and of its payment, each read in one statement.
import type { DepositPayer } from '../../../domain/deposit.js';
import type { DepositFacts, PaymentFacts } from '../../../domain/rules/deposit-rules.js';
import { Prisma } from '../../../prisma/generated/client.js';
import type { Database } from '../../database.js';
import { documentHash, playerHash } from '../../sealing/lookup-hashes.js';
import type { SealedDepositRequest, Sealer } from '../../sealing/sealer.js';
import {
  HOURS_OF_30_DAYS,
  HOURS_OF_7_DAYS,
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
import type { DepositQuestion, PaymentQuestion } from '../../../activities/rules/types.js';

export interface DepositReading extends RulesInForce {
  readonly facts: DepositFacts;
  /** As in WithdrawalReading: `-1` for a player that did not exist. */
  readonly playerRevision: string;
}

export async function readDepositFacts(
  database: Database,
  sealer: Sealer,
  { order, at }: DepositQuestion,
): Promise<DepositReading> {
  const { operationId, playerRef, currency } = order;
  const { player } = sealer.openJson<SealedDepositRequest>(order.sealedRequest);
  const document = documentHash(sealer, player.document.number);
  const asked = [
    { kind: 'player', hash: playerHash(playerRef) },
    { kind: 'document', hash: document },
  ] as const;
  const [row] = await database.$queryRaw<DepositRow[]>(Prisma.sql`
    WITH ${ruleSetSql(operationId)}, ${listedSql(operationId, asked)}, ${knownPlayerSql(operationId, playerRef, document)}, ${historySql({ ...order, at })}
    SELECT rule_set.version, rule_set.rules, rule_set.engine, listed.hits, history.*, known.revision AS player_revision, known.same AS same_document
    FROM listed CROSS JOIN history LEFT JOIN rule_set ON TRUE LEFT JOIN known ON TRUE`);
  const hits = row?.hits ?? [];
  const facts: DepositFacts = {
    at,
    amountMinor: order.amountMinor,
    document: documentStanding(row?.same_document ?? null),
    playerBlocked: isListed(hits, 'block', 'player'),
    documentBlocked: isListed(hits, 'block', 'document'),
    ...(row === undefined ? {} : { history: historyOf(row) }),
  };
  return { ...rulesInForce(row, operationId, currency), facts, playerRevision: row?.player_revision ?? '-1' };
}

interface DepositRow extends RuleSetColumns, KnownPlayerColumns {
  readonly hits: string[];
  readonly recent: { at: string; amountMinor: string }[];
  readonly unpaid_at: string[];
  readonly d7_minor: string;
  readonly d7_count: number;
  readonly d30_minor: string;
  readonly d30_count: number;
}

/** More than the hourly limit of deposits lets one player create in a day. */
const LONGEST_LIST = 300;

/**
 * CTE `history`, one row: the player's other deposits of 30 days in the currency. A deposit that failed, was cancelled, expired
 * or was given back is not counted; one that nobody has paid yet is both counted and unpaid.
 */
function historySql(deposit: {
  operationId: string;
  playerRef: string;
  currency: string;
  depositId: string;
  at: string;
}): Prisma.Sql {
  const { operationId, playerRef, currency, depositId, at } = deposit;
  const since = (hours: number) => Prisma.sql`created_at > ${hoursBefore(at, hours)}::timestamptz`;
  return Prisma.sql`
    others AS MATERIALIZED (
      SELECT amount_minor, created_at, paid_at IS NULL AS unpaid,
        status NOT IN ('failed', 'cancelled', 'expired', 'returned', 'refunded', 'chargeback') AS counted
      FROM deposit WHERE operation_id = ${operationId} AND player_ref = ${playerRef} AND currency = ${currency} AND id <> ${depositId} AND ${since(HOURS_OF_30_DAYS)}),
    history AS (
      SELECT coalesce(sum(amount_minor) FILTER (WHERE counted AND ${since(HOURS_OF_7_DAYS)}), 0)::text AS d7_minor,
        (count(*) FILTER (WHERE counted AND ${since(HOURS_OF_7_DAYS)}))::int AS d7_count,
        coalesce(sum(amount_minor) FILTER (WHERE counted), 0)::text AS d30_minor, (count(*) FILTER (WHERE counted))::int AS d30_count,
        (SELECT coalesce(json_agg(json_build_object('at', created_at, 'amountMinor', amount_minor::text) ORDER BY created_at DESC, amount_minor), '[]')
          FROM (SELECT created_at, amount_minor FROM others WHERE counted AND ${since(HOURS_OF_LOCAL_DAY)} ORDER BY created_at DESC, amount_minor LIMIT ${LONGEST_LIST}) AS newest) AS recent,
        (SELECT coalesce(json_agg(created_at ORDER BY created_at DESC), '[]')
          FROM (SELECT created_at FROM others WHERE unpaid AND ${since(24)} ORDER BY created_at DESC LIMIT ${LONGEST_LIST}) AS newest) AS unpaid_at
      FROM others)`;
}

function historyOf(row: DepositRow): DepositFacts['history'] {
  return {
    recent: row.recent.map(({ at, amountMinor }) => ({ at: utcInstant(at), amountMinor })),
    windows: {
      d7: { amountMinor: row.d7_minor, count: row.d7_count },
      d30: { amountMinor: row.d30_minor, count: row.d30_count },
    },
    unpaidAt: row.unpaid_at.map(utcInstant),
  };
}

/** Against the document fixed for the player; null where the player is new. */
export function documentStanding(isSame: boolean | null): DepositFacts['document'] {
  if (isSame === null) return 'first_use';
  return isSame ? 'same' : 'changed';
}

interface PaymentRow extends RuleSetColumns {
  readonly currency: string | null;
  readonly payer_blocked: boolean;
  readonly player_blocked: boolean;
}

export async function readPaymentFacts(
  database: Database,
  sealer: Sealer,
  question: PaymentQuestion,
): Promise<RulesInForce & { facts: PaymentFacts }> {
  const { operationId, playerRef, depositId } = question;
  const [row] = await database.$queryRaw<PaymentRow[]>(Prisma.sql`
    WITH ${ruleSetSql(operationId)},
      blocked AS (SELECT kind, value_hash FROM list_entry WHERE operation_id = ${operationId} AND list = 'block'),
      fixed AS (SELECT document_hash FROM player WHERE operation_id = ${operationId} AND external_ref = ${playerRef})
    SELECT rule_set.version, rule_set.rules, rule_set.engine,
      (SELECT currency FROM deposit WHERE id = ${depositId} AND operation_id = ${operationId}) AS currency,
      EXISTS (SELECT FROM blocked WHERE kind = 'document' AND value_hash = ${payerHash(sealer, question.sealedPayer)}::bytea) AS payer_blocked,
      EXISTS (SELECT FROM blocked WHERE kind = 'player' AND value_hash = ${playerHash(playerRef)}::bytea)
        OR EXISTS (SELECT FROM blocked JOIN fixed ON document_hash = value_hash WHERE kind = 'document') AS player_blocked
    FROM (VALUES (1)) AS one LEFT JOIN rule_set ON TRUE`);
  const facts: PaymentFacts = {
    at: question.at,
    paidAt: question.paidAt,
    expiresAt: question.expiresAt,
    chargedAmountMinor: question.chargedAmountMinor,
    paidAmountMinor: question.paidAmountMinor,
    payer: question.payerMatch,
    payerBlocked: row?.payer_blocked === true,
    playerBlocked: row?.player_blocked === true,
  };
  return { ...rulesInForce(row, operationId, row?.currency ?? 'BRL'), facts };
}

/** Null where the provider told no document. A masked one is nobody's: its hash is on no list. */
function payerHash(sealer: Sealer, sealedPayer: string | null): Uint8Array | null {
  const document = sealedPayer === null ? null : sealer.openJson<DepositPayer>(sealedPayer).document;
  return document === null ? null : documentHash(sealer, document.number);
}
