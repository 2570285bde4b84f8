// How admins manage staff. What gives (a person, a role, a code, an account) is asked for in production and made by the
// command once a second person has approved exactly this; what takes away is done by one, at once.
import type { PeopleRequestKind } from '../../domain/approvals.js';
import type { Database } from '../../store/database.js';
import { type AccessAct, type Actor, doAct, mayAct } from '../../store/staff/acts.js';
import { passkeysOf } from '../../store/staff/passkeys.js';
import { mayNow } from '../../store/staff/people.js';
import { staffEnvironment, type StaffEnvironment } from '../../store/staff/policy.js';
import {
  changeRoster,
  disablePerson,
  enablePerson,
  endSessionsByAdmin,
  giveCode,
  type Giving,
  type Grant,
  holderOfAccount,
  insertPerson,
  insertRole,
  isThere,
  type OidcAccount,
  type PersonCreation,
  personLike,
  provenAccount,
  removeOidcAccount,
  renewPasskeys,
  roleOf,
  setOidcAccount,
  takeRole,
} from '../../store/staff/roster.js';
import type { SignInCode } from '../../store/staff/sessions.js';
import type { Transaction } from '../../store/transactions.js';
import type { Payloads } from './effects.js';
import { type ApprovalRequested, useApproval } from './used-approvals.js';

interface NotPermitted {
  readonly kind: 'not_permitted';
}
interface NoSuchPerson {
  readonly kind: 'no_such_person';
}

export interface StaffServices {
  readonly database: Database;
  /** The environment that this process serves. */
  readonly deployment: StaffEnvironment;
}

interface Gift<Kind extends PeopleRequestKind, Given, Refusal> {
  readonly kind: Kind;
  readonly payload: Payloads[Kind] & Readonly<Record<string, string | null>>;
  /** Why it is not even asked for; `null` if it is. */
  refusal(transaction: Transaction): Promise<Refusal | null>;
  give(transaction: Transaction, giving: Giving): Promise<Given>;
}

/** Gives at once in a sandbox. In production it asks for an approval, or uses one of exactly this up. */
function given<Kind extends PeopleRequestKind, Given, Refusal>(
  { database, deployment: configured }: StaffServices,
  actor: Actor,
  { kind, payload, refusal, give }: Gift<Kind, Given, Refusal>,
): Promise<Given | Refusal | ApprovalRequested | NotPermitted> {
  return changeRoster(database, async (transaction) => {
    const deployment = await staffEnvironment(transaction, configured);
    const act: AccessAct = { actor, kind: 'staff.manage', operationId: null, subjectId: payload.handle, deployment };
    if (!(await mayAct(transaction, act))) return { kind: 'not_permitted' };
    const refused = await refusal(transaction);
    if (refused !== null) return refused;
    const order = { operationId: null, kind, payload, environment: deployment };
    const approved = await useApproval(transaction, act, order);
    if (approved.kind === 'requested') return approved;
    const by = await doAct(transaction, act);
    if (by === null) throw new Error('an act that was permitted is not any more');
    // A code of production makes a passkey, and no session: whoever gives it knows it.
    const purpose = deployment === 'production' ? 'enrolment' : 'sign_in';
    return give(transaction, { by, askedBy: approved.requestedBy, purpose });
  });
}

export function addPerson(
  services: StaffServices,
  actor: Actor,
  handle: string,
): Promise<Exclude<PersonCreation, { kind: 'admin_exists' }> | ApprovalRequested | NotPermitted> {
  return given(services, actor, {
    kind: 'person',
    payload: { handle },
    refusal: async (transaction) => {
      const known = await personLike(transaction, handle);
      return known === null ? null : ({ kind: 'exists', handle: known } as const);
    },
    give: (transaction, giving) => insertPerson(transaction, handle, giving),
  });
}

/** A code for somebody who is there. In production it only makes a first passkey. */
export function newSignInCode(
  services: StaffServices,
  actor: Actor,
  handle: string,
  minutes?: number,
): Promise<
  | ({ readonly kind: 'issued' } & SignInCode)
  /** They sign in with it: in production a code is of no use to them. */
  | { readonly kind: 'has_passkey' }
  | NoSuchPerson
  | ApprovalRequested
  | NotPermitted
