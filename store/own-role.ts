// The role under which this process uses the database. A role that owns the tables, or a superuser, could switch off
// the constraints and triggers. In production only the migration may use one.
import type { Database } from './database.js';

export type RoleFault = 'superuser' | 'owner';

/** What is wrong with the role of the connection; `null` if nothing is, or there are no tables yet. */
export async function faultOfRole(database: Pick<Database, '$queryRaw'>): Promise<RoleFault | null> {
  const [row] = await database.$queryRaw<{ superuser: boolean; owner: boolean }[]>`
    SELECT rolsuper AS superuser, coalesce((
        SELECT pg_has_role(relowner, 'MEMBER') FROM pg_class WHERE oid = to_regclass('operation')
      ), FALSE) AS owner
    FROM pg_roles WHERE rolname = current_user`;
  if (row?.superuser === true) return 'superuser';
  return row?.owner === true ? 'owner' : null;
}

const FAULT_TEXTS: Readonly<Record<RoleFault, string>> = {
  superuser: 'connects as a superuser',
  owner: 'connects as the owner of the tables, or as a member of it',
};

/** The fault and its remedy, in one line for people. */
export function roleRefusal(fault: RoleFault): string {
  return (
    `DATABASE_URL: ${FAULT_TEXTS[fault]}, which production refuses: connect as the role that is made for this process ` +
    '(docs/operating.md, Roles of the database)'
  );
}

const PAUSE_MS = 2_000;

/**
 * Checks the role once, as soon as the database answers, and calls `end` with what is wrong. Production only: a sandbox
 * may use any role.
 */
export function watchRole(database: Database, environment: string, end: (refusal: string) => void): void {
  if (environment !== 'production') return;
  const check = () =>
    void faultOfRole(database).then(
      (fault) => fault !== null && end(roleRefusal(fault)),
      () => setTimeout(check, PAUSE_MS).unref(),
    );
  check();
}
