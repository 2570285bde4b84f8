// The permission to request a deposit's charge from a provider, and the return of its payment. One statement each gives
// it, only for what the database rows and the ledger call for. The insertion of a new deposit permits its first charge.
import { isOfReview, type ReturnRequest } from '../../../domain/payments/deposit-record.js';
import type { Permission } from '../../../domain/payments/permissions.js';
import type { Database } from '../../database.js';
import { documentHash } from '../../sealing/lookup-hashes.js';
import { openDepositRequest } from '../../sealing/sealed-requests.js';
import type { Sealer } from '../../sealing/sealer.js';
import { sqlFile, type Statement } from '../../sql-file.js';
import { rowOf } from '../../statements.js';
import type { DepositRow } from './read.js';

const PERMIT_CHARGE = sqlFile('payments/deposit/permit-charge.sql');
const PERMIT_RETURN = sqlFile('payments/deposit/permit-return.sql');
const PERMIT_ITEM_RETURN = sqlFile('payments/deposit/permit-item-return.sql');

type Environment = 'sandbox' | 'production';

/** Whether a process of this environment may request the charge of the deposit, as it was read. */
export function permitCharge(
  database: Database,
  sealer: Sealer,
  { record: { snapshot, revision }, order }: DepositRow,
  environment: Environment,
): Promise<Permission> {
  const { id, operationId } = snapshot;
  const { player, amount } = openDepositRequest(sealer, order);
  return permission(
    database,
    PERMIT_CHARGE({
      ...{ id, operationId, revision, environment },
      ...{ amountMinor: amount.amount, currency: amount.currency },
      documentHash: documentHash(sealer, operationId, player.document.number),
    }),
  );
}

/**
 * Whether this payment of the deposit, as it was read, may be returned: people requested it, and have not concluded it;
 * the ledger holds this money for it, and no other deposit has the payment.
 */
export function permitReturn(
  database: Database,
  { record }: DepositRow,
  request: ReturnRequest,
  environment: Environment,
): Promise<Permission> {
  const { id, operationId } = record.snapshot;
  const { actId, of: endToEndId, amountMinor } = request;
  const permit = isOfReview(record, request) ? PERMIT_RETURN : PERMIT_ITEM_RETURN;
  const asked = { actId, endToEndId, amountMinor };
  return permission(database, permit({ id, operationId, revision: record.revision, environment, ...asked }));
}

async function permission(database: Database, statement: Statement): Promise<Permission> {
  return (await rowOf<{ permission: Permission }>(database, statement))?.permission ?? 'changed';
}
