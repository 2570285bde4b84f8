// Inserts a deposit with its player and the decision to accept it, in one SQL statement that is safe to repeat.
import type { DepositOrder } from '../../../contract/temporal/payment.js';
import type { DepositRecord } from '../../../domain/payments/deposit-record.js';
import type { Database } from '../../database.js';
import { type Inserted, playerParameters, whyMissing } from '../insertion.js';
import { decisionParameter, type DecisionRecord } from '../../rules/decisions.js';
import { openDepositRequest } from '../../sealing/orders.js';
import type { Sealer } from '../../sealing/sealer.js';
import { rowOf, sqlFile } from '../../statements.js';
import { isUniqueViolation } from '../../errors.js';
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

/**
 * `document_mismatch`: the player's document was set to another one in the meantime. `provider_paused`: nobody is
 * charged there now. `other_environment`: the operation belongs to another environment than this process.
 */
export type InsertedDeposit = Inserted<DepositRow, 'document_mismatch' | 'provider_paused' | 'other_environment'>;

/** Inserts the deposit and fixes the player's document at first use. `external_id` is unique by constraint. */
export async function insertDeposit(
  database: Database,
  sealer: Sealer,
  input: DepositInsertion,
): Promise<InsertedDeposit> {
  // If a revision was compared, the next decision of the rules shows whether the document was the cause.
  const otherwise = input.playerRevision === null ? 'document_mismatch' : 'stale';
  try {
    const result = await rowOf<Result>(database, INSERT(parametersOf(sealer, input)));
    if (result?.updatedAt) return { kind: 'inserted', row: rowAfter(input, result.updatedAt) };
    return await whyMissing(database, 'deposit', input.order, readDeposit, result?.refusal ?? otherwise);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    return whyMissing(database, 'deposit', input.order, readDeposit, 'stale');
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
