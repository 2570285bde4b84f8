// Deletes rows of authentication and Idempotency-Keys that are past their retention
// (prisma/functions/sweep_requests.sql).
import type { Database } from '../database.js';

/** One bounded sweep. Returns the number of deleted rows, 0 also when another process is sweeping. */
export async function sweepRequests(database: Database, rowsAtOnce: number): Promise<number> {
  const [row] = await database.$queryRaw<{ swept: number }[]>`SELECT sweep_requests(${rowsAtOnce}::integer) AS swept`;
  return row?.swept ?? 0;
}
