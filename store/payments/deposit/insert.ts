// Inserts a deposit with its player and the decision to accept it, in one SQL statement that is safe to repeat.
import type { DepositOrder } from '../../../contract/temporal/payment.js';
import type { DepositRecord } from '../../../domain/payments/deposit-record.js';
import type { Database } from '../../database.js';
import { playerParameters } from '../player.js';
import { decisionParameter, type DecisionRecord } from '../../rules/decisions.js';
import { openDepositRequest } from '../../sealing/sealed-requests.js';
import type { Sealer } from '../../sealing/sealer.js';
import { sqlFile } from '../../sql-file.js';
import { rowOf } from '../../statements.js';
import { isUniqueViolation } from '../../unique-violation.js';
import { type DepositRow, readDeposit } from './read.js';

const INSERT = sqlFile('payments/deposit/insert.sql');

export interface DepositInsertion {
  readonly order: DepositOrder;
  /** At version 1 and revision 1. */
  readonly record: DepositRecord;
  /** The player's revision that the rules read; `null` if it is not compared, because no limit counts the history. */
  readonly playerRevision: string | null;
  /** The decision that accepts it. It is stored only with the row. */
  readonly decision: DecisionRecord | null;
  /** The environment of the process that requests the charge. */
  readonly environment: 'sandbox' | 'production';
}

export type InsertedDeposit =
  | { readonly kind: 'inserted'; readonly row: DepositRow }
  /** It was there already: an earlier attempt inserted it. */
  | { readonly kind: 'found'; readonly row: DepositRow }
  /** Another deposit has the `external_id`. */
  | { readonly kind: 'duplicate'; readonly existingId: string }
  /** The player's document was set to another one in the meantime. */
  | { readonly kind: 'document_mismatch' }
  /** The order was refused before. */
  | { readonly kind: 'order_refused' }
  /** Nobody is charged there now. */
  | { readonly kind: 'provider_paused' }
  /** The operation belongs to another environment than this process. */
  | { readonly kind: 'other_environment' }
  /** The facts of the decision are out of date: decide again. */
  | { readonly kind: 'stale' };

/** Inserts the deposit and fixes the player's document at first use. `external_id` is unique by constraint. */
export async function insertDeposit(
  database: Database,
  sealer: Sealer,
  input: DepositInsertion,
): Promise<InsertedDeposit> {
  // If a revision was compared, the next decision of the rules shows whether the document was the cause.
  const otherwise = { kind: input.playerRevision === null ? 'document_mismatch' : 'stale' } as const;
  try {
    const result = await rowOf<Result>(database, INSERT(parametersOf(sealer, input)));
    if (result?.updatedAt) return { kind: 'inserted', row: rowAfter(input, result.updatedAt) };
    const refusal = result?.refusal ?? null;
    return await resultOfMissing(database, input.order, refusal === null ? otherwise : { kind: refusal });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    return resultOfMissing(database, input.order, { kind: 'stale' });
  }
}

interface Result {
  /** `null` if nothing was inserted. */
  readonly updatedAt: string | null;
  /** `null` if nothing prevents the insertion. */
  readonly refusal: 'order_refused' | 'provider_paused' | 'other_environment' | null;
}

function rowAfter({ order: { proof: _, ...order }, record }: DepositInsertion, updatedAt: string): DepositRow {
  return { record: { ...record, snapshot: { ...record.snapshot, updatedAt } }, order, sealedPayer: null };
}

/** Nothing was written: the row exists already (a repeat), the `external_id` is taken, or `otherwise`. */
async function resultOfMissing(
  database: Database,
  { operationId, externalId, id }: DepositOrder,
  otherwise: InsertedDeposit,
): Promise<InsertedDeposit> {
  const existing = await database.deposit.findUnique({
    where: { operationId_externalId: { operationId, externalId } },
    select: { id: true },
  });
  if (existing === null) return otherwise;
  if (existing.id !== id) return { kind: 'duplicate', existingId: existing.id };
  return { kind: 'found', row: await readDeposit(database, { id, operationId }) };
}

function parametersOf(sealer: Sealer, { order, record, playerRevision, decision, environment }: DepositInsertion) {
  const { operationId, externalId, playerRef, provider, amountMinor, currency } = order;
  const { snapshot: deposit } = record;
  const { player } = openDepositRequest(sealer, order);
  return {
    ...{ id: deposit.id, operationId, externalId, playerRef, provider, amountMinor, currency, environment },
    ...{ status: deposit.status, at: deposit.createdAt, expiresAt: deposit.expiresAt },
    ...playerParameters(sealer, { operationId, playerRef }, player),
    playerRevision,
    requestSealed: Buffer.from(order.sealedRequest, 'base64url'),
    decision: decisionParameter(decision),
  };
}
