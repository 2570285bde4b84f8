// Which payment an operator's own id names, and whose a payment is.
import type { Database } from '../../store/database.js';

interface Payment {
  readonly kind: 'deposit' | 'withdrawal';
  readonly id: string;
}

/** The payments of an operation with that external id: one of each kind at most. */
export async function findByExternalId(
  database: Database,
  operationId: string,
  externalId: string,
  kinds: readonly Payment['kind'][],
): Promise<Payment[]> {
  const where = { where: { operationId_externalId: { operationId, externalId } }, select: { id: true } } as const;
  const found = await Promise.all(
    kinds.map(async (kind) => ({
      kind,
      row: kind === 'deposit' ? await database.deposit.findUnique(where) : await database.withdrawal.findUnique(where),
    })),
  );
  return found.flatMap(({ kind, row }) => (row === null ? [] : [{ kind, id: row.id }]));
}

/** The operation of a payment, or of the decisions on one that was refused; null where there is neither. */
export async function operationOfPayment(database: Database, { kind, id }: Payment): Promise<string | null> {
  const select = { operationId: true } as const;
  const row =
    kind === 'deposit'
      ? await database.deposit.findUnique({ where: { id }, select })
      : await database.withdrawal.findUnique({ where: { id }, select });
  return (row ?? (await database.decision.findFirst({ where: { objectId: id }, select })))?.operationId ?? null;
}
