// Look-ups by id: the payment of an external id, the operation of a payment, which ids exist, what starts a workflow.
import { type Database, toBigInt } from '../database.js';

export interface PaymentId {
  readonly kind: 'deposit' | 'withdrawal';
  readonly id: string;
}

/** The payments of an operation with this external id: at most one of each kind. */
export async function findByExternalId(
  database: Database,
  operationId: string,
  externalId: string,
  kinds: readonly PaymentId['kind'][],
): Promise<PaymentId[]> {
  const where = { where: { operationId_externalId: { operationId, externalId } }, select: { id: true } } as const;
  const found = await Promise.all(
    kinds.map(async (kind) => ({
      kind,
      row: kind === 'deposit' ? await database.deposit.findUnique(where) : await database.withdrawal.findUnique(where),
    })),
  );
  return found.flatMap(({ kind, row }) => (row === null ? [] : [{ kind, id: row.id }]));
}

/** The operation of a payment, or of the decisions on a refused one; `null` if there is neither. */
export async function operationOfPayment(database: Database, { kind, id }: PaymentId): Promise<string | null> {
  const select = { operationId: true } as const;
  const row =
    kind === 'deposit'
      ? await database.deposit.findUnique({ where: { id }, select })
      : await database.withdrawal.findUnique({ where: { id }, select });
  return (row ?? (await database.decision.findFirst({ where: { objectId: id }, select })))?.operationId ?? null;
}

/** The status of a payment of the operation; `null` if there is none. */
export async function statusOfPayment(
  database: Database,
  { kind, id, operationId }: PaymentId & { readonly operationId: string },
): Promise<string | null> {
  const query = { where: { id, operationId }, select: { status: true } };
  const row = kind === 'deposit' ? await database.deposit.findFirst(query) : await database.withdrawal.findFirst(query);
  return row?.status ?? null;
}

/** Whether the payment exists, or was refused by a decision: a refused payment leaves decisions only. */
export async function isKnownPayment(database: Database, id: string): Promise<boolean> {
  const [deposits, withdrawals, decisions] = await Promise.all([
    database.deposit.count({ where: { id } }),
    database.withdrawal.count({ where: { id } }),
    database.decision.count({ where: { objectId: id } }),
  ]);
  return deposits + withdrawals + decisions > 0;
}

/** Which of these payments exist. */
export async function existingPayments(
  database: Database,
  kind: PaymentId['kind'],
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const query = { where: { id: { in: [...ids] } }, select: { id: true } };
  const rows = kind === 'deposit' ? await database.deposit.findMany(query) : await database.withdrawal.findMany(query);
  return new Set(rows.map(({ id }) => id));
}

/** What starts a payment's workflow from its row; `null` if there is no row. */
export async function readPaymentToStart(database: Database, kind: 'deposit' | 'withdrawal', id: string) {
  const query = {
    where: { id },
    select: { id: true, operationId: true, externalId: true, status: true, version: true, amountMinor: true },
  } as const;
  const row =
    kind === 'deposit' ? await database.deposit.findUnique(query) : await database.withdrawal.findUnique(query);
  return row === null ? null : { ...row, amountMinor: toBigInt(row.amountMinor) };
}
