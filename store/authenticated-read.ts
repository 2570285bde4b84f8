// A read that runs in the same query as the request's authentication: one round trip to Postgres instead of two, a good
// part of what a small read costs. It reads rows of the authenticated operation, and none if authentication fails.
import { Prisma } from '../prisma/generated/client.js';
import type { Database } from './database.js';
import { type Planning, rowsOf } from './statements.js';

export interface AuthenticatedRead {
  /** The statement. Its rows have an `id`, and no column `authentication`. */
  readonly of: (operationId: Prisma.Sql) => Prisma.Sql;
  readonly planning: Planning;
}

/** The rows of a read: those `found` during authentication, otherwise read now. */
export async function rowsOfRead<Row extends object>(
  database: Database,
  operationId: string,
  { of, planning }: AuthenticatedRead,
  found?: readonly object[],
): Promise<readonly Row[]> {
  return (
    (found as readonly Row[] | undefined) ?? (await rowsOf<Row>(database, of(Prisma.sql`${operationId}`), planning))
  );
}
