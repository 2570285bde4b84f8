// Checks that what an option names exists: for a mistyped id, an empty answer would look like "nothing found".
import type { Database } from '../../store/database.js';
import { refused } from '../problem.js';

/** Refuses the id of an operation that does not exist. Null, the absent filter, passes. */
export async function assertOperation(database: Database, operationId: string | null): Promise<void> {
  if (operationId === null) return;
  const { operationExists } = await import('../../store/operations/operations.js');
  if (!(await operationExists(database, operationId))) throw noSuchOperation(operationId);
}

/** Refuses the id of a payment that neither exists nor was refused by a decision. */
export async function assertPayment(
  database: Database,
  { kind, id }: { kind: 'deposit' | 'withdrawal'; id: string },
): Promise<void> {
  const { isKnownPayment } = await import('../../store/payments/payment-ids.js');
  if (!(await isKnownPayment(database, id))) throw refused(`${kind} ${id}: there is no such ${kind}`);
}

/** The problem of an operation that does not exist. */
export function noSuchOperation(operationId: string) {
  return refused(`operation ${operationId}: there is no such operation`);
}
