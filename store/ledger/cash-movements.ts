// Cash movements (domain/cash-movements.ts): one statement stores a movement with both sides of its transfer, once.
import {
  accountsOf,
  type CashMovementKind,
  type CashPlaces,
  halvesOf,
  isCovered,
  isOfItem,
} from '../../domain/cash-movements.js';
import { returnStep } from '../../domain/payments/deposit-record.js';
import { newId } from '../../domain/identifiers.js';
import { BANK_KIND_OF, type LedgerAccount, postingsOf } from '../../domain/ledger.js';
import { type Money, parseAmountMinor } from '../../domain/money.js';
import { isEndToEndId } from '../../domain/pix.js';
import type { AccountName } from '../../domain/provider-accounts.js';
import type { CashMovement } from '../../prisma/generated/client.js';
import { type Database, toBigInt } from '../database.js';
import { type AccountTaken, refusalToHold } from '../operations/account-owners.js';
import { operationNames } from '../operations/operations.js';
import { lockCounter, type Transaction } from '../transactions.js';
import { type Item, type ItemExit, itemOf, type ItemRefusal, noteExit } from './suspense.js';

export interface CashMovementOrder extends CashPlaces {
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
  readonly provider: AccountName;
  readonly balanceMinor: bigint;
}

/** The PIX that a funding names is in the books already: in suspense, as a payment, or as an earlier funding. */
export interface AlreadyInBooks {
  readonly kind: 'already_in_books';
  readonly payment: string;
  readonly as: 'in_suspense' | 'entered';
}

/** The operation's withdrawals are paid from the account that the money would leave. */
export interface AccountInUse {
  readonly kind: 'account_in_use';
  readonly provider: AccountName;
}

export type CashRefusal = NotCovered | ItemRefusal | AlreadyInBooks | AccountInUse | AccountTaken;
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
  const { operationId, kind, amount, document, reason, to, returnId = null } = order;
  await lockCounter(transaction, operationId);
  const exit = exitOf(order);
  const item = exit === null ? null : await itemOf(transaction, exit);
  if (item !== null && item.kind !== 'item') return item;
  const refusal = item === null ? await refusalToMove(transaction, order) : null;
  if (refusal !== null) return refusal;
  const id = newId('cashMovement');
  // Money in suspense is where its payment was received.
  const provider = item === null ? order.provider : item.account;
  const { banked, entries } = rowsOf({ ...order, provider }, id, item);
  await transaction.$executeRaw`
    WITH moved AS (
      INSERT INTO cash_movement (id, operation_id, provider, to_provider, kind, currency, amount_minor, document,
        return_id, reason, request_id, requested_by, approved_by, created_at)
      VALUES (${id}, ${operationId}, ${provider}, ${to}, ${kind}, ${amount.currency}, ${amount.amount}::numeric,
        ${document}, ${returnId}, ${reason}, ${approval?.requestId ?? null}, ${requestedBy},
        ${approval?.approvedBy ?? null}, clock_timestamp())
      RETURNING created_at
    ),
    banked AS (
      INSERT INTO bank_movement (account, kind, bank_id, part, operation_id, object_id, step, currency, amount_minor,
        settled_at, said_by, recorded_at)
      SELECT bank.provider, bank.kind, bank.id, bank.part, ${operationId}, bank.object_id, bank.step, ${amount.currency},
        ${amount.amount}::numeric, created_at, 'people', created_at
      FROM moved, jsonb_to_recordset(${JSON.stringify(banked)}::jsonb)
        AS bank(object_id text, step text, provider text, kind text, id text, part text)
    ),
    item_entry AS (
      INSERT INTO suspense_entry (object_id, step, movement, account, end_to_end_id, amount_minor)
      SELECT posting.object_id, posting.step, posting.movement, posting.provider, ${document}, posting.amount
      FROM jsonb_to_recordset(${JSON.stringify(entries)}::jsonb)
        AS posting(object_id text, step text, movement text, provider text, account text, amount numeric)
      WHERE ${item !== null} AND posting.account = 'suspense'
    ),
    entries AS (
      INSERT INTO ledger_entry (operation_id, provider, object_id, step, movement, currency, account, amount_minor,
        created_at)
      SELECT ${operationId}, posting.provider, posting.object_id, posting.step, posting.movement, ${amount.currency},
        posting.account, posting.amount, moved.created_at
      FROM moved, jsonb_to_recordset(${JSON.stringify(entries)}::jsonb)
        AS posting(object_id text, step text, movement text, provider text, account text, amount numeric)
      RETURNING provider, account, amount_minor
    )
    INSERT INTO ledger_account (operation_id, provider, currency, account, balance_minor)
    SELECT ${operationId}, provider, ${amount.currency}, account, amount_minor FROM entries
    ON CONFLICT (operation_id, provider, currency, account)
    DO UPDATE SET balance_minor = ledger_account.balance_minor + EXCLUDED.balance_minor`;
  if (exit !== null && item !== null) await noteExit(transaction, item, exit, returnId ?? id);
  return { kind: 'done', movementId: id };
}

