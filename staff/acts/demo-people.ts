// The three people of a sandbox: two, for acts that need one or two people, and one who only reads.
import type { StaffRole } from '../../domain/staff.js';
import { SANDBOX_LINK_MINUTES } from '../../domain/staff.js';
import type { Database } from '../../store/database.js';
import { createPerson, grantRole, renewSignInCode } from '../../store/staff/roster.js';

const DEMO_PEOPLE: readonly { readonly handle: string; readonly roles: readonly StaffRole[] }[] = [
  { handle: 'rita.demo', roles: ['reviewer', 'risk_manager', 'admin'] },
  { handle: 'paulo.demo', roles: ['reviewer', 'risk_manager', 'admin', 'approver'] },
  { handle: 'clara.demo', roles: ['auditor'] },
];

export interface DemoPerson {
  readonly handle: string;
  /** Given when the person is created: an existing person keeps their roles. */
  readonly roles: readonly StaffRole[];
  /** Begins one session. */
  readonly code: string;
  readonly expiresAt: Date;
}

/** Creates the missing people, and a link's code for each. A disabled person gets none. */
export async function ensureDemoPeople(database: Database, by: string): Promise<DemoPerson[]> {
  const people: DemoPerson[] = [];
  for (const { handle, roles } of DEMO_PEOPLE) {
    const created = await createPerson(database, handle, by);
    if (created.kind === 'created')
      for (const role of roles) await grantRole(database, { handle, role, operationId: null }, by);
    const code = await renewSignInCode(database, handle, by, SANDBOX_LINK_MINUTES);
    if (code !== null) people.push({ handle, roles, ...code });
  }
  return people;
}
