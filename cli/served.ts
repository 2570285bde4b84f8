// A staff command as the gateway's server runs it: the tree of commands and the actions are those of the person's own
// machine; the person, the files and the session come with the run.
import type { Command } from 'commander';
import { reachOf } from '../domain/staff.js';
import type { StaffSession } from '../store/staff/sessions.js';
import { nobodySignedIn } from './actor.js';
import { type Answer, type CommandContext, createContext } from './context.js';
import { LOGIN, pathOf, placeOf } from './places.js';
import { badInput, CommandProblem, isCommandProblem, refused } from './problem.js';
import { createProgram, describe } from './program.js';
import type { RunEvents, ServerRun } from './server-run.js';

export interface ServedRun {
  readonly run: ServerRun;
  /** Whose session the run's token is; `null` without a token. */
  readonly person: StaffSession | null;
  readonly events: RunEvents;
  /** Which command it is, for the log: what was typed may hold personal data. */
  readonly onCommand?: (path: string) => void;
}

/** Runs the command with the variables of the server. Rejects with a CommandProblem, and with a fault of the server. */
export async function runServed(environment: NodeJS.ProcessEnv, served: ServedRun): Promise<Answer> {
  const context = servedContext(environment, served);
  let ran: Answer | undefined;
  const silent = { environment, writeOut: () => undefined };
  const program = createProgram(silent, (work) => async (...given) => {
    const command = given.at(-1) as unknown as Command;
    served.onCommand?.(pathOf(command));
    await permit(context, served.person, command);
    ran = await work(context, ...given);
  });
  try {
    await program.parseAsync(served.run.argv, { from: 'user' });
  } catch (error) {
    if (isCommandProblem(error)) throw error;
    const known = describe(error);
    if (known === null) throw error;
    throw new CommandProblem(...known);
  }
  if (ran === undefined) throw badInput('COMMAND', 'names nothing that the server runs');
  return ran;
}

function servedContext(environment: NodeJS.ProcessEnv, { run, events }: ServedRun): CommandContext {
  return createContext(environment, {
    explain: (text) => events.note(text),
    readFile(field, path, mostBytes) {
      const content = Object.hasOwn(run.files, path) ? run.files[path] : undefined;
      if (content === undefined) return Promise.reject(badInput(field, 'was not sent with the command'));
      const bytes = Buffer.from(content, 'base64');
      if (bytes.length <= mostBytes) return Promise.resolve(bytes);
      return Promise.reject(badInput(field, `is larger than ${mostBytes} bytes`));
    },
    readCode: () => (run.code === null ? Promise.reject(badInput('CODE', 'is missing')) : Promise.resolve(run.code)),
    session: {
      place: () => Promise.resolve(run.session_file),
      read: () => Promise.resolve(run.token),
      keep: async (token) => events.session(token),
      forget: async () => events.session(null),
    },
    onServer: null,
    isServed: true,
  });
}

/** Throws a CommandProblem unless the person may run it. What an act needs, the act asks. */
async function permit({ environment }: CommandContext, person: StaffSession | null, command: Command): Promise<void> {
  const [place, path] = [placeOf(command), pathOf(command)];
  if (place === 'local') throw refused(`"gateway ${path}" runs on the machine where its files and keys are`);
  if (path === LOGIN) return;
  if (person === null) {
    const { readStaffConfig } = await import('../platform/config/cli.js');
    // In a sandbox a name is enough, and reading needs none.
    if (readStaffConfig(environment).isClaimEnough) return;
    throw nobodySignedIn();
  }
  if (place !== 'act' && reachOf(person.roles, place) !== 'every')
    throw refused(`${person.handle}: has no role that may do this in every operation (${path})`);
}
