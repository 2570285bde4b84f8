// The latest findings of the gateway's checks of itself: one row for each check.
import type { Database } from '../database.js';

export const CHECKS = ['open_workflows', 'ledger', 'audit', 'audit_seals', 'decisions', 'signatures'] as const;
export type CheckName = (typeof CHECKS)[number];

export interface CheckOutcome {
  readonly name: CheckName;
  /** RFC 3339. */
  readonly at: string;
  readonly problems: number;
  /** What the check measured. */
  readonly figures?: Readonly<Record<string, number>>;
}

/** Replaces the check's last outcome, unless a later one is noted. It succeeded if it found no problem. */
export async function noteCheck(database: Database, { name, at, problems, figures = {} }: CheckOutcome): Promise<void> {
  const row = { ranAt: at, problems, figures, ...(problems === 0 ? { succeededAt: at } : {}) };
  const { count } = await database.selfCheck.updateMany({ where: { name, ranAt: { lte: at } }, data: row });
  if (count === 0) await database.selfCheck.createMany({ data: [{ name, ...row }], skipDuplicates: true });
}

/** The last outcome of every check that ever ran. */
export async function readChecks(database: Database) {
  const rows = await database.selfCheck.findMany();
  return rows.map(({ name, figures, ...row }) => ({
    ...row,
    name: name as CheckName,
    figures: figures as Readonly<Record<string, number>>,
  }));
}

/** The last outcome of one check; `null` if it never ran. */
export function lastOutcome(database: Database, name: CheckName) {
  return database.selfCheck.findFirst({ where: { name } });
}

/** Ids of operations after this one, in order. */
export async function operationsAfter(database: Database, after: string | null, limit: number): Promise<string[]> {
  const rows = await database.operation.findMany({
    where: { id: { gt: after ?? '' } },
    select: { id: true },
    orderBy: { id: 'asc' },
    take: limit,
  });
  return rows.map(({ id }) => id);
}
