// What people decided on payments, and which of it the provider undid. SQL, because a partial index has the payments
// that people decided.
import type { ReviewDecision } from '../../domain/payments/deposit.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { rowsOf } from '../statements.js';

/** A return that the provider refused, or that two people concluded as not made: the payment waits again. */
const UNDONE_RETURNS = ['deposit.return_refused', 'deposit.return_withdrawn'] as const;

export interface DecidedPayment {
  readonly kind: 'deposit' | 'withdrawal';
  readonly id: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly decidedBy: readonly ReviewDecision[];
}

/** The player's newest payments of each kind that people decided, without that one. */
export function decidedPaymentsOf(
  database: Database,
  {
    operationId,
    playerRef,
    id,
  }: { readonly operationId: string; readonly playerRef: string; readonly id: string | null },
  take: number,
): Promise<DecidedPayment[]> {
  const newest = (kind: DecidedPayment['kind']) => Prisma.sql`
    (SELECT ${kind} AS kind, id, amount_minor AS "amountMinor", currency, decided_by AS "decidedBy"
     FROM ${Prisma.raw(kind)}
     WHERE operation_id = ${operationId} AND player_ref = ${playerRef} AND decided_by <> '[]' AND id IS DISTINCT FROM ${id}
     ORDER BY sequence DESC LIMIT ${take})`;
  return rowsOf<DecidedPayment>(database, Prisma.sql`${newest('deposit')} UNION ALL ${newest('withdrawal')}`);
}

/** The audit entries of returns of these deposits that came to nothing, oldest first. */
export function undoneReturnsOf(database: Database, depositIds: readonly string[], take: number) {
  if (depositIds.length === 0) return Promise.resolve([]);
  return database.auditEntry.findMany({
    where: { subject: { in: [...depositIds] }, action: { in: [...UNDONE_RETURNS] } },
    orderBy: { sequence: 'asc' },
    take,
    select: { subject: true, action: true, person: true, at: true, detail: true },
  });
}

/** Which of these deposits had a return that came to nothing. */
export async function withUndoneReturn(
  database: Database,
  depositIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (depositIds.length === 0) return new Set();
  const entries = await database.auditEntry.findMany({
    where: { subject: { in: [...depositIds] }, action: { in: [...UNDONE_RETURNS] } },
    distinct: ['subject'],
    select: { subject: true },
  });
  return new Set(entries.flatMap(({ subject }) => subject ?? []));
}

export type PersonsVerdict = 'approved' | 'refused';

/** The last decision of people on each of these payments that has one. */
export async function personsVerdicts(
  database: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, PersonsVerdict>> {
  const of = (table: 'deposit' | 'withdrawal') => Prisma.sql`
    SELECT id, decided_by -> -1 ->> 'decision' AS decision FROM ${Prisma.raw(table)}
    WHERE id = ANY(${[...ids]}::text[]) AND decided_by <> '[]'`;
  const rows = await rowsOf<{ id: string; decision: ReviewDecision['decision'] }>(
    database,
    Prisma.sql`${of('deposit')} UNION ALL ${of('withdrawal')}`,
  );
  return new Map(rows.map(({ id, decision }) => [id, decision === 'approve' ? 'approved' : 'refused']));
}
