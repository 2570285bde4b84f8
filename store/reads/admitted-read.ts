// A read that Postgres carries out in the very statement that admits its request: one exchange with it instead of two, which is a
// good part of what a small read costs. It reads of the operation that was admitted, whatever that is; of none where none was.
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../client.js';
import { type Planning, rowsOf } from '../statements.js';

export interface AdmittedRead {
  /** The statement; its rows have an `id`, and no `admission`. */
  readonly of: (operationId: Prisma.Sql) => Prisma.Sql;
  readonly planning: Planning;
}

/** The same read by itself. */
export function readNow<Row extends object>(database: Database, operationId: string, { of, planning }: AdmittedRead): Promise<Row[]> {
  return rowsOf<Row>(database, of(Prisma.sql`${operationId}`), planning);
}
