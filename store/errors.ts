// What an error of the database means: it cannot answer now (503, temporary), another row has this unique value, or a
// row that must exist does not. Everything else is a fault in our code (500).
import pg from 'pg';
import { Prisma } from '../prisma/generated/client.js';

/** Postgres gave no answer: no connection, or one that ended. The statement may have been executed. */
export class DatabaseUnreachableError extends Error {
  override readonly name = 'DatabaseUnreachableError';
  constructor(cause: unknown) {
    super('Postgres gave no answer', { cause });
  }
}

/** Prisma's codes: not reachable, time-out, connection closed, no free connection. */
const CODES = new Set(['P1001', 'P1002', 'P1003', 'P1008', 'P1010', 'P1011', 'P1017', 'P2024', 'P2028', 'P2034']);

/**
 * SQLSTATE classes: connection (08), resources (53), operator intervention such as shutdown and time-out (57), system
 * (58).
 */
const SQLSTATE = /^(08|53|57|58|28|3D000|40001|40P01)/;

const DRIVER_KINDS = new Set([
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TooManyConnections',
  'TlsConnectionError',
  'TransactionWriteConflict',
  'DatabaseAccessDenied',
  'DatabaseDoesNotExist',
]);

/** pg-pool's time-out error has neither a class nor a code. */
const POOL_TIMEOUT = 'timeout exceeded when trying to connect';

interface DriverCause {
  readonly kind?: unknown;
  readonly originalCode?: unknown;
}

/** Whether the error means that the database is unavailable now. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnreachableError || error instanceof Prisma.PrismaClientInitializationError) return true;
  if (error instanceof pg.DatabaseError) return SQLSTATE.test(error.code ?? '');
  if (error instanceof Prisma.PrismaClientKnownRequestError)
    return CODES.has(error.code) || isUnavailableCause(causeOf(error));
  return error instanceof Error && (error.message === POOL_TIMEOUT || isNetworkError(error));
}

function causeOf({ meta }: Prisma.PrismaClientKnownRequestError): DriverCause {
  return (meta?.['driverAdapterError'] as { cause?: DriverCause } | undefined)?.cause ?? {};
}

function isUnavailableCause({ kind, originalCode }: DriverCause): boolean {
  return DRIVER_KINDS.has(String(kind)) || (typeof originalCode === 'string' && SQLSTATE.test(originalCode));
}

function isNetworkError(error: Error): boolean {
  return ['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN'].includes(
    String((error as { code?: unknown }).code),
  );
}

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

/** A row that must exist and does not: asking again will not help. */
export class MissingRowError extends Error {
  override readonly name = 'MissingRowError';
  constructor(
    readonly row: 'Deposit' | 'Withdrawal' | 'RuleSet' | 'RuleChange',
    message: string,
  ) {
    super(message);
  }
}
