// What a filter names must exist: a mistyped id is refused, so that nobody takes an empty answer for "nothing was found".
import type { Database } from '../store/database.js';
import { refused } from './problem.js';

/** Refuses the id of an operation that does not exist; null filters nothing. */
export async function assertOperation(database: Database, operationId: string | null): Promise<void> {
  if (operationId === null) return;
  if ((await database.operation.count({ where: { id: operationId } })) === 0)
    throw refused(`operation ${operationId}: there is no such operation`);
}

/** Refuses the id of a payment that neither exists nor was ever decided on: what the rules refused leaves decisions only. */
export async function assertPayment(
  database: Database,
  { kind, id }: { kind: 'deposit' | 'withdrawal'; id: string },
): Promise<void> {
  const [deposits, withdrawals, decisions] = await Promise.all([
    database.deposit.count({ where: { id } }),
    database.withdrawal.count({ where: { id } }),
    database.decision.count({ where: { objectId: id } }),
  ]);
  if (deposits + withdrawals + decisions === 0) throw refused(`${kind} ${id}: there is no such ${kind}`);
}
