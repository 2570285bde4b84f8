// The people who may act. The panel takes roles and sign-ins away; it gives none, so a stolen session cannot create
// people.
import type { Answering } from '../../contract/panel/routes.js';
import { disable, endSessions, revokeRole } from '../../staff/acts/people.js';
import { readStaff } from '../../staff/reads/panel/staff.js';
import { sees } from '../../staff/viewer.js';
import { type Refusal, refuse } from '../refusal.js';
import type { HandlerRequest, Handlers } from '../request.js';
import type { PanelServices } from '../services.js';

type StaffActResult = Awaited<ReturnType<typeof disable | typeof endSessions | typeof revokeRole>>;

export function staffHandlers({ database }: PanelServices): Handlers<'readStaff' | 'actOnPerson'> {
  return {
    // People belong to no operation: an auditor of one does not see those of the others.
    readStaff: async ({ viewer }) => (sees(viewer, null) ? readStaff(database, viewer) : refuse('not_permitted')),
    actOnPerson: async ({ viewer, params: { handle }, body }: HandlerRequest<'actOnPerson'>) => {
      if (handle === viewer.handle) return refuse('yourself');
      switch (body.act) {
        case 'take_role': {
          const { role, operation: operationId } = body;
          return present(handle, await revokeRole(database, viewer, { handle, role, operationId }));
        }
        case 'end_sessions':
          return present(handle, await endSessions(database, viewer, handle));
        case 'disable':
          return present(handle, await disable(database, viewer, handle));
      }
    },
  };
}

function present(handle: string, acted: StaffActResult): Answering<'actOnPerson'> | Refusal {
  switch (acted.kind) {
    case 'changed':
    case 'disabled':
      return { handle, done: true };
    case 'unchanged':
      return { handle, done: false };
    case 'ended':
      return { handle, done: acted.sessions > 0 };
    case 'no_such_person':
      return refuse('not_found');
    case 'own_role':
      return refuse('yourself');
    case 'last_admin':
    case 'not_permitted':
      return refuse(acted.kind);
  }
}
