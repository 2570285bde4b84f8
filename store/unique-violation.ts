// Tells "another row has this unique value" from Postgres's other errors.
import pg from 'pg';
import { Prisma } from '../prisma/generated/client.js';

const UNIQUE_VIOLATION = '23505';

/** Whether Postgres rejected a row because its unique value exists. */
export function isUniqueViolation(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return error.code === UNIQUE_VIOLATION;
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return false;
  if (error.code === 'P2002') return true;
  const cause = (
    error.meta as { driverAdapterError?: { cause?: { kind?: string; originalCode?: string } } } | undefined
  )?.driverAdapterError?.cause;
  return cause?.kind === 'UniqueConstraintViolation' || cause?.originalCode === UNIQUE_VIOLATION;
}
