// Who runs a command: the person of the session that `gateway staff login` began or, in a sandbox, whoever `--as` names.
import type { Actor } from '../store/staff/acts.js';
import type { CommandContext } from './context.js';
import { readPerson } from './inputs/identifiers.js';

/** The person who acts. In the sandbox a person is created at the first use of a name, with every role. */
export async function actorOf({ withDatabase }: CommandContext, name: string | undefined): Promise<Actor> {
  const person = readPerson(name);
  const { ensureClaimedPerson } = await import('../store/staff/people.js');
  const handle = await withDatabase((database) => ensureClaimedPerson(database, person));
  return { handle, means: 'claim', sessionId: null };
}
