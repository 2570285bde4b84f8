// The latest findings of the gateway's checks of itself: one row for each check.
import type { Database } from '../database.js';

export const CHECKS = [
  'open_workflows',
  'workflow_progress',
  'ledger',
  'audit',
  'audit_seals',
  'decisions',
  'signatures',
] as const;
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

/** A turn of a check that several processes make, as the one that took it sees it. */
interface CheckTurn {
  readonly at: Date;
  /** When the last turn that succeeded began; `null` if none did. */
  readonly succeededAt: Date | null;
  /** What the last turn that succeeded noted. */
  readonly figures: Readonly<Record<string, number>>;
}

/**
 * Takes the check's next turn, if the last one began so long ago: `everySeconds`, or `againAfterSeconds` if it has not
 * succeeded; else `null`. By PostgreSQL's clock.
 */
export async function takeTurn(
  database: Database,
  name: CheckName,
  { everySeconds, againAfterSeconds }: { readonly everySeconds: number; readonly againAfterSeconds: number },
): Promise<CheckTurn | null> {
  const [turn] = await database.$queryRaw<CheckTurn[]>`
    INSERT INTO self_check AS stored (name, ran_at, problems, figures) VALUES (${name}, now(), 0, '{}')
    ON CONFLICT (name) DO UPDATE SET ran_at = excluded.ran_at
      WHERE stored.ran_at <= excluded.ran_at - make_interval(
        secs => CASE WHEN stored.succeeded_at = stored.ran_at THEN ${everySeconds}::int ELSE ${againAfterSeconds}::int END
      )
    RETURNING ran_at AS at, succeeded_at AS "succeededAt", figures`;
  return turn ?? null;
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
