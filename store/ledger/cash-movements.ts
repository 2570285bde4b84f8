// Cash movements (domain/cash-movements.ts): one statement stores a movement with both sides of its transfer, once.
import { accountsOf, type CashMovementKind, CASH_MOVEMENTS, isCovered, isOfItem } from '../../domain/cash-movements.js';
import { returnStep } from '../../domain/deposit-record.js';
import { newId } from '../../domain/identifiers.js';
import { BANK_KIND_OF, type LedgerAccount, postingsOf } from '../../domain/ledger.js';
import type { Money } from '../../domain/money.js';
import { isEndToEndId } from '../../domain/pix.js';
import type { CashMovement } from '../../prisma/generated/client.js';
import { type Database, toBigInt } from '../database.js';
import { operationNames } from '../operations/operations.js';
import type { Transaction } from '../transactions.js';
import { type Item, type ItemExit, itemOf, type ItemRefusal, noteExit } from './suspense.js';

export interface CashMovementOrder {
  readonly operationId: string;
  readonly kind: CashMovementKind;
  readonly amount: Money;
  /** Where it is written: a transfer slip, a letter, a ticket. Of money in suspense: the payment's end-to-end id. */
  readonly document: string;
  /** Of a return out of suspense: its id in PIX. */
  readonly returnId?: string | null;
  readonly reason: string;
}

/** The person who requested it, and the request by which another person approved it; `null` in the sandbox. */
export interface CashMovementPeople {
  readonly requestedBy: string;
  readonly approval: { readonly requestId: string; readonly approvedBy: string } | null;
}

/** The account that pays has less. */
export interface NotCovered {
  readonly kind: 'not_covered';
  readonly account: LedgerAccount;
  readonly balanceMinor: bigint;
}

/** The PIX that a funding names is in the books already: in suspense, as a payment, or as an earlier funding. */
export interface AlreadyInBooks {
  readonly kind: 'already_in_books';
  readonly payment: string;
  readonly as: 'in_suspense' | 'entered';
}

export type CashRefusal = NotCovered | ItemRefusal | AlreadyInBooks;
export type CashMoved = { readonly kind: 'done'; readonly movementId: string } | CashRefusal;

/**
 * Moves the money. Every movement of the operation waits for the lock on its counter, so the balance cannot change in
 * between.
 */
export async function moveCash(
  transaction: Transaction,
  order: CashMovementOrder,
  { requestedBy, approval }: CashMovementPeople,
): Promise<CashMoved> {
  const { operationId, kind, amount, document, reason, returnId = null } = order;
  await transaction.$queryRaw`
    SELECT event_sequence::text FROM operation_counter WHERE operation_id = ${operationId} FOR UPDATE`;
  const exit = exitOf(order);
  const item = exit === null ? null : await itemOf(transaction, exit);
  if (item !== null && item.kind !== 'item') return item;
  const refusal = item === null ? await refusalToMove(transaction, order) : null;
  if (refusal !== null) return refusal;
  const id = newId('cashMovement');
  const movement = CASH_MOVEMENTS[kind].moves;
  const bank = bankSideOf(order, id);
  const { objectId, step } = transferOf(order, id, item);
  const entries = postingsOf(movement, BigInt(amount.amount)).map(({ account, amountMinor }) => ({
    account,
    amount: amountMinor.toString(),
  }));
  await transaction.$executeRaw`
    WITH moved AS (
      INSERT INTO cash_movement (id, operation_id, provider, kind, currency, amount_minor, document, return_id, reason,
        request_id, requested_by, approved_by, created_at)
      SELECT ${id}, id, coalesce(${item?.account ?? null}, provider), ${kind}, ${amount.currency},
        ${amount.amount}::numeric, ${document}, ${returnId}, ${reason}, ${approval?.requestId ?? null}, ${requestedBy},
        ${approval?.approvedBy ?? null}, clock_timestamp()
      FROM operation WHERE id = ${operationId}
      RETURNING provider, created_at
    ),
    banked AS (
      INSERT INTO bank_movement (account, kind, bank_id, part, operation_id, object_id, step, currency, amount_minor,
        settled_at, said_by, recorded_at)
      SELECT provider, ${bank?.kind ?? null}, ${bank?.bankId ?? null}, ${bank?.part ?? null}, ${operationId},
        ${objectId}, ${step}, ${amount.currency}, ${amount.amount}::numeric, created_at, 'people', created_at
      FROM moved WHERE ${bank !== null}
    ),
    item_entry AS (
      INSERT INTO suspense_entry (object_id, step, movement, account, end_to_end_id, amount_minor)
      SELECT ${objectId}, ${step}, ${movement}, provider, ${document}, -${amount.amount}::numeric
      FROM moved WHERE ${item !== null}
    ),
    entries AS (
      INSERT INTO ledger_entry (operation_id, object_id, step, movement, currency, account, amount_minor, created_at)
      SELECT ${operationId}, ${objectId}, ${step}, ${movement}, ${amount.currency}, posting.account, posting.amount,
        moved.created_at
      FROM moved, jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) AS posting(account text, amount numeric)
      RETURNING account, amount_minor
    )
    INSERT INTO ledger_account (operation_id, currency, account, balance_minor)
    SELECT ${operationId}, ${amount.currency}, account, amount_minor FROM entries
    ON CONFLICT (operation_id, currency, account)
    DO UPDATE SET balance_minor = ledger_account.balance_minor + EXCLUDED.balance_minor`;
  if (exit !== null && item !== null) await noteExit(transaction, item, exit, returnId ?? id);
  return { kind: 'done', movementId: id };
}

