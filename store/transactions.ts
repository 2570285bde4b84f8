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

/** The same for work whose statements may take up to `limitMs`, whatever the pool allows. */
export async function inLongTransaction<Result>(
  database: Database,
  limitMs: number,
  work: (transaction: Transaction) => Promise<Result>,
  options: { readonly isolationLevel?: Prisma.TransactionIsolationLevel } = {},
): Promise<Result> {
  return database.$transaction(
    async (transaction) => {
      await transaction.$executeRawUnsafe(`SET LOCAL statement_timeout = ${Math.floor(limitMs)}`);
      return work(transaction);
    },
    { ...options, maxWait: TRANSACTION_LIMITS.maxWait, timeout: limitMs },
  );
}

/** Reads in one snapshot, with the same limit for each statement. */
export function inLongSnapshot<Result>(
  database: Database,
  limitMs: number,
  read: (snapshot: Transaction) => Promise<Result>,
): Promise<Result> {
  return inLongTransaction(database, limitMs, read, { isolationLevel: 'RepeatableRead' });
}

/** Locks the operation's counter, as every change of its payments and money does: nothing comes in between. */
export async function lockCounter(transaction: Pick<Transaction, '$queryRaw'>, operationId: string): Promise<void> {
  await transaction.$queryRaw`
    SELECT event_sequence::text FROM operation_counter WHERE operation_id = ${operationId} FOR UPDATE`;
}
