// Limits a statement to the operations that a person reaches.
import type { Reach } from '../domain/staff.js';
import { Prisma } from '../prisma/generated/client.js';

/**
 * A condition on a column with an operation's id. Rows of no operation are visible to people who reach all operations.
 */
export function reachSql(reach: Reach, column: string): Prisma.Sql {
  return reach === 'every' ? Prisma.sql`TRUE` : Prisma.sql`${Prisma.raw(column)} = ANY(${[...reach]}::text[])`;
}

/** The same for a model call. */
export function inReach(reach: Reach): { operationId?: { in: string[] } } {
  return reach === 'every' ? {} : { operationId: { in: [...reach] } };
}