> {
  return given(services, actor, {
    kind: 'sign_in_code',
    payload: { handle },
    refusal: async (transaction) => {
      if (!(await isThere(transaction, handle))) return noSuchPerson;
      const isProduction = (await staffEnvironment(transaction, services.deployment)) === 'production';
      const isHeld = isProduction && (await passkeysOf(transaction, handle)).length > 0;
      return isHeld ? ({ kind: 'has_passkey' } as const) : null;
    },
    give: async (transaction, giving) =>
      ({ kind: 'issued', ...(await giveCode(transaction, handle, giving, minutes)) }) as const,
  });
}

const noSuchPerson = { kind: 'no_such_person' } as const;

export type RoleChange =
  | { readonly kind: 'changed' | 'unchanged' }
  /** Another admin must. */
  | { readonly kind: 'own_role' | 'last_admin' }
  | NoSuchPerson
  | NotPermitted;

export function giveRole(services: StaffServices, actor: Actor, grant: Grant): Promise<RoleChange | ApprovalRequested> {
  const { handle, role, operationId: operation } = grant;
  return given(services, actor, {
    kind: 'role',
    payload: { handle, role, operation },
    refusal: async (transaction): Promise<RoleChange | null> => {
      if (handle === actor.handle) return { kind: 'own_role' };
      const isHeld = await roleOf(transaction, grant);
      if (isHeld === null) return noSuchPerson;
      return isHeld ? { kind: 'unchanged' } : null;
    },
    give: async (transaction, giving): Promise<RoleChange> => {
      await insertRole(transaction, grant, giving);
      return { kind: 'changed' };
    },
  });
}

/** Lets a disabled person in again, with the roles and passkeys that they had. */
export function enable(
  services: StaffServices,
  actor: Actor,
  handle: string,
): Promise<{ readonly kind: 'changed' | 'unchanged' } | NoSuchPerson | ApprovalRequested | NotPermitted> {
  return given(services, actor, {
    kind: 'person_enable',
    payload: { handle },
    refusal: async (transaction) => {
      if (await isThere(transaction, handle)) return { kind: 'unchanged' } as const;
      return (await personLike(transaction, handle)) === handle ? null : noSuchPerson;
    },
    give: async (transaction, { by }) => {
      await enablePerson(transaction, handle, by);
      return { kind: 'changed' } as const;
    },
  });
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
export function forgetPasskeys(
  services: StaffServices,
  actor: Actor,
  handle: string,
): Promise<
  | ({ readonly kind: 'forgotten'; readonly removed: number } & SignInCode)
  | { readonly kind: 'own_passkeys' }
  | NoSuchPerson
  | ApprovalRequested
  | NotPermitted
> {
  return given(services, actor, {
    kind: 'passkey_reset',
    payload: { handle },
    refusal: async (transaction) => {
      if (handle === actor.handle) return { kind: 'own_passkeys' } as const;
      return (await isThere(transaction, handle)) ? null : noSuchPerson;
    },
    give: async (transaction, giving) =>
      ({ kind: 'forgotten', ...(await renewPasskeys(transaction, handle, giving)) }) as const,
  });
}

export type OidcAccountChange =
  | { readonly kind: 'changed' | 'unchanged' }
  /** The account signs this other person in. */
  | { readonly kind: 'held'; readonly by: string }
  | NoSuchPerson
  | NotPermitted;

/** Lets an account of the company's identity provider sign the person in. */
export function giveOidcAccount(
  services: StaffServices,
  actor: Actor,
  handle: string,
  account: OidcAccount,
): Promise<OidcAccountChange | ApprovalRequested> {
  return given(services, actor, {
    kind: 'account',
    payload: { handle, ...provenAccount(account) },
    refusal: async (transaction): Promise<OidcAccountChange | null> => {
      const by = await holderOfAccount(transaction, account);
      if (by !== null) return by === handle ? { kind: 'unchanged' } : { kind: 'held', by };
      return (await isThere(transaction, handle)) ? null : noSuchPerson;
    },
    give: async (transaction, { by }): Promise<OidcAccountChange> => {
      await setOidcAccount(transaction, handle, account, by);
      return { kind: 'changed' };
    },
  });
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
