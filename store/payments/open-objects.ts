// Objects that are open in PostgreSQL and should have a running workflow: payments and rule changes.
import {
  CLOSED_DEPOSIT_STATUSES,
  DEPOSIT_STATUSES,
  type DepositStatus,
  isDepositClosed,
} from '../../domain/payments/deposit.js';
import {
  CLOSED_WITHDRAWAL_STATUSES,
  isWithdrawalClosed,
  WITHDRAWAL_STATUSES,
  type WithdrawalStatus,
} from '../../domain/payments/withdrawal.js';
import { Prisma } from '../../prisma/generated/client.js';
import { type Database, toBigInt } from '../database.js';

export type ObjectKind = 'deposit' | 'withdrawal' | 'rule_change';

export interface OpenObject {
  readonly kind: ObjectKind;
  readonly id: string;
  readonly operationId: string;
  readonly status: string;
}

/** Also one that is closed, while a late or extra payment of it goes back. */
const OPEN_DEPOSIT = {
  OR: [{ status: { notIn: [...CLOSED_DEPOSIT_STATUSES] } }, { returnRequest: { not: Prisma.DbNull } }],
};
const OPEN_WITHDRAWAL = { status: { notIn: [...CLOSED_WITHDRAWAL_STATUSES] } };
const OPEN_CHANGE = { status: 'pending_approval' };

/** Every open deposit, withdrawal and rule change, each kind oldest first. */
export async function readOpenObjects(database: Database): Promise<OpenObject[]> {
  const select = { id: true, operationId: true, status: true } as const;
  const orderBy = { createdAt: 'asc' } as const;
  const [deposits, withdrawals, changes] = [
    await database.deposit.findMany({ where: OPEN_DEPOSIT, select, orderBy }),
    await database.withdrawal.findMany({ where: OPEN_WITHDRAWAL, select, orderBy }),
    await database.ruleChangeRequest.findMany({ where: OPEN_CHANGE, select, orderBy }),
  ];
  return [
    ...deposits.map((row) => ({ kind: 'deposit' as const, ...row })),
    ...withdrawals.map((row) => ({ kind: 'withdrawal' as const, ...row })),
    ...changes.map((row) => ({ kind: 'rule_change' as const, ...row })),
  ];
}

export const OPEN_DEPOSIT_STATUSES = DEPOSIT_STATUSES.filter((status: DepositStatus) => !isDepositClosed(status));
export const OPEN_WITHDRAWAL_STATUSES = WITHDRAWAL_STATUSES.filter(
  (status: WithdrawalStatus) => !isWithdrawalClosed(status),
);

/**
 * The open objects of an operation that were created before an instant, in pages. Each page is found through an index:
 * an operation with millions of closed payments costs what its open ones do.
 */
export async function* openPages(
  database: Database,
  operationId: string,
  before: Date,
  pageSize: number,
): AsyncIterable<OpenObject[]> {
  const select = { id: true, operationId: true, status: true, sequence: true } as const;
  const page = <Where extends object>(where: Where, after: bigint) => ({
    where: { operationId, ...where, sequence: { gt: after }, createdAt: { lt: before } },
    select,
    orderBy: { sequence: 'asc' } as const,
    take: pageSize,
  });
  const deposits = (where: Prisma.DepositWhereInput) =>
    pagesOf('deposit', pageSize, (after) => database.deposit.findMany(page(where, after)));
  for (const status of OPEN_DEPOSIT_STATUSES) yield* deposits({ status });
  const isReturning = { returnRequest: { not: Prisma.DbNull } };
  yield* deposits({ ...isReturning, status: { in: [...CLOSED_DEPOSIT_STATUSES] } });
  for (const status of OPEN_WITHDRAWAL_STATUSES)
    yield* pagesOf('withdrawal', pageSize, (after) => database.withdrawal.findMany(page({ status }, after)));
  const changes = await database.ruleChangeRequest.findMany({
    where: { operationId, ...OPEN_CHANGE, createdAt: { lt: before } },
    select: { id: true, operationId: true, status: true },
  });
  if (changes.length > 0) yield changes.map((row) => ({ kind: 'rule_change' as const, ...row }));
}

async function* pagesOf(
  kind: 'deposit' | 'withdrawal',
  pageSize: number,
  read: (after: bigint) => Promise<{ id: string; operationId: string; status: string; sequence: bigint }[]>,
): AsyncIterable<OpenObject[]> {
  for (let after = -1n; ;) {
    const rows = await read(after);
    if (rows.length > 0) yield rows.map(({ id, operationId, status }) => ({ kind, id, operationId, status }));
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return;
    after = last.sequence;
  }
}

/** The ids of the payments that have been open longest, over all operations. */
export async function longestOpen(database: Database, limit: number): Promise<string[]> {
  const rows = await database.$queryRaw<{ id: string }[]>`
    SELECT payment.id
    FROM operation CROSS JOIN LATERAL (
      (
        SELECT id, created_at FROM deposit
        WHERE operation_id = operation.id AND status = ANY(${OPEN_DEPOSIT_STATUSES}) ORDER BY created_at LIMIT ${limit}
      )
      UNION ALL
      (
        SELECT id, created_at FROM withdrawal
        WHERE operation_id = operation.id AND status = ANY(${OPEN_WITHDRAWAL_STATUSES})
        ORDER BY created_at LIMIT ${limit}
      )
    ) AS payment
    ORDER BY payment.created_at LIMIT ${limit}`;
  return rows.map(({ id }) => id);
}

/** Whether the object is still open. */
export async function isStillOpen(database: Database, { kind, id }: OpenObject): Promise<boolean> {
  const count = {
    deposit: () => database.deposit.count({ where: { id, ...OPEN_DEPOSIT } }),
    withdrawal: () => database.withdrawal.count({ where: { id, ...OPEN_WITHDRAWAL } }),
    rule_change: () => database.ruleChangeRequest.count({ where: { id, ...OPEN_CHANGE } }),
  }[kind];
  return (await count()) === 1;
}

/** Whether the object exists, open or not. */
export async function objectExists(database: Database, kind: ObjectKind, id: string): Promise<boolean> {
  const count = {
    deposit: () => database.deposit.count({ where: { id } }),
    withdrawal: () => database.withdrawal.count({ where: { id } }),
    rule_change: () => database.ruleChangeRequest.count({ where: { id } }),
  }[kind];
  return (await count()) === 1;
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
