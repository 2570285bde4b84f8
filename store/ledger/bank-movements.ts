// Movements at providers' accounts that are in the books of another object: one PIX counts once.
import pg from 'pg';
import type { LedgerTransfer } from '../../domain/ledger.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { rowOf } from '../statements.js';

/** A movement that a change enters is another payment's already: nothing was stored. */
export class MovementTakenError extends Error {
  override readonly name = 'MovementTakenError';
  constructor(
    /** The movement's id at the bank. */
    readonly bankId: string,
    /** The payment that has it. */
    readonly by: string,
  ) {
    super('another payment has this movement of the bank');
  }
}

/**
 * What the statement that enters these movements answers. Throws MovementTakenError; `null`: the movement is this
 * payment's already, stored by another step.
 */
export async function unlessTaken<Answer>(
  database: Database,
  payment: { readonly provider: string; readonly id: string },
  movements: readonly LedgerTransfer[],
  answer: Promise<Answer | null>,
): Promise<Answer | null> {
  try {
    return await answer;
  } catch (error) {
    if (!isInBooks(error)) throw error;
    const taken = await takenMovement(database, payment, movements);
    if (taken === null) return null;
    throw new MovementTakenError(taken.bankId, taken.by);
  }
}

function isInBooks(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.constraint === 'bank_movement_pkey';
}

function takenMovement(
  database: Database,
  { provider, id }: { readonly provider: string; readonly id: string },
  movements: readonly LedgerTransfer[],
): Promise<{ readonly bankId: string; readonly by: string } | null> {
  const keys = movements.flatMap(({ bank }) =>
    bank === null ? [] : [{ kind: bank.kind, bank_id: bank.bankId, part: bank.part }],
  );
  return rowOf(
    database,
    Prisma.sql`
      SELECT bank_id AS "bankId", object_id AS by
      FROM bank_movement
      JOIN jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) AS entered (kind text, bank_id text, part text)
        USING (kind, bank_id, part)
      WHERE account = ${provider} AND object_id <> ${id}
      LIMIT 1`,
  );
}
