// Who runs a command: the person of the session that `gateway staff login` began, or in a sandbox the person that
// `--as` names.
import { isSignedAct, type StaffActKind } from '../domain/staff.js';
import type { ChangeServices } from '../staff/acts/requests.js';
import type { Database } from '../store/database.js';
import type { Actor } from '../store/staff/acts.js';
import type { CommandContext } from './context.js';
import { readPerson } from './inputs/identifiers.js';
import { badInput, refused, refusedForPanel } from './problem.js';

/**
 * The person who acts: of the session, if there is one and no `--as`. In the sandbox a name is enough, and a
 * person is created at its first use, with every role.
 */
export async function actorOf(context: CommandContext, name: string | undefined): Promise<Actor> {
  const { readStaffConfig } = await import('../platform/config/cli.js');
  const { isClaimEnough } = readStaffConfig(context.environment);
  if (name !== undefined && !isClaimEnough)
    throw badInput('--as', 'a name proves nothing in production; sign in with "gateway staff login"');
  const token = name === undefined ? await context.session.read() : null;
  if (token !== null) return actorOfToken(context, token);
  if (!isClaimEnough) throw nobodySignedIn();
  const person = readPerson(name);
  const { ensureClaimedPerson } = await import('../store/staff/people.js');
  const handle = await context.withDatabase((database) => ensureClaimedPerson(database, person));
  return { handle, means: 'claim', sessionId: null };
}

export function nobodySignedIn() {
  return refused('nobody is signed in here; sign in with "gateway staff login"');
}

export function sessionEnded() {
  return refused('the session has ended; sign in again with "gateway staff login"');
}

/** Added where a role may be enough and the means is not. */
export const SIGNED_IN_PANEL = '; in production a passkey signs it, in the panel';
/** The roles for payments, because the panel may be down. */
export const OR_BREAK_GLASS = ' (while nobody can: "gateway staff break-glass")';

export function notPermitted(handle: string, kind: StaffActKind) {
  const message = `${handle}: has no role that may do this (${kind})`;
  return isSignedAct(kind) ? refusedForPanel(message + SIGNED_IN_PANEL) : refused(message);
}

/** What acts on access need, in addition to the person. */
export async function changeServices(context: CommandContext, database: Database): Promise<ChangeServices> {
  const { readStaffConfig } = await import('../platform/config/cli.js');
  const { wakeWaiting } = await import('../staff/acts/wake.js');
  return {
    database,
    sealer: context.sealer,
    deployment: readStaffConfig(context.environment).environment,
    wake: (operationId, wait) => wakeWaiting({ database, withTemporal: context.withTemporal }, operationId, wait),
  };
}

async function actorOfToken({ withDatabase }: CommandContext, token: string): Promise<Actor> {
  const { actorOfSession } = await import('../store/staff/sessions.js');
  const actor = await withDatabase((database) => actorOfSession(database, token));
  if (actor === null) throw sessionEnded();
  return actor;
}
