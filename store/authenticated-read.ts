// A read that Postgres carries out in the very statement that admits its request: one exchange with it instead of two, which is a
// good part of what a small read costs. It reads of the operation that was admitted, whatever that is; of none where none was.
import { Prisma } from '../prisma/generated/client.js';
import type { Database } from './database.js';
import { type Planning, rowsOf } from './statements.js';

export interface AdmittedRead {
  /** The statement; its rows have an `id`, and no `admission`. */
  readonly of: (operationId: Prisma.Sql) => Prisma.Sql;
  readonly planning: Planning;
}

/** The rows of a read: those `found` with the admission, or else what the read finds by itself. */
export async function rowsOfRead<Row extends object>(
  database: Database,
  operationId: string,
  { of, planning }: AdmittedRead,
  found?: readonly object[],
): Promise<readonly Row[]> {
  return (
    (found as readonly Row[] | undefined) ?? (await rowsOf<Row>(database, of(Prisma.sql`${operationId}`), planning))
  );
}
