// The person who reads and acts, as the panel and the command know them: from the session, with their current roles.
import { type InboxKind, inboxReaders } from '../domain/approvals.js';
import { type HeldRole, isReached, mayDo, type Reach, reachOf, type StaffActKind } from '../domain/staff.js';
import type { Actor } from '../store/staff/acts.js';

export interface Viewer extends Actor {
  readonly roles: readonly HeldRole[];
  /** The operations in which they may see what they requested. */
  readonly reach: Reach;
  readonly hasPasskey: boolean;
  readonly environment: 'sandbox' | 'production';
}

/** Whether the viewer signs acts on money, access and rules. People with a passkey always do. */
export function signsActs({ hasPasskey, environment }: Pick<Viewer, 'hasPasskey' | 'environment'>): boolean {
  return hasPasskey || environment === 'production';
}

/** Whether the viewer may see this at all. What they may not see does not exist for them. */
export function sees({ reach }: Viewer, operationId: string | null): boolean {
  return isReached(reach, operationId);
}

/** Whether the viewer holds a role for the act. The statement that performs the act checks it again in the database. */
export function may({ roles }: Viewer, kind: StaffActKind, operationId: string | null): boolean {
  return mayDo(roles, kind, operationId);
}

/** The operations in which these roles see what waits of this kind for a second person. */
export function inboxReach({ roles }: Pick<Viewer, 'roles'>, kind: InboxKind): Reach {
  return reachOf(roles, inboxReaders(kind));
}