/** The exit of an item in suspense that the order is; `null` if it is none. */
function exitOf({ operationId, kind, amount, document, returnId = null }: CashMovementOrder): ItemExit | null {
  if (!isOfItem(kind)) return null;
  const way = accountsOf(kind).to === 'available' ? 'into_cash_box' : { returnId };
  return { operationId, payment: document, amountMinor: BigInt(amount.amount), way };
}

/** A return out of suspense is a step of its deposit, as if the provider had reported it. */
function transferOf({ kind, document, returnId }: CashMovementOrder, id: string, item: Item | null) {
  return item !== null && kind === 'suspense_returned'
    ? { objectId: item.objectId, step: returnStep(document, returnId ?? id) }
    : { objectId: id, step: kind };
}

/** The movement at the bank, by its own ids where the order has them: it counts once. */
function bankSideOf({ kind, document, returnId }: CashMovementOrder, id: string) {
  const bankKind = BANK_KIND_OF[CASH_MOVEMENTS[kind].moves];
  if (bankKind === null) return null;
  if (kind === 'suspense_returned') return { kind: bankKind, bankId: document, part: returnId ?? id };
  return { kind: bankKind, bankId: kind === 'funding' && isEndToEndId(document) ? document : id, part: '' };
}

/** Why the movement cannot be made; null if it can. */
export async function refusalToMove(
  database: Pick<Database, 'ledgerAccount' | '$queryRaw'>,
  order: CashMovementOrder,
): Promise<CashRefusal | null> {
  const exit = exitOf(order);
  if (exit !== null) {
    const item = await itemOf(database, exit);
    return item.kind === 'item' ? null : item;
  }
  if (order.kind === 'funding' && isEndToEndId(order.document)) return alreadyInBooks(database, order);
  const { from } = accountsOf(order.kind);
  const balanceMinor = await balanceOf(database, order, from);
  if (isCovered(order.kind, BigInt(order.amount.amount), balanceMinor)) return null;
  return { kind: 'not_covered', account: from, balanceMinor };
}

async function alreadyInBooks(
  database: Pick<Database, '$queryRaw'>,
  { operationId, document: payment }: CashMovementOrder,
): Promise<AlreadyInBooks | null> {
  const [found] = await database.$queryRaw<{ as: AlreadyInBooks['as'] }[]>`
    SELECT 'in_suspense' AS as FROM suspense_item WHERE operation_id = ${operationId} AND end_to_end_id = ${payment}
    UNION ALL
    SELECT 'entered' FROM bank_movement
    WHERE account = (SELECT provider FROM operation WHERE id = ${operationId}) AND kind IN ('transfer_in', 'received')
      AND bank_id = ${payment} AND part = ''
    LIMIT 1`;
  return found === undefined ? null : { kind: 'already_in_books', payment, as: found.as };
}

/** The balance of an account; zero if nothing moved yet. */
export async function balanceOf(
  database: Pick<Database, 'ledgerAccount'>,
  { operationId, amount: { currency } }: Pick<CashMovementOrder, 'operationId' | 'amount'>,
  account: LedgerAccount,
): Promise<bigint> {
  const row = await database.ledgerAccount.findUnique({
    where: { operationId_currency_account: { operationId, currency, account } },
  });
  return row === null ? 0n : toBigInt(row.balanceMinor);
}

/** Movements, newest first, at most `take`; with `before`, those after it in that order. */
export async function readCashMovements(
  database: Database,
  {
    operationId,
    take,
    before = null,
  }: { operationId: string | null; take: number; before?: { readonly createdAt: Date; readonly id: string } | null },
) {
  const rows = await database.cashMovement.findMany({
    where: {
      ...(operationId === null ? {} : { operationId }),
      ...(before === null
        ? {}
        : { OR: [{ createdAt: { lt: before.createdAt } }, { createdAt: before.createdAt, id: { lt: before.id } }] }),
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take,
  });
  const names = await operationNames(
    database,
    rows.map((row) => row.operationId),
  );
  return rows.map((row) => ({ ...present(row), operation_name: names.get(row.operationId) ?? row.operationId }));
}

/** One movement; `null` if there is none. */
export function cashMovementById(database: Database, id: string): Promise<CashMovement | null> {
  return database.cashMovement.findUnique({ where: { id } });
}

function present(row: CashMovement) {
  const { from, to } = accountsOf(row.kind as CashMovementKind);
  return {
    id: row.id,
    operation_id: row.operationId,
    kind: row.kind,
    amount: { amount: toBigInt(row.amountMinor).toString(), currency: row.currency },
    from,
    to,
    document: row.document,
    return_id: row.returnId,
    reason: row.reason,
    request_id: row.requestId,
    requested_by: row.requestedBy,
    approved_by: row.approvedBy,
    created_at: row.createdAt,
  };
}
