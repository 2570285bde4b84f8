// Tells "Postgres cannot answer now" (503, temporary) from a fault in our code (500).
import pg from 'pg';
import { Prisma } from '../prisma/generated/client.js';
import { DatabaseUnreachableError } from './statements.js';

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
