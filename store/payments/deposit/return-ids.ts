// The ids of returns that providers report (`D…`, shown on bank statements), so that support can find the deposit by
// one, and a line of a statement its movement.
import type { Database } from '../../database.js';

/** Stores the ids under their deposit, with the references by which the books have the returns. Repeating it changes nothing. */
export async function insertReturnIds(
  database: Database,
  depositId: string,
  returns: readonly { readonly returnId: string; readonly reference: string }[],
): Promise<void> {
  const data = returns.map((one) => ({ ...one, depositId }));
  await database.returnId.createMany({ data, skipDuplicates: true });
}
