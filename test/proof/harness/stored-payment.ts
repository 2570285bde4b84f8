// What Postgres holds of one payment and of its operation's money, read at one moment; and the difference between two
// moments.
import { LEDGER_MOVEMENTS, type LedgerMovement } from '../../../domain/ledger.js';
import type { Deposit, Withdrawal } from '../../../prisma/generated/client.js';
import { type Database, toBigInt } from '../../../store/database.js';

export interface Entry {
  readonly objectId: string;
  readonly step: string;
  readonly movement: string;
  readonly account: string;
  readonly amountMinor: bigint;
}

export interface StoredPayment {
  readonly row: Deposit | Withdrawal;
  /** In their order: `deposit.paid@3`. */
  readonly events: readonly string[];
  /** Every entry of the operation, in their order. */
  readonly entries: readonly Entry[];
  /** As stored with the entries. */
  readonly balances: Readonly<Record<string, bigint>>;
  /** Kinds of all alerts of the payment, open or not. */
  readonly alerts: readonly string[];
}

export interface Subject {
  readonly id: string;
  readonly operationId: string;
}

/** Null until the payment exists. */
export async function readStoredPayment(
  database: Database,
  { id, operationId }: Subject,
): Promise<StoredPayment | null> {
  const [deposit, withdrawal, events, entries, accounts, alerts] = await database.$transaction(
    [
      database.deposit.findUnique({ where: { id } }),
      database.withdrawal.findUnique({ where: { id } }),
      database.event.findMany({
        where: { objectId: id },
        orderBy: { sequence: 'asc' },
        select: { type: true, objectVersion: true },
      }),
      database.ledgerEntry.findMany({ where: { operationId }, orderBy: { id: 'asc' } }),
      database.ledgerAccount.findMany({ where: { operationId } }),
      database.alert.findMany({ where: { objectId: id }, orderBy: { createdAt: 'asc' }, select: { kind: true } }),
    ],
    { isolationLevel: 'RepeatableRead' },
  );
  const row = deposit ?? withdrawal;
  if (row === null) return null;
  return {
    row,
    events: events.map(({ type, objectVersion }) => `${type}@${objectVersion}`),
    entries: entries.map(({ objectId, step, movement, account, amountMinor }) => ({
      objectId,
      step,
      movement,
      account,
      amountMinor: toBigInt(amountMinor),
    })),
    balances: Object.fromEntries(accounts.map(({ account, balanceMinor }) => [account, toBigInt(balanceMinor)])),
    alerts: alerts.map(({ kind }) => kind).sort(),
  };
}

/** The two entries that a movement must have left. */
export function entriesOf(
  movement: LedgerMovement,
  amountMinor: bigint,
  at: Pick<Entry, 'objectId' | 'step'>,
): readonly Entry[] {
  const { from, to } = LEDGER_MOVEMENTS[movement];
  return [
    { ...at, movement, account: from, amountMinor: -amountMinor },
    { ...at, movement, account: to, amountMinor },
  ];
}

/** Balances as the entries give them. */
export function replayed(entries: readonly Entry[]): Record<string, bigint> {
  const balances: Record<string, bigint> = {};
  for (const { account, amountMinor } of entries) balances[account] = (balances[account] ?? 0n) + amountMinor;
  return balances;
}
