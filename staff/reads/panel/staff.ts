// The people who may act, as the panel shows them.
import { mayDo } from '../../../domain/staff.js';
import type { Database } from '../../../store/database.js';
import { operationNames } from '../../../store/operations/operations.js';
import { listPeople } from '../../../store/staff/roster.js';
import type { Viewer } from '../../viewer.js';
import { namedOperation } from './named-operation.js';

const MOST = 500;

export async function readStaff(database: Database, viewer: Viewer) {
  const people = await listPeople(database, MOST + 1);
  const shown = people.slice(0, MOST);
  const names = await operationNames(
    database,
    shown.flatMap(({ roles }) => roles.flatMap(({ operationId }) => operationId ?? [])),
  );
  const admins = shown.filter(
    ({ disabledAt, roles }) => disabledAt === null && roles.some(({ role }) => role === 'admin'),
  );
  const keptOf = (handle: string) => {
    if (handle === viewer.handle) return 'yourself' as const;
    return admins.length === 1 && admins[0]?.handle === handle ? ('last_admin' as const) : null;
  };
  return {
    items: shown.map(({ handle, roles, createdAt, disabledAt, passkeys, account, sessions, lastSeenAt }) => ({
      handle,
      roles: roles.map(({ role, operationId: id }) => ({
        role,
        operation: namedOperation(id, names),
      })),
      created_at: createdAt,
      disabled_at: disabledAt,
      passkeys,
      account,
      sessions,
      last_seen_at: lastSeenAt,
      kept: keptOf(handle),
    })),
    more: people.length > MOST,
    manages: mayDo(viewer.roles, 'staff.manage', null),
  };
}
