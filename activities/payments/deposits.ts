// A deposit in Postgres: its insertion, its transitions, and loading it when its workflow is reopened.
import type { DepositOrder } from '../../contract/temporal/deposit.js';
import type { Database } from '../../store/database.js';
import { insertDeposit } from '../../store/deposits/insert.js';
import { depositSnapshot, findDepositWithRequest, sealedPayerOf } from '../../store/deposits/rows.js';
import { storeDepositTransition } from '../../store/deposits/transition.js';
import { MissingRowError } from '../../store/missing-row.js';
import { operationOf } from '../../store/operations/operations.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import { missingRowsAreFinal } from '../missing-rows.js';
import type { DepositAdmissions, StoreActivities } from './types.js';

type DepositStore = DepositAdmissions & Pick<StoreActivities, 'storeDeposit' | 'loadDeposit'>;

export function createDepositStore(database: Database, sealer: Sealer): DepositStore {
  return {
    admitDeposit: (input) => insertDeposit(database, sealer, input),
    storeDeposit: (input) => storeDepositTransition(database, sealer, input),
    loadDeposit: (input) => missingRowsAreFinal(() => loadDeposit(database, input)),
  };
}

/** The deposit with everything that a reopened workflow needs. */
async function loadDeposit(
  database: Database,
  { depositId, operationId }: { depositId: string; operationId: string },
): ReturnType<StoreActivities['loadDeposit']> {
  const row = await findDepositWithRequest(database, operationId, depositId);
  if (row === null) throw new MissingRowError('Deposit', `deposit ${depositId} does not exist`);
  const operation = await operationOf(database, operationId);
  const order: DepositOrder = {
    depositId,
    operationId,
    operationName: operation.name,
    environment: operation.environment,
    provider: row.provider,
    externalId: row.externalId,
    playerRef: row.playerRef,
    amountMinor: row.amountMinor,
    currency: row.currency,
    expiresInSeconds: Math.round((Date.parse(row.expiresAt) - Date.parse(row.createdAt)) / 1000),
    sealedRequest: row.requestSealed.toString('base64url'),
  };
  return { order, deposit: depositSnapshot(row), sealedPayer: sealedPayerOf(row) };
}
