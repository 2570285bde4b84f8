// The facts that the history rules compare: columns of the statement of withdrawal-facts.ts, and their mapping.
import { automaticUseAt, usedIn } from '../../../domain/rules/automatic-use.js';
import { type EngineRules, vipTierOf } from '../../../domain/rules/engine-rules.js';
import type { RiskFacts } from '../../../domain/rules/risk-rules.js';
import type { Thresholds } from '../../../domain/rules/thresholds.js';
import type { SealedWithdrawalRequest } from '../../sealing/orders.js';
import { hoursBefore, type JsonMovement, movementOf, utcInstant } from './shared.js';

/** Payments of one player in 30 days that are read one by one; of more, only the sums. */
const LONGEST_LIST = 200;
/** Deposits of other players that are read per payer, on either side of the player in the index. */
const MOST_SHARED = 500;

export interface RiskColumns {
  readonly d7_minor: bigint;
  readonly d7_count: number;
  readonly d30_minor: bigint;
  readonly d30_count: number;
  readonly movements: JsonMovement[];
  readonly requested_at: string[];
  readonly destinations_30d: number;
  readonly settled_movements: JsonMovement[];
  readonly payers_30d: number;
  readonly other_players_of_payers: number;
  readonly automatic_use: { hour: string; hourMinor: bigint; day: string; dayMinor: bigint } | null;
}

/** The parameters of the risk facts in the statement. */
export function riskParameters(at: string) {
  return { requestedStart: hoursBefore(at, 24), longestList: LONGEST_LIST, mostShared: MOST_SHARED };
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
