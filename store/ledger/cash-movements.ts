// Cash movements (domain/cash-movements.ts): one statement stores a movement with both sides of its transfer, once.
import { accountsOf, type CashMovementKind, CASH_MOVEMENTS, isCovered } from '../../domain/cash-movements.js';
import { newId } from '../../domain/identifiers.js';
import { BANK_KIND_OF, type LedgerAccount, postingsOf } from '../../domain/ledger.js';
import type { Money } from '../../domain/money.js';
import type { CashMovement } from '../../prisma/generated/client.js';
import { type Database, toBigInt } from '../database.js';
import { operationNames } from '../operations/operations.js';
import type { Transaction } from '../transactions.js';

export interface CashMovementOrder {
  readonly operationId: string;
  readonly kind: CashMovementKind;
  readonly amount: Money;
  /** Where it is written: a transfer slip, a letter, a ticket. */
  readonly document: string;
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

export type CashMoved = { readonly kind: 'done'; readonly movementId: string } | NotCovered;

/**
 * Moves the money. Every movement of the operation waits for the lock on its counter, so the balance cannot change in
 * between.
 */
export async function moveCash(
  transaction: Transaction,
  order: CashMovementOrder,
  { requestedBy, approval }: CashMovementPeople,
): Promise<CashMoved> {
  const { operationId, kind, amount, document, reason } = order;
  await transaction.$queryRaw`
    SELECT event_sequence::text FROM operation_counter WHERE operation_id = ${operationId} FOR UPDATE`;
  const refusal = await notCovered(transaction, order);
  if (refusal !== null) return refusal;
  const id = newId('cashMovement');
  const movement = CASH_MOVEMENTS[kind].moves;
  const bankKind = BANK_KIND_OF[movement];
  const entries = postingsOf(movement, BigInt(amount.amount)).map(({ account, amountMinor }) => ({
    account,
    amount: amountMinor.toString(),
  }));
  await transaction.$executeRaw`
    WITH moved AS (
      INSERT INTO cash_movement (id, operation_id, provider, kind, currency, amount_minor, document, reason, request_id,
        requested_by, approved_by, created_at)
      SELECT ${id}, id, provider, ${kind}, ${amount.currency}, ${amount.amount}::numeric, ${document}, ${reason},
        ${approval?.requestId ?? null}, ${requestedBy}, ${approval?.approvedBy ?? null}, clock_timestamp()
      FROM operation WHERE id = ${operationId}
      RETURNING provider, created_at
    ),
    banked AS (
      INSERT INTO bank_movement (account, kind, bank_id, part, operation_id, object_id, step, currency, amount_minor,
        settled_at, said_by, recorded_at)
      SELECT provider, ${bankKind}, ${id}, '', ${operationId}, ${id}, ${kind}, ${amount.currency},
        ${amount.amount}::numeric, created_at, 'people', created_at
      FROM moved WHERE ${bankKind !== null}
    ),
    entries AS (
      INSERT INTO ledger_entry (operation_id, object_id, step, movement, currency, account, amount_minor, created_at)
      SELECT ${operationId}, ${id}, ${kind}, ${movement}, ${amount.currency}, posting.account, posting.amount, moved.created_at
      FROM moved, jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) AS posting(account text, amount numeric)
      RETURNING account, amount_minor
    )
    INSERT INTO ledger_account (operation_id, currency, account, balance_minor)
    SELECT ${operationId}, ${amount.currency}, account, amount_minor FROM entries
    ON CONFLICT (operation_id, currency, account)
    DO UPDATE SET balance_minor = ledger_account.balance_minor + EXCLUDED.balance_minor`;
  return { kind: 'done', movementId: id };
}

/** Why the account that pays does not let the movement be made; null if it does. */
export async function notCovered(
  database: Pick<Database, 'ledgerAccount'>,
  order: Pick<CashMovementOrder, 'operationId' | 'kind' | 'amount'>,
): Promise<NotCovered | null> {
  const { from } = accountsOf(order.kind);
  const balanceMinor = await balanceOf(database, order, from);
  if (isCovered(order.kind, BigInt(order.amount.amount), balanceMinor)) return null;
  return { kind: 'not_covered', account: from, balanceMinor };
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
    reason: row.reason,
    request_id: row.requestId,
    requested_by: row.requestedBy,
    approved_by: row.approvedBy,
    created_at: row.createdAt,
  };
}
