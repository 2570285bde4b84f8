// The facts that the history rules compare: CTEs of the one statement of withdrawal-facts.ts, and their mapping.
import { automaticUseAt, usedIn } from '../../../domain/rules/automatic-use.js';
import { type EngineRules, vipTierOf } from '../../../domain/rules/engine-rules.js';
import type { RiskFacts } from '../../../domain/rules/risk-rules.js';
import type { Thresholds } from '../../../domain/rules/thresholds.js';
import { Prisma } from '../../../prisma/generated/client.js';
import { DEPOSIT_SETTLED } from '../../payments/standing-sql.js';
import type { SealedWithdrawalRequest } from '../../sealing/sealed-requests.js';
import {
  HOURS_OF_30_DAYS,
  HOURS_OF_7_DAYS,
  hoursBefore,
  type JsonMovement,
  movementOf,
  newestMovementsSql,
  newestTimesSql,
  utcInstant,
} from './facts-sql.js';

/** Payments of one player in 30 days that are read one by one; of more, only the sums. */
const LONGEST_LIST = 200;
/** Deposits of other players that are read per payer, on either side of the player in the index. */
const MOST_SHARED = 500;

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
 * CTE `risk`, one row, over the CTEs `mine` (the player's earlier withdrawals) and `paid_in` (the player's settled
 * deposits in the currency). Other players are found by the index of payers, at most 1,000 deposits per payer.
 */
export function riskSql(subject: Subject): Prisma.Sql {
  const { operationId, playerRef, currency, at, destination } = subject;
  const in30Days = (time: 'created_at' | 'paid_at') => sinceSql(time, at, HOURS_OF_30_DAYS);
  const counted = Prisma.sql`mine WHERE counted AND currency = ${currency} AND ${in30Days('created_at')}`;
  const requested = Prisma.sql`mine WHERE ${sinceSql('created_at', at, 24)}`;
  const settled = Prisma.sql`paid_in WHERE ${in30Days('paid_at')}`;
  return Prisma.sql`
    payers AS (SELECT DISTINCT payer_document_hash AS hash FROM paid_in WHERE payer_document_hash IS NOT NULL),
    risk AS (
      SELECT ${windowSql('d7', subject, HOURS_OF_7_DAYS)},
        ${windowSql('d30', subject, HOURS_OF_30_DAYS)},
        ${newestMovementsSql('created_at', counted, LONGEST_LIST)} AS movements,
        ${newestTimesSql(requested, LONGEST_LIST)} AS requested_at,
        (
          SELECT count(*) FROM (
            SELECT destination_hash FROM mine WHERE ${in30Days('created_at')} UNION SELECT ${destination}::bytea
          ) AS keys
        )::int AS destinations_30d,
        ${newestMovementsSql('paid_at', settled, LONGEST_LIST)} AS settled_movements,
        (SELECT count(DISTINCT payer_document_hash) FROM ${settled})::int AS payers_30d,
        (
          SELECT count(DISTINCT others.player_ref)
          FROM payers CROSS JOIN LATERAL (${othersPaidBySql(operationId, playerRef)}) AS others
        )::int AS other_players_of_payers,
        ${automaticUseSql(operationId, currency)} AS automatic_use
      FROM mine
    )`;
}

function sinceSql(time: 'created_at' | 'paid_at', at: string, hours: number): Prisma.Sql {
  return Prisma.sql`${Prisma.raw(time)} > ${hoursBefore(at, hours)}::timestamptz`;
}

/** Columns `<name>_minor` and `<name>_count`: the player's counted withdrawals of so many hours in the currency. */
function windowSql(name: 'd7' | 'd30', { currency, at }: Subject, hours: number): Prisma.Sql {
  const counted = Prisma.sql`counted AND currency = ${currency} AND ${sinceSql('created_at', at, hours)}`;
  return Prisma.sql`
        coalesce(sum(amount_minor) FILTER (WHERE ${counted}), 0)::text AS ${Prisma.raw(name)}_minor,
        (count(*) FILTER (WHERE ${counted}))::int AS ${Prisma.raw(name)}_count`;
}

/**
 * Other players' deposits that `payers.hash` paid: both sides of the player in an ordered index. The player's own
 * deposits, nearly all of the payer's, are never read, and no estimate of their number makes Postgres read the whole
 * table.
 */
function othersPaidBySql(operationId: string, playerRef: string): Prisma.Sql {
  const paid = Prisma.sql`
            SELECT player_ref FROM deposit
            WHERE operation_id = ${operationId} AND payer_document_hash = payers.hash AND ${DEPOSIT_SETTLED}`;
  return Prisma.sql`
            (${paid} AND player_ref < ${playerRef} LIMIT ${MOST_SHARED})
            UNION ALL (${paid} AND player_ref > ${playerRef} LIMIT ${MOST_SHARED})`;
}

function automaticUseSql(operationId: string, currency: string): Prisma.Sql {
  return Prisma.sql`(
          SELECT json_build_object('hour', hour, 'hourMinor', hour_minor::text, 'day', day, 'dayMinor', day_minor::text)
          FROM automatic_use WHERE operation_id = ${operationId} AND automatic_use.currency = ${currency}
        )`;
}

/** The facts of the row, the request and the configuration. */
export function riskFacts(
  row: RiskColumns,
  subject: { createdAt: string; playerRef: string },
  request: SealedWithdrawalRequest,
  thresholds: Thresholds,
  engine: EngineRules,
): RiskFacts {
  return {
    windows: {
      d7: { amountMinor: row.d7_minor, count: row.d7_count },
      d30: { amountMinor: row.d30_minor, count: row.d30_count },
    },
    withdrawals: row.movements.map(movementOf),
    requestedAt: row.requested_at.map(utcInstant),
    destinations30d: row.destinations_30d,
    deposits: row.settled_movements.map(movementOf),
    payers30d: row.payers_30d,
    playersOfPayers: row.other_players_of_payers + 1,
    vipTier: vipTierOf(engine, subject.playerRef),
    automatic: usedIn(row.automatic_use, automaticUseAt(subject.createdAt, thresholds)),
    netGamingResult: netGamingResult(request.player_context?.['net_gaming_result']),
  };
}

/** A signed amount of minor units, as text or as the `amount` of Money. */
function netGamingResult(reported: unknown): RiskFacts['netGamingResult'] {
  const amount = typeof reported === 'object' && reported !== null && 'amount' in reported ? reported.amount : reported;
  if (typeof amount !== 'string') return 'unreported';
  return /^-?0+$/.test(amount) ? 'zero' : 'other';
}