/** The exit of an item in suspense that the order is; `null` if it is none. */
function exitOf({ operationId, kind, amount, document, returnId = null }: CashMovementOrder): ItemExit | null {
  if (!isOfItem(kind)) return null;
  const way = accountsOf(kind).to === 'available' ? 'into_cash_box' : { returnId };
  return { operationId, payment: document, amountMinor: parseAmountMinor(amount.amount), way };
}

/** A return out of suspense is a step of its deposit, as if the provider had reported it. */
function transferOf({ kind, document, returnId }: CashMovementOrder, id: string, item: Item | null) {
  return item !== null && kind === 'suspense_returned'
    ? { object_id: item.objectId, step: returnStep(document, returnId ?? id) }
    : { object_id: id, step: null };
}

/** The ids of the movement at the bank, its own where the order has them: it counts once. */
function bankIdsOf({ kind, document, returnId }: CashMovementOrder, id: string) {
  if (kind === 'suspense_returned') return { id: document, part: returnId ?? id };
  return { id: kind === 'funding' && isEndToEndId(document) ? document : id, part: '' };
}

/** Its movements at the bank and its entries. The step of each is the name of its movement in the ledger, or the return. */
function rowsOf(order: CashMovementOrder, id: string, item: Item | null) {
  const transfer = transferOf(order, id, item);
  const halves = halvesOf(order.kind, order).map(({ movement, provider }) => ({
    ...{ movement, provider, object_id: transfer.object_id },
    step: transfer.step ?? movement,
  }));
  return {
    banked: halves.flatMap(({ movement, ...half }) => {
      const kind = BANK_KIND_OF[movement];
      return kind === null ? [] : [{ ...half, kind, ...bankIdsOf(order, id) }];
    }),
    entries: halves.flatMap((half) =>
      postingsOf(half.movement, parseAmountMinor(order.amount.amount)).map(({ account, amountMinor }) => ({
        ...{ ...half, account },
        amount: amountMinor.toString(),
      })),
    ),
  };
}

/**
 * Why the movement cannot be made; null if it can. From the account in use nothing is moved: until people enter that
 * the money has left, withdrawals would be paid from it with the money of other operations.
 */
export async function refusalToMove(
  database: Pick<Database, 'ledgerAccount' | 'operation' | 'accountOwner' | '$queryRaw'>,
  order: CashMovementOrder,
): Promise<CashRefusal | null> {
  const { operationId, kind, provider, to } = order;
  const exit = exitOf(order);
  if (exit !== null) {
    const item = await itemOf(database, exit);
    return item.kind === 'item' ? null : item;
  }
  for (const account of to === null ? [provider] : [provider, to]) {
    const refusal = await refusalToHold(database, { account, operationId });
    if (refusal !== null) return refusal;
  }
  if (kind === 'moved') {
    const operation = await database.operation.findUnique({ where: { id: operationId }, select: { provider: true } });
    if (operation?.provider === provider) return { kind: 'account_in_use', provider };
  }
  if (kind === 'funding' && isEndToEndId(order.document)) return alreadyInBooks(database, order);
  const { from } = accountsOf(kind);
  const balanceMinor = await balanceOf(database, { ...order, account: from });
  if (isCovered(kind, parseAmountMinor(order.amount.amount), balanceMinor)) return null;
  return { kind: 'not_covered', account: from, provider, balanceMinor };
}

async function alreadyInBooks(
  database: Pick<Database, '$queryRaw'>,
  { operationId, provider, document: payment }: CashMovementOrder,
): Promise<AlreadyInBooks | null> {
  const [found] = await database.$queryRaw<{ as: AlreadyInBooks['as'] }[]>`
    SELECT 'in_suspense' AS as FROM suspense_item WHERE operation_id = ${operationId} AND end_to_end_id = ${payment}
    UNION ALL
    SELECT 'entered' FROM bank_movement
    WHERE account = ${provider} AND kind IN ('transfer_in', 'received')
      AND bank_id = ${payment} AND part = ''
    LIMIT 1`;
  return found === undefined ? null : { kind: 'already_in_books', payment, as: found.as };
}

/** The balance of an account; zero if nothing moved yet. */
export async function balanceOf(
  database: Pick<Database, 'ledgerAccount'>,
  {
    operationId,
    provider,
    amount: { currency },
    account,
  }: Pick<CashMovementOrder, 'operationId' | 'provider' | 'amount'> & { readonly account: LedgerAccount },
): Promise<bigint> {
  const row = await database.ledgerAccount.findUnique({
    where: { operationId_provider_currency_account: { operationId, provider, currency, account } },
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
    provider: row.provider,
    to_provider: row.toProvider,
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
