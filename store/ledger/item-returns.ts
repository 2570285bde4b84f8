// Returns of late and extra payments that people order from the provider. An order is stored once, with the request in
// the deposit's row that its workflow follows.
import type { ReturnRequest } from '../../domain/payments/deposit-record.js';
import { newId } from '../../domain/identifiers.js';
import { type Money, parseAmountMinor, writeJson } from '../../domain/money.js';
import type { ItemReturn } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { lockCounter, type Transaction } from '../transactions.js';
import type { CashMovementPeople } from './cash-movements.js';
import { itemOf, type ItemRefusal } from './suspense.js';

export interface ItemReturnOrder {
  readonly operationId: string;
  /** The payment's end-to-end id. */
  readonly payment: string;
  /** All that is left of it. */
  readonly amount: Money;
  readonly reason: string;
}

export type ItemReturnOrdered = { readonly kind: 'done'; readonly depositId: string } | ItemRefusal;

/** Why the return cannot be ordered; `null` if it can. */
export async function refusalToReturn(
  transaction: Pick<Transaction, '$queryRaw'>,
  order: ItemReturnOrder,
): Promise<ItemRefusal | null> {
  const item = await orderable(transaction, order);
  return item.kind === 'item' ? null : item;
}

/** Orders the return. The operation's counter is locked: no exit, report or other return comes in between. */
export async function orderItemReturn(
  transaction: Transaction,
  order: ItemReturnOrder,
  { requestedBy, approval }: CashMovementPeople,
): Promise<ItemReturnOrdered> {
  const { operationId, payment, amount, reason } = order;
  await lockCounter(transaction, operationId);
  const item = await orderable(transaction, order);
  if (item.kind !== 'item') return item;
  const { account, objectId: depositId, returnedMinor } = item;
  const id = newId('itemReturn');
  const request: Omit<ReturnRequest, 'at'> = {
    actId: id,
    of: payment,
    person: requestedBy,
    reason,
    amountMinor: parseAmountMinor(amount.amount),
    returnedBeforeMinor: returnedMinor,
  };
  await transaction.$executeRaw`
    WITH ordered AS (
      INSERT INTO item_return (id, operation_id, deposit_id, account, end_to_end_id, amount_minor, reason, request_id,
        requested_by, approved_by, ordered_at)
      VALUES (${id}, ${operationId}, ${depositId}, ${account}, ${payment}, ${amount.amount}::numeric, ${reason},
        ${approval?.requestId ?? null}, ${requestedBy}, ${approval?.approvedBy ?? null}, clock_timestamp())
      RETURNING ordered_at
    )
    UPDATE deposit SET revision = revision + 1, returns = returns + 1,
      return_request = ${writeJson(request)}::jsonb
        || jsonb_build_object('at', to_char(ordered_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    FROM ordered WHERE deposit.id = ${depositId}`;
  return { kind: 'done', depositId };
}

/** The item, if all that is left of it can go back. */
function orderable(database: Pick<Transaction, '$queryRaw'>, { operationId, payment, amount }: ItemReturnOrder) {
  return itemOf(database, {
    operationId,
    payment,
    amountMinor: parseAmountMinor(amount.amount),
    way: 'through_provider',
  });
}

/** One order; `null` if there is none. */
export function itemReturnById(database: Database, id: string): Promise<ItemReturn | null> {
  return database.itemReturn.findUnique({ where: { id } });
}
