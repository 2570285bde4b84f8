// Differences between an account and the books, as items: opened when one is found, closed when it is none any more,
// explained by two people if it stays (docs/decisions/0015).
import { randomUUID } from 'node:crypto';
import type { AccountName } from '../../domain/provider-accounts.js';
import type { UnmatchedMovement } from '../../domain/statement-matching.js';
import type { Difference } from '../../domain/statements.js';
import type { StatementItem } from '../../prisma/generated/client.js';
import { ageInDays } from '../account-sweep/list-receipts.js';
import { resolveAlerts } from '../alerts/alerts.js';
import type { Database } from '../database.js';
import type { CashMovementPeople } from '../ledger/cash-movements.js';
import type { Transaction } from '../transactions.js';
import { type Changed, compare, importedDays } from './compared.js';
import { keepDays } from './days.js';
import { lockStatements } from './removals.js';

/** The identity of the item of an account's balance. */
export const BALANCE = 'balance';

/** What a comparison changed. */
export interface Compared {
  readonly opened: number;
  readonly closed: number;
}

/**
 * Compares what the change touches, and every open item again; and keeps what that comes to of each day. The caller
 * holds the lock of the account's statements.
 */
export async function compareStatements(
  transaction: Transaction,
  provider: AccountName,
  changed: Changed,
  comparedBy: string,
): Promise<Compared> {
  const imported = await importedDays(transaction, provider);
  const found = new Map(
    (await compare(transaction, provider, changed, imported)).map((one) => [one.identity, one] as const),
  );
  const open = await transaction.statementItem.findMany({
    where: { provider, closedAt: null, identity: { not: BALANCE } },
  });
  const kept = new Set<string>();
  const closing = open.filter((item) => {
    const now = found.get(item.identity);
    if (now === undefined || !isSame(item, now)) return true;
    kept.add(item.identity);
    return false;
  });
  const opening = [...found.values()].filter(({ identity }) => !kept.has(identity));
  const at = new Date();
  await closeItems(transaction, closing, at);
  await openItems(transaction, provider, opening, at);
  const days = new Map<string, boolean>(closing.map(({ day }) => [dayOf(day), false]));
  if ('day' in changed && !days.has(changed.day)) days.set(changed.day, false);
  for (const { day, comparison } of opening) days.set(day, days.get(day) === true || comparison !== 'undecided');
  await keepDays(transaction, provider, days, comparedBy);
  return { opened: opening.length, closed: closing.length };
}

function isSame(item: StatementItem, now: UnmatchedMovement): boolean {
  return (
    item.comparison === now.comparison &&
    item.kind === now.kind &&
    dayOf(item.day) === now.day &&
    item.subject === now.subject &&
    minorOf(item.statementMinor) === now.statement &&
    minorOf(item.ledgerMinor) === now.ledger
  );
}

const dayOf = (day: Date) => day.toISOString().slice(0, 10);

/** Closes the items: they are no difference any more. */
export async function closeItems(
  transaction: Pick<Transaction, '$executeRaw'>,
  items: readonly Pick<StatementItem, 'id'>[],
  at: Date,
): Promise<void> {
  const ids = items.map(({ id }) => id);
  await transaction.$executeRaw`UPDATE statement_item SET closed_at = ${at} WHERE id = ANY(${ids}::text[])`;
}

/** Items per statement: it has a parameter for each of their columns. */
const PER_STATEMENT = 1_000;

/** An item to open: of a line, a movement or a balance. */
type NewItem = Omit<UnmatchedMovement, 'comparison' | 'kind'> & {
  readonly comparison: UnmatchedMovement['comparison'] | 'balance_differs';
  readonly kind: UnmatchedMovement['kind'] | null;
};

