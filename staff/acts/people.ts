// How admins manage staff: create and disable people, give and take roles. Admins cannot give themselves a role.
import type { Database } from '../../store/database.js';
import type { Actor } from '../../store/staff/acts.js';
import { mayNow } from '../../store/staff/people.js';
import {
  createPerson,
  disablePerson,
  endSessionsByAdmin,
  type Grant,
  grantRole,
  type OidcAccount,
  type PersonCreation,
  removeOidcAccount,
  renewPasskeys,
  renewSignInCode,
  setOidcAccount,
  takeRole,
} from '../../store/staff/roster.js';
import type { SignInCode } from '../../store/staff/sessions.js';

interface NotPermitted {
  readonly kind: 'not_permitted';
}
interface NoSuchPerson {
  readonly kind: 'no_such_person';
}

export async function addPerson(
  database: Database,
  actor: Actor,
  handle: string,
): Promise<Exclude<PersonCreation, { kind: 'admin_exists' }> | NotPermitted> {
  if (!(await mayManage(database, actor))) return { kind: 'not_permitted' };
  const created = await createPerson(database, handle, actor);
  if (created.kind === 'admin_exists') throw new Error('only a first admin is refused for an admin');
  return created;
}

export async function newSignInCode(
  database: Database,
  actor: Actor,
  handle: string,
  minutes?: number,
): Promise<({ readonly kind: 'issued' } & SignInCode) | NoSuchPerson | NotPermitted> {
  if (!(await mayManage(database, actor))) return { kind: 'not_permitted' };
  const code = await renewSignInCode(database, handle, actor.handle, minutes);
  return code === null ? { kind: 'no_such_person' } : { kind: 'issued', ...code };
}

export type RoleChange =
  | { readonly kind: 'changed' | 'unchanged' }
  /** Another admin must. */
  | { readonly kind: 'own_role' | 'last_admin' }
  | NoSuchPerson
  | NotPermitted;

export async function giveRole(database: Database, actor: Actor, grant: Grant): Promise<RoleChange> {
  if (!(await mayManage(database, actor))) return { kind: 'not_permitted' };
  if (grant.handle === actor.handle) return { kind: 'own_role' };
  const isGiven = await grantRole(database, grant, actor);
  if (isGiven === null) return { kind: 'no_such_person' };
  return { kind: isGiven ? 'changed' : 'unchanged' };
}

export async function revokeRole(database: Database, actor: Actor, grant: Grant): Promise<RoleChange> {
  if (!(await mayManage(database, actor))) return { kind: 'not_permitted' };
  const taken = await takeRole(database, grant, actor);
  if (taken === 'last_admin') return { kind: 'last_admin' };
  return { kind: taken ? 'changed' : 'unchanged' };
}

export async function disable(
  database: Database,
  actor: Actor,
  handle: string,
): Promise<
  { readonly kind: 'disabled'; readonly at: Date } | { readonly kind: 'last_admin' } | NoSuchPerson | NotPermitted
> {
  if (!(await mayManage(database, actor))) return { kind: 'not_permitted' };
  const at = await disablePerson(database, handle, actor);
  if (at === null) return { kind: 'no_such_person' };
  return at === 'last_admin' ? { kind: 'last_admin' } : { kind: 'disabled', at };
}

/** Ends the person's sessions: for a machine that was left open, or a person who must lose access at once. */
export async function endSessions(
  database: Database,
  actor: Actor,
  handle: string,
): Promise<{ readonly kind: 'ended'; readonly sessions: number } | NoSuchPerson | NotPermitted> {
  if (!(await mayManage(database, actor))) return { kind: 'not_permitted' };
  const sessions = await endSessionsByAdmin(database, handle, actor);
  return sessions === null ? { kind: 'no_such_person' } : { kind: 'ended', sessions };
}

/**
 * A device was lost: removes the person's passkeys, ends their sessions, and gives a code that makes another passkey.
 * Admins cannot do it to themselves: a thief of the lost device could.
 */
export async function forgetPasskeys(
  database: Database,
  actor: Actor,
  handle: string,
): Promise<
  | ({ readonly kind: 'forgotten'; readonly removed: number } & SignInCode)
  | { readonly kind: 'own_passkeys' }
  | NoSuchPerson
  | NotPermitted
> {
  if (!(await mayManage(database, actor))) return { kind: 'not_permitted' };
  if (handle === actor.handle) return { kind: 'own_passkeys' };
  const renewed = await renewPasskeys(database, handle, actor);
  return renewed === null ? { kind: 'no_such_person' } : { kind: 'forgotten', ...renewed };
}

export type OidcAccountChange =
  | { readonly kind: 'changed' | 'unchanged' }
  /** The account signs this other person in. */
  | { readonly kind: 'held'; readonly by: string }
  | NoSuchPerson
  | NotPermitted;

/** Lets an account of the company's identity provider sign the person in. */
export async function giveOidcAccount(
  database: Database,
  actor: Actor,
  handle: string,
  account: OidcAccount,
): Promise<OidcAccountChange> {
  if (!(await mayManage(database, actor))) return { kind: 'not_permitted' };
  const set = await setOidcAccount(database, handle, account, actor);
  if (set === null) return { kind: 'no_such_person' };
  if (set === 'set') return { kind: 'changed' };
  return set.heldBy === handle ? { kind: 'unchanged' } : { kind: 'held', by: set.heldBy };
}

export async function takeOidcAccount(
  database: Database,
  actor: Actor,
  handle: string,
): Promise<Exclude<OidcAccountChange, { kind: 'held' }>> {
  if (!(await mayManage(database, actor))) return { kind: 'not_permitted' };
  const removed = await removeOidcAccount(database, handle, actor);
  if (removed === null) return { kind: 'no_such_person' };
  return { kind: removed ? 'changed' : 'unchanged' };
}

function mayManage(database: Database, actor: Actor): Promise<boolean> {
  return mayNow(database, actor, 'staff.manage', null);
}
