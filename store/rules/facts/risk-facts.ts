// The facts that the history rules compare: CTEs of the one statement of withdrawal-facts.ts, and their mapping.
import { automaticUseAt, usedIn } from '../../../domain/rules/automatic-use.js';
import { type EngineRules, vipTierOf } from '../../../domain/rules/engine-rules.js';
import type { RiskFacts } from '../../../domain/rules/risk-rules.js';
import type { Thresholds } from '../../../domain/rules/thresholds.js';
import { Prisma } from '../../../prisma/generated/client.js';
import { DEPOSIT_SETTLED } from '../../payments/phase-sql.js';
import type { SealedWithdrawalRequest } from '../../sealing/sealed-requests.js';
import {
  BEFORE_OWN,
  countedSql,
  HOURS_OF_30_DAYS,
  HOURS_OF_7_DAYS,
  hoursBefore,
  type JsonMovement,
  movementOf,
  newestMovementsSql,
  newestTimesSql,
  ofPlayerSql,
  utcInstant,
  windowSql,
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
 * CTE `risk`, one row. `withdrawals` and `deposits` are the player's in the currency, `later` the CTE of withdrawals
 * that the decision leaves out. Other players are found by the index of payers, at most 1,000 deposits per payer.
 */
export function riskSql({ operationId, playerRef, currency, at, destination }: Subject): Prisma.Sql {
  const ofCurrency = { operationId, playerRef, currency };
  const withdrawals = { kind: 'withdrawal', ...ofCurrency } as const;
  const in30Days = (time: 'created_at' | 'paid_at') => sinceSql(time, at, HOURS_OF_30_DAYS);
  const counted = Prisma.sql`${countedSql(withdrawals)} AND ${BEFORE_OWN} AND ${in30Days('created_at')}`;
  const requested = Prisma.sql`withdrawal
    WHERE operation_id = ${operationId} AND player_ref = ${playerRef} AND ${BEFORE_OWN} AND ${sinceSql('created_at', at, 24)}`;
  const settled = Prisma.sql`deposit WHERE ${ofPlayerSql(ofCurrency)} AND ${DEPOSIT_SETTLED}`;
  const later = Prisma.sql`(SELECT * FROM later WHERE counted AND currency = ${currency}) AS left_out`;
  return Prisma.sql`
    ${windowSql('d7', withdrawals, at, HOURS_OF_7_DAYS, later)},
    ${windowSql('d30', withdrawals, at, HOURS_OF_30_DAYS, later)},
    payers AS MATERIALIZED (
      SELECT value_hash AS hash, EXISTS (SELECT FROM ${settled} AND payer_document_hash = value_hash AND ${in30Days('paid_at')})
        AS in_30_days
      FROM player_trait
      WHERE operation_id = ${operationId} AND player_ref = ${playerRef} AND kind = 'payer'
        AND EXISTS (SELECT FROM ${settled} AND payer_document_hash = value_hash)
    ),
    risk AS (
      SELECT d7.minor AS d7_minor, d7.number AS d7_count, d30.minor AS d30_minor, d30.number AS d30_count,
        ${newestMovementsSql('created_at', counted, LONGEST_LIST)} AS movements,
        ${newestTimesSql(requested, LONGEST_LIST)} AS requested_at,
        ${destinationsSql({ operationId, playerRef, destination }, in30Days('created_at'))} AS destinations_30d,
        ${newestMovementsSql('paid_at', Prisma.sql`${settled} AND ${in30Days('paid_at')}`, LONGEST_LIST)}
          AS settled_movements,
        (SELECT count(*) FROM payers WHERE in_30_days)::int AS payers_30d,
        (
          SELECT count(DISTINCT others.player_ref)
          FROM payers CROSS JOIN LATERAL (${othersPaidBySql(operationId, playerRef)}) AS others
        )::int AS other_players_of_payers,
        ${automaticUseSql(operationId, currency)} AS automatic_use
      FROM d7 CROSS JOIN d30
    )`;
}

/** The player's different keys of the period, and this one: one probe for each key that was ever used. */
function destinationsSql(
  { operationId, playerRef, destination }: Pick<Subject, 'operationId' | 'playerRef' | 'destination'>,
  inPeriod: Prisma.Sql,
): Prisma.Sql {
  return Prisma.sql`(
          SELECT 1 + count(*) FROM player_trait
          WHERE operation_id = ${operationId} AND player_ref = ${playerRef} AND kind = 'pix_key'
            AND value_hash <> ${destination}::bytea
            AND EXISTS (
              SELECT FROM withdrawal
              WHERE operation_id = ${operationId} AND player_ref = ${playerRef} AND destination_hash = value_hash
                AND ${BEFORE_OWN} AND ${inPeriod}
            )
        )::int`;
}

function sinceSql(time: 'created_at' | 'paid_at', at: string, hours: number): Prisma.Sql {
  return Prisma.sql`${Prisma.raw(time)} > ${hoursBefore(at, hours)}::timestamptz`;
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
