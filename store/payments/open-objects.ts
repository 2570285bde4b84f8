// What is open in PostgreSQL and should have a running workflow: payments and rule changes.
import { CLOSED_DEPOSIT_STATUSES } from '../../domain/deposit.js';
import { CLOSED_WITHDRAWAL_STATUSES } from '../../domain/withdrawal.js';
import { type Database, toBigInt } from '../database.js';

export type ObjectKind = 'deposit' | 'withdrawal' | 'rule_change';

export interface OpenObject {
  readonly kind: ObjectKind;
  readonly id: string;
  readonly operationId: string;
  readonly status: string;
}

const OPEN_DEPOSIT = { status: { notIn: [...CLOSED_DEPOSIT_STATUSES] } };
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

/** What a payment's workflow needs to be started from its row; null if there is none. */
export async function readPaymentToStart(database: Database, kind: 'deposit' | 'withdrawal', id: string) {
  const query = {
    where: { id },
    select: { id: true, operationId: true, externalId: true, status: true, amountMinor: true },
  } as const;
  const row =
    kind === 'deposit' ? await database.deposit.findUnique(query) : await database.withdrawal.findUnique(query);
  return row === null ? null : { ...row, amountMinor: toBigInt(row.amountMinor).toString() };
}
