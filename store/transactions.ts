// Interactive transactions: for a person's change that several statements make together. Payments use one statement
// instead.
import type { Prisma } from '../prisma/generated/client.js';
import type { Database } from './database.js';

export type Transaction = Prisma.TransactionClient;

/** Milliseconds that a transaction waits for a connection, and that it may take. */
const TRANSACTION_LIMITS = { maxWait: 5_000, timeout: 15_000 } as const;

/** Runs `work` in one transaction: all of it is stored, or nothing. */
export async function inTransaction<Result>(
  database: Database,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  return database.$transaction(work, TRANSACTION_LIMITS);
}