/** Opens the items. Each identity is open once. */
export async function openItems(
  transaction: Transaction,
  provider: string,
  found: readonly NewItem[],
  at: Date,
): Promise<void> {
  const data = found.map((one) => ({
    id: `sti_${randomUUID().replaceAll('-', '')}`,
    provider,
    identity: one.identity,
    day: new Date(one.day),
    comparison: one.comparison,
    kind: one.kind,
    reference: one.reference,
    returnId: one.return_id,
    lineId: one.line,
    operationId: one.operation_id,
    subject: one.subject,
    statementMinor: one.statement,
    ledgerMinor: one.ledger,
    openedAt: at,
  }));
  for (let start = 0; start < data.length; start += PER_STATEMENT)
    await transaction.statementItem.createMany({ data: data.slice(start, start + PER_STATEMENT) });
}

/** The account's differences that are open, oldest first, at most `take`; with `all` also what people explained. */
export async function readItems(
  database: Pick<Database, 'statementItem'>,
  provider: AccountName,
  { all, take, now }: { readonly all: boolean; readonly take: number; readonly now: Date },
) {
  const rows = await database.statementItem.findMany({
    where: { provider, closedAt: null, comparison: { not: 'undecided' }, ...(all ? {} : { resolution: null }) },
    include: { resolution: true },
    orderBy: [{ day: 'asc' }, { openedAt: 'asc' }, { id: 'asc' }],
    take,
  });
  return rows.map((row) => ({
    ...present(row),
    age_days: ageInDays(row.day, now),
    explained: row.resolution === null ? null : { reason: row.resolution.reason, by: peopleOf(row.resolution) },
  }));
}

/** A difference of the account, also one that has closed; `null` if there is none. */
export async function readItem(database: Pick<Database, 'statementItem'>, provider: AccountName, id: string) {
  const row = await database.statementItem.findFirst({ where: { id, provider } });
  return row === null ? null : present(row);
}

function present(row: StatementItem) {
  return {
    id: row.id,
    day: dayOf(row.day),
    comparison: row.comparison as Difference | 'balance_differs',
    kind: row.kind,
    reference: row.reference,
    return_id: row.returnId,
    line: row.lineId,
    operation_id: row.operationId,
    subject: row.subject,
    statement: minorOf(row.statementMinor),
    ledger: minorOf(row.ledgerMinor),
    opened_at: row.openedAt,
  };
}

const minorOf = (amount: StatementItem['statementMinor']) => amount?.toFixed(0) ?? null;

const peopleOf = (by: { readonly requestedBy: string; readonly approvedBy: string | null }) =>
  by.approvedBy === null ? [by.requestedBy] : [by.requestedBy, by.approvedBy];

/** There is no such difference, it is none any more, or somebody has explained it. */
export interface NotOpen {
  readonly kind: 'item_not_open';
}

/** Why the item cannot be explained; `null` if it can. */
export async function notOpen(transaction: Pick<Transaction, 'statementItem'>, id: string): Promise<NotOpen | null> {
  return (await openItem(transaction, id)) === null ? { kind: 'item_not_open' } : null;
}

function openItem(transaction: Pick<Transaction, 'statementItem'>, id: string): Promise<StatementItem | null> {
  return transaction.statementItem.findFirst({
    where: { id, closedAt: null, resolution: null, comparison: { not: 'undecided' } },
  });
}

/** Keeps why the difference needs nothing more. It moves no money. */
export async function explainItem(
  transaction: Transaction,
  { item: id, reason }: { readonly item: string; readonly reason: string },
  { requestedBy, approval }: CashMovementPeople,
): Promise<NotOpen | { readonly kind: 'done'; readonly item: string }> {
  const named = await transaction.statementItem.findUnique({ where: { id } });
  if (named !== null) await lockStatements(transaction, { provider: named.provider as AccountName });
  const item = await openItem(transaction, id);
  if (item === null) return { kind: 'item_not_open' };
  const people = { requestId: approval?.requestId, approvedBy: approval?.approvedBy, requestedBy };
  await transaction.statementResolution.create({ data: { itemId: id, reason, ...people } });
  const provider = item.provider as AccountName;
  if (item.identity === BALANCE)
    await resolveAlerts(transaction, { kind: 'BALANCE_DIFFERS', objectId: provider, at: new Date().toISOString() });
  else await keepDays(transaction, provider, new Map([[dayOf(item.day), false]]), requestedBy);
  return { kind: 'done', item: id };
}
