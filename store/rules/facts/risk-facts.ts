// The part of a withdrawal's facts that the history rules compare: fragments of the one statement of withdrawal-facts.ts.
import { automaticUseAt, usedIn } from '../../../domain/rules/automatic-use.js';
import { type EngineRules, vipTierOf } from '../../../domain/rules/engine-rules.js';
import type { RiskFacts } from '../../../domain/rules/risk-rules.js';
import type { Thresholds } from '../../../domain/rules/thresholds.js';
import { Prisma } from '../../../prisma/generated/client.js';
import type { SealedWithdrawalRequest } from '../../sealing/sealer.js';
import { HOURS_OF_30_DAYS, HOURS_OF_7_DAYS, hoursBefore, utcInstant } from './facts-sql.js';

/** What one player did in 30 days is a page; more than this is looked at by its sums only. */
const LONGEST_LIST = 200;
/** Deposits of other players that one payer's are looked at, on either side of the player. */
const MOST_SHARED = 500;

interface JsonMovement {
  readonly at: string;
  readonly amountMinor: string;
}

export interface RiskColumns {
  readonly d7_minor: string;
  readonly d7_count: number;
  readonly d30_minor: string;
  readonly d30_count: number;
  readonly movements: JsonMovement[];
  readonly requested_at: string[];
  readonly destinations_30d: number;
  readonly settled_movements: JsonMovement[];
  readonly payers_30d: number;
  readonly other_players_of_payers: number;
  readonly automatic_use: { hour: string; hourMinor: string; day: string; dayMinor: string } | null;
}

interface Subject {
  readonly operationId: string;
  readonly playerRef: string;
  readonly currency: string;
  readonly at: string;
  readonly destination: Uint8Array;
}

/**
 * CTE `risk`, one row, over the CTEs `mine` (the player's earlier withdrawals) and `paid_in` (the player's settled deposits in
 * the currency). Other players are found by the index of payers, at most 1,000 deposits of each.
 */
export function riskSql({ operationId, playerRef, currency, at, destination }: Subject): Prisma.Sql {
  const since = (hours: number) => Prisma.sql`${hoursBefore(at, hours)}::timestamptz`;
  const counted = Prisma.sql`counted AND currency = ${currency}`;
  return Prisma.sql`
    payers AS (SELECT DISTINCT payer_document_hash AS hash FROM paid_in WHERE payer_document_hash IS NOT NULL),
    risk AS (
      SELECT coalesce(sum(amount_minor) FILTER (WHERE ${counted} AND created_at > ${since(HOURS_OF_7_DAYS)}), 0)::text AS d7_minor,
        (count(*) FILTER (WHERE ${counted} AND created_at > ${since(HOURS_OF_7_DAYS)}))::int AS d7_count,
        coalesce(sum(amount_minor) FILTER (WHERE ${counted} AND created_at > ${since(HOURS_OF_30_DAYS)}), 0)::text AS d30_minor,
        (count(*) FILTER (WHERE ${counted} AND created_at > ${since(HOURS_OF_30_DAYS)}))::int AS d30_count,
        (SELECT coalesce(json_agg(json_build_object('at', created_at, 'amountMinor', amount_minor::text) ORDER BY created_at DESC, amount_minor), '[]')
          FROM (SELECT created_at, amount_minor FROM mine WHERE ${counted} AND created_at > ${since(HOURS_OF_30_DAYS)} ORDER BY created_at DESC, amount_minor LIMIT ${LONGEST_LIST}) AS newest) AS movements,
        (SELECT coalesce(json_agg(created_at ORDER BY created_at DESC), '[]')
          FROM (SELECT created_at FROM mine WHERE created_at > ${since(24)} ORDER BY created_at DESC LIMIT ${LONGEST_LIST}) AS newest) AS requested_at,
        (SELECT count(*) FROM (SELECT destination_hash FROM mine WHERE created_at > ${since(HOURS_OF_30_DAYS)} UNION SELECT ${destination}::bytea) AS keys)::int AS destinations_30d,
        (SELECT coalesce(json_agg(json_build_object('at', paid_at, 'amountMinor', amount_minor::text) ORDER BY paid_at DESC, amount_minor), '[]')
          FROM (SELECT paid_at, amount_minor FROM paid_in WHERE paid_at > ${since(HOURS_OF_30_DAYS)} ORDER BY paid_at DESC, amount_minor LIMIT ${LONGEST_LIST}) AS newest) AS settled_movements,
        (SELECT count(DISTINCT payer_document_hash) FROM paid_in WHERE paid_at > ${since(HOURS_OF_30_DAYS)})::int AS payers_30d,
        (SELECT count(DISTINCT others.player_ref) FROM payers CROSS JOIN LATERAL (${othersPaidBySql(operationId, playerRef)}) AS others)::int AS other_players_of_payers,
        (SELECT json_build_object('hour', hour, 'hourMinor', hour_minor::text, 'day', day, 'dayMinor', day_minor::text)
          FROM automatic_use WHERE operation_id = ${operationId} AND automatic_use.currency = ${currency}) AS automatic_use
      FROM mine)`;
}

/**
 * Other players' deposits that `payers.hash` paid. Both sides of the player in an ordered index: the player's own deposits, nearly
 * all there are, are never read, and no estimate of how many there are can make Postgres read the whole table.
 */
function othersPaidBySql(operationId: string, playerRef: string): Prisma.Sql {
  const paid = Prisma.sql`SELECT player_ref FROM deposit WHERE operation_id = ${operationId} AND payer_document_hash = payers.hash AND status = 'paid'`;
  return Prisma.sql`(${paid} AND player_ref < ${playerRef} LIMIT ${MOST_SHARED}) UNION ALL (${paid} AND player_ref > ${playerRef} LIMIT ${MOST_SHARED})`;
}

/** The facts of the row, with what only the request and the configuration tell. */
export function riskFacts(
  row: RiskColumns,
  question: { at: string; playerRef: string },
  request: SealedWithdrawalRequest,
  thresholds: Thresholds,
  engine: EngineRules,
): RiskFacts {
  return {
    windows: {
      d7: { amountMinor: row.d7_minor, count: row.d7_count },
      d30: { amountMinor: row.d30_minor, count: row.d30_count },
    },
    withdrawals: row.movements.map(movement),
    requestedAt: row.requested_at.map(utcInstant),
    destinations30d: row.destinations_30d,
    deposits: row.settled_movements.map(movement),
    payers30d: row.payers_30d,
    playersOfPayers: row.other_players_of_payers + 1,
    vipTier: vipTierOf(engine, question.playerRef),
    automatic: usedIn(row.automatic_use, automaticUseAt(question.at, thresholds)),
    netGamingResult: netGamingResult(request.player_context?.['net_gaming_result']),
  };
}

function movement({ at, amountMinor }: JsonMovement) {
  return { at: utcInstant(at), amountMinor };
}

/** A signed amount of minor units, by itself or as the `amount` of Money. */
function netGamingResult(reported: unknown): RiskFacts['netGamingResult'] {
  const amount = typeof reported === 'object' && reported !== null && 'amount' in reported ? reported.amount : reported;
  if (typeof amount !== 'string') return 'unreported';
  return /^-?0+$/.test(amount) ? 'zero' : 'other';
}
