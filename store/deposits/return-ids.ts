// The ids of returns that providers report (`D…`, shown on bank statements), so that support can find the deposit by
// one.
import type { Database } from '../database.js';

/** Stores the ids under their deposit. Repeating it changes nothing. */
export async function insertReturnIds(
  database: Database,
  depositId: string,
  returnIds: readonly string[],
): Promise<void> {
  const data = returnIds.map((returnId) => ({ returnId, depositId }));
  await database.returnId.createMany({ data, skipDuplicates: true });
}
