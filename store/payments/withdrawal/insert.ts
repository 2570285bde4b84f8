// Inserts a withdrawal in its decided state, reserves its money and stores the rules' decision, in one SQL statement:
// two withdrawals cannot spend the same money, and a repeat changes nothing.
import type { WithdrawalOrder } from '../../../contract/temporal/payment.js';
import { newId } from '../../../domain/identifiers.js';
import { writeJson } from '../../../domain/money.js';
import type { AutomaticUse } from '../../../domain/rules/automatic-limits.js';
import type { WithdrawalRecord } from '../../../domain/payments/withdrawal-record.js';
import type { SealedTarget } from '../../events/deliveries.js';
import { beginAttempt, eventParameters, type EventStore, movementsParameter, type NewEvent } from '../effects.js';
import { type Inserted, playerParameters, whyMissing } from '../insertion.js';
import { decisionParameter, type DecisionRecord } from '../../rules/decisions.js';
import { deviceHash, ipHash, pixKeyHash, type Sealer } from '../../sealing/sealer.js';
import { openWithdrawalRequest } from '../../sealing/orders.js';
import { rowOf, sqlFile } from '../../statements.js';
import { isUniqueViolation } from '../../errors.js';
import { newWithdrawalEvent } from './transition.js';
import { type WithdrawalRow, readWithdrawal } from './read.js';

const INSERT = sqlFile('payments/withdrawal/insert.sql');

export interface WithdrawalInsertion {
  readonly order: WithdrawalOrder;
  /** At version 1 and revision 1. */
  readonly record: WithdrawalRecord;
  /** The player's revision that the rules read; `null` if it is not compared. */
  readonly playerRevision: string | null;
  /** For an automatic withdrawal; above a cap the insertion is `stale`. */
  readonly automaticUse: AutomaticUse | null;
  /** The rules' decision; null if they did not decide. */
  readonly decision: DecisionRecord | null;
}

export type InsertedWithdrawal = Inserted<WithdrawalRow, 'insufficient_balance'>;

/** `external_id` is unique by constraint. */
export async function insertWithdrawal(store: EventStore, input: WithdrawalInsertion): Promise<InsertedWithdrawal> {
  const { database } = store;
  const event = birthEvent(store, input);
  try {
    const result = await rowOf<Stored>(
      database,
      INSERT({ ...parametersOf(store.sealer, input), ...eventParameters(event) }),
    );
    if (result?.inserted === 1) {
      const row = rowAfter(input, result);
      beginAttempt(store, row.record.snapshot, event, result.target);
      return { kind: 'inserted', row };
    }
    if (result?.isRefused === true) return { kind: 'order_refused' };
    // With enough funds, the player's facts changed or the operation's automatic cap was used up in the meantime.
    const otherwise = result?.funds === 1 ? 'stale' : 'insufficient_balance';
    return await whyMissing(database, 'withdrawal', input.order, readWithdrawal, otherwise);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    return whyMissing(database, 'withdrawal', input.order, readWithdrawal, 'stale');
  }
}

interface Stored {
  readonly isRefused: boolean;
  readonly funds: number;
  readonly inserted: number;
  readonly updatedAt: string;
  readonly readAt: string;
  readonly target: SealedTarget | null;
}

/** A `requested` withdrawal is not published. */
function birthEvent(
  store: EventStore,
  { record: { snapshot }, order: { sealedRequest } }: WithdrawalInsertion,
): NewEvent | null {
  const { status } = snapshot;
  const published = status === 'requested' ? null : { id: newId('event'), type: `withdrawal.${status}` };
  return newWithdrawalEvent(store, snapshot, sealedRequest, published);
}

function rowAfter(
  { order: { operatorReasons: _, proof: __, ...order }, record }: WithdrawalInsertion,
  { updatedAt, readAt }: Stored,
): WithdrawalRow {
  return { record: { ...record, snapshot: { ...record.snapshot, updatedAt } }, order, readAt };
}

function parametersOf(sealer: Sealer, { order, record, playerRevision, automaticUse, decision }: WithdrawalInsertion) {
  const { operationId, externalId, playerRef, provider, amountMinor, currency, reviewRequested } = order;
  const { snapshot, keyOwner, lookupEndToEndId, judgement } = record;
  const { mode, reasons, ruleSetVersion, decidedAt } = snapshot.decision;
  const { player, destination } = openWithdrawalRequest(sealer, order);
  const { key, key_type: destinationType } = destination.pix;
  const { ip, device_id: device } = player;
  return {
    ...{ id: snapshot.id, operationId, externalId, playerRef, provider, amountMinor, currency, reviewRequested },
    ...{ status: snapshot.status, at: snapshot.createdAt },
    ...playerParameters(sealer, { operationId, playerRef }, player),
    playerRevision,
    requestSealed: Buffer.from(order.sealedRequest, 'base64url'),
    destinationType,
    destinationHash: pixKeyHash(sealer, operationId, key, destinationType),
    ipHash: ip === undefined ? null : ipHash(sealer, operationId, ip),
    deviceHash: device === undefined ? null : deviceHash(sealer, operationId, device),
    ...{ keyOwner, lookupEndToEndId, judgement },
    ...{ decisionMode: mode, decisionReasons: reasons, ruleSetVersion, decidedAt },
    automaticUse: automaticUse === null ? null : writeJson(automaticUse),
    decision: decisionParameter(decision),
    movements: movementsParameter([{ name: 'withdrawal_reserved', amountMinor, step: '1', bank: null }]),
  };
}
