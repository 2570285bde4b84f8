// Who reads and acts, as whatever serves people knows them: the session's person, and the roles they hold now.
import { type HeldRole, isReached, mayDo, type Reach, type StaffActKind } from '../domain/staff.js';
import type { Actor } from '../store/staff/acts.js';

export interface Viewer extends Actor {
  readonly roles: readonly HeldRole[];
  /** The operations of which they may see what they asked for. */
  readonly reach: Reach;
  readonly hasPasskey: boolean;
  readonly environment: 'sandbox' | 'production';
}

/** Whether the viewer signs the acts that money, access or rules follow. Whoever has a passkey does, everywhere. */
export function signsActs({ hasPasskey, environment }: Pick<Viewer, 'hasPasskey' | 'environment'>): boolean {
  return hasPasskey || environment === 'production';
}

/** Whether the viewer may see this at all. What they may not see does not exist for them. */
export function sees({ reach }: Viewer, operationId: string | null): boolean {
  return isReached(reach, operationId);
}

/** Whether the viewer holds a role for the act. The statement that does it asks the database again. */
export function may({ roles }: Viewer, kind: StaffActKind, operationId: string | null): boolean {
  return mayDo(roles, kind, operationId);
}
