// Decides whether a command runs on the gateway's server, and has it run there: with the files that it names, and the
// session of the person who typed it.
import type { Command } from 'commander';
import { nobodySignedIn } from './actor.js';
import type { Answer, CommandContext } from './context.js';
import { namedFiles } from './inputs/named-file.js';
import { LOGIN, pathOf, placeOf } from './places.js';
import { badInput, refused } from './problem.js';

/** Whether this machine must not do it itself. Throws a CommandProblem where the server is not known. */
export async function isElsewhere(context: CommandContext, command: Command): Promise<boolean> {
  return placeOf(command) !== 'local' && isServerNeeded(context);
}

/** Whether acts and reads are the server's. Throws a CommandProblem where it is not known. */
export async function isServerNeeded(context: CommandContext): Promise<boolean> {
  if (context.onServer !== null) return true;
  const { readStaffConfig } = await import('../platform/config/cli.js');
  if (readStaffConfig(context.environment).environment === 'sandbox') return false;
  throw serverUnknown();
}

/** The problem of a staff command of production on a machine that does not know the server. */
function serverUnknown() {
  return refused(
    'in production this runs on the gateway’s server, with your session: set GATEWAY_PANEL_URL to the panel’s address',
  );
}

/** Runs the command on the server. Throws a CommandProblem. */
export async function runElsewhere(
  context: CommandContext,
  argv: readonly string[],
  command: Command,
): Promise<Answer> {
  const isLogin = pathOf(command) === LOGIN;
  if (isLogin && command.processedArgs[0] !== undefined) throw codeAsArgument();
  const files = new Map<string, Buffer>();
  for (const { field, path, mostBytes } of namedFiles(command))
    files.set(path, await context.readFile(field, path, mostBytes));
  return sendRun(context, argv, { files, code: isLogin ? await context.readCode() : null });
}

/** A code among the arguments is in process lists and in the history of the shell. */
export function codeAsArgument() {
  return badInput('CODE', 'is no argument in production: leave it out, and type it or give it by standard input');
}

interface SentInput {
  readonly files: ReadonlyMap<string, Buffer>;
  /** The code that stands for a session. */
  readonly code?: string | null;
}

/** Has these words run on the server. Throws a CommandProblem. */
export async function sendRun(
  { onServer, session, explain, environment }: CommandContext,
  argv: readonly string[],
  { files, code = null }: SentInput,
): Promise<Answer> {
  if (onServer === null) throw serverUnknown();
  const token = code === null ? await session.read() : null;
  const { readStaffConfig } = await import('../platform/config/cli.js');
  if (code === null && token === null && readStaffConfig(environment).environment === 'production')
    throw nobodySignedIn();
  const run = {
    argv: [...argv],
    files: Object.fromEntries([...files].map(([path, bytes]) => [path, bytes.toString('base64')])),
    code,
    session_file: await session.place(),
    token,
  };
  return onServer(run, {
    note: explain,
    session: (given) => (given === null ? session.forget() : session.keep(given)),
  });
}
