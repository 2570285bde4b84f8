// The gateway's staff and their roles.
import { foldedName } from '../../domain/people.js';
import {
  type Doer,
  EVERY_OPERATION,
  meansIn,
  rolesFor,
  STAFF_ROLES,
  type StaffActKind,
  type StaffRole,
} from '../../domain/staff.js';
import type { Database } from '../database.js';

/** The handle under which the name is kept, however it is spelt; `null` if no one has it. */
export async function handleOf(database: Database, name: string): Promise<string | null> {
  const person = await database.staff.findUnique({
    where: { handleFolded: foldedName(name) },
    select: { handle: true },
  });
  return person?.handle ?? null;
}

/**
 * The person of this name, created at the first use with every role. Used only where a name is proof enough. A person
 * who was created before keeps their roles.
 */
export async function ensureClaimedPerson(database: Database, name: string): Promise<string> {
  const known = await handleOf(database, name);
  if (known !== null) return known;
  // Two first uses at once: the second one finds what the first one inserted. SQL, because a statement that inserts
  // nothing still must not give roles.
  await database.$executeRaw`
    WITH created AS (
      INSERT INTO staff (handle, handle_folded) VALUES (${name}, ${foldedName(name)}) ON CONFLICT DO NOTHING
      RETURNING handle
    )
    INSERT INTO staff_role (staff_handle, role, operation_id, granted_by)
    SELECT handle, role, ${EVERY_OPERATION}, handle FROM created, unnest(${[...STAFF_ROLES]}::text[]) AS role`;
  const handle = await handleOf(database, name);
  if (handle === null) throw new Error('a person who was just stored is not there');
  return handle;
}

/** Whether the person holds a role for this now: in the operation, or (`null`) in every one. */
export async function isPermitted(
  database: Pick<Database, 'staffRole'>,
  handle: string,
  kind: StaffActKind,
  operationId: string | null,
): Promise<boolean> {
  const roles = await database.staffRole.count({
    where: {
      staffHandle: handle,
      role: { in: [...rolesFor(kind)] },
      operationId: { in: operationId === null ? [EVERY_OPERATION] : [EVERY_OPERATION, operationId] },
      staff: { disabledAt: null },
    },
  });
  return roles > 0;
}

/** The same for a person who acts, whose means must also be enough in the operation's environment. */
export async function mayNow(
  database: Pick<Database, 'staffRole' | 'operation'>,
  { handle, means }: Pick<Doer, 'handle' | 'means'>,
  kind: StaffActKind,
  operationId: string | null,
): Promise<boolean> {
  if (!(await isPermitted(database, handle, kind, operationId))) return false;
  if (operationId === null) return true;
  const operation = await database.operation.findUnique({ where: { id: operationId }, select: { environment: true } });
  // The caller reports an operation that does not exist.
  return operation === null || meansIn(operation.environment as 'sandbox' | 'production').includes(means);
}

/** Whether the person holds one of these roles now, in any operation. */
export async function holdsRoleAnywhere(
  database: Pick<Database, 'staffRole'>,
  handle: string,
  enough: readonly StaffRole[],
): Promise<boolean> {
  const where = { staffHandle: handle, role: { in: [...enough] }, staff: { disabledAt: null } };
  return (await database.staffRole.count({ where })) > 0;
}
