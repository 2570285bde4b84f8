// A withdrawal in Postgres: its insertion, its transitions, and loading it when its workflow is reopened.
import type { WithdrawalOrder } from '../../contract/temporal/withdrawal.js';
import { displayedOperatorReasons } from '../../domain/rules/operator-reasons.js';
import type { Database } from '../../store/database.js';
import { MissingRowError } from '../../store/missing-row.js';
import { operationOf } from '../../store/operations/operations.js';
import { operatorReasonsOf } from '../../store/sealing/sealed-requests.js';
import { type Sealer, UnsealableError } from '../../store/sealing/sealer.js';
import { insertWithdrawal } from '../../store/withdrawals/insert.js';
import { findWithdrawal, withdrawalSnapshot } from '../../store/withdrawals/rows.js';
import { storeWithdrawalTransition } from '../../store/withdrawals/transition.js';
import { missingRowsAreFinal } from '../missing-rows.js';
import type { StoreActivities } from './types.js';

type WithdrawalStore = Pick<StoreActivities, 'admitWithdrawal' | 'storeWithdrawal' | 'loadWithdrawal'>;

export function createWithdrawalStore(database: Database, sealer: Sealer): WithdrawalStore {
  return {
    admitWithdrawal: (input) => insertWithdrawal(database, sealer, input),
    storeWithdrawal: (input) => storeWithdrawalTransition(database, sealer, input),
    loadWithdrawal: (input) => missingRowsAreFinal(() => loadWithdrawal(database, sealer, input)),
  };
}

/** The withdrawal with everything that a reopened workflow needs. */
async function loadWithdrawal(
  database: Database,
  sealer: Sealer,
  { withdrawalId, operationId }: { withdrawalId: string; operationId: string },
): ReturnType<StoreActivities['loadWithdrawal']> {
  const row = await findWithdrawal(database, operationId, withdrawalId);
  if (row === null) throw new MissingRowError('Withdrawal', `withdrawal ${withdrawalId} does not exist`);
  const operation = await operationOf(database, operationId);
  const order: WithdrawalOrder = {
    withdrawalId,
    operationId,
    operationName: operation.name,
    environment: operation.environment,
    provider: row.provider,
    externalId: row.externalId,
    playerRef: row.playerRef,
    amountMinor: row.amountMinor,
    currency: row.currency,
    reviewRequested: row.decisionReasons.includes('OPERATOR_REVIEW_REQUESTED'),
    operatorReasons: countOperatorReasons(sealer, row.requestSealed),
    hasPlayerIp: row.hasPlayerIp,
    destinationType: row.destinationType,
    sealedRequest: row.requestSealed.toString('base64url'),
  };
  return { order, withdrawal: withdrawalSnapshot(row) };
}

/**
 * Zero if the request cannot be opened any more: the number is shown to staff only, and the payment can still be
 * cancelled.
 */
function countOperatorReasons(sealer: Sealer, sealedRequest: Uint8Array): number {
  try {
    return displayedOperatorReasons(operatorReasonsOf(sealer, sealedRequest)).length;
  } catch (error) {
    if (error instanceof UnsealableError) return 0;
    throw error;
  }
}
