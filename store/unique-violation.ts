// Tells "another row has this unique value" from every other refusal of Postgres.
import { Prisma } from '../prisma/generated/client.js';

/** Whether Postgres refused a row because its unique value exists. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return false;
  if (error.code === 'P2002') return true;
  const cause = (
    error.meta as { driverAdapterError?: { cause?: { kind?: string; originalCode?: string } } } | undefined
  )?.driverAdapterError?.cause;
  return cause?.kind === 'UniqueConstraintViolation' || cause?.originalCode === '23505';
}
