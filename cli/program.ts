// The `gateway` program: the tree of commands, and the only place that prints answers and problems.
import { Command, CommanderError } from 'commander';
import { productionProblems } from '../platform/config/production.js';
import { completeEnvironment } from '../platform/config/secret-files.js';
import { type Answer, createContext, type Registrar } from './context.js';
import { registerCommands } from './commands/index.js';
import { isElsewhere, runElsewhere } from './elsewhere.js';
import { ownContext } from './own-context.js';
import { badInput, isCommandProblem } from './problem.js';
import { harmless } from './terminal/cells.js';
import type { Terminal } from './terminal.js';
import { shown } from './terminal/show.js';

const DEFAULT_WIDTH = 80;

/** Runs a command. @returns the exit code: 0 done, 1 refused or failed, 2 called wrongly. Never throws. */
export async function runGateway(argv: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode = 0;
  const program = createProgram(terminal, (work) => async (...given) => {
    assertUsable(terminal.environment);
    const command = given.at(-1) as unknown as Command;
    const context = createContext(terminal.environment, ownContext(terminal));
    const ran = (await isElsewhere(context, command))
      ? await runElsewhere(context, argv, command)
      : await work(context, ...given);
    print(ran, terminal, program.opts<{ json?: true }>().json === true);
    exitCode = ran.exitCode;
  });
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    return report(error, argv, terminal);
  }
}

/** A terminal gets text and tables; anything else gets the object. */
function print({ value, text, isTextBeside }: Answer, terminal: Terminal, isJson: boolean): void {
  if (terminal.isInteractive === true && !isJson) {
    const screen = { width: terminal.width ?? DEFAULT_WIDTH, isColoured: takesColours(terminal.environment) };
    terminal.writeOut(`${text === null ? shown(value, screen) : harmless(text)}\n`);
    return;
  }
  terminal.writeOut(`${JSON.stringify(value)}\n`);
  if (text !== null && isTextBeside && !isJson) terminal.writeError(`${text}\n`);
}

/** Colours are off with a non-empty NO_COLOR (https://no-color.org) and on dumb terminals. */
function takesColours({ NO_COLOR, TERM }: NodeJS.ProcessEnv): boolean {
  return (NO_COLOR ?? '') === '' && TERM !== 'dumb';
}

/** The tree of commands. `run` turns each one's work into its action; without it they do nothing. */
export function createProgram(
  { writeOut }: Pick<Terminal, 'writeOut'>,
  run: Registrar = () => () => Promise.resolve(),
): Command {
  const program = new Command('gateway')
    .description(DESCRIPTION)
    .usage('<command> [options]')
    .option('--json', 'print the JSON object, also on a terminal; works after every command')
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .configureOutput({ writeOut, writeErr: () => undefined, outputError: () => undefined })
    .addHelpText('after', EXAMPLES);
  registerCommands(program, run);
  return program;
}

/** Refuses configuration that is not allowed in production. */
function assertUsable(environment: NodeJS.ProcessEnv): void {
  const { environment: complete } = completeEnvironment(environment);
  const problems = productionProblems(complete, 'other').map(({ variable, message }) => `${variable}: ${message}`);
  if (problems.length > 0) throw badInput('configuration', problems.join('; '));
}

const DESCRIPTION = `Onboard operations and support the Operator Payments Gateway.

Prints blocks and tables on a terminal. In a pipe, in a file and with --json it prints one JSON object on one line.
Problems are printed to standard error. Exit codes: 0 done, 1 refused or nothing found, 2 called wrongly.`;

const EXAMPLES = `
Examples:
  $ npm run --silent gateway -- find order-123
  $ npm run --silent gateway -- operation create --name "Acme" --environment sandbox --provider simulator
  $ npm run --silent gateway -- review list
  $ npm run --silent gateway -- ledger verify
  $ npm run --silent gateway -- sign --explain GET /v1/ping

Run a command with --help for its options and examples.`;

function report(error: unknown, argv: readonly string[], terminal: Terminal): number {
  if (error instanceof CommanderError) return reportUsage(error, argv, terminal);
  const [exitCode, message] = describe(error) ?? [1, faultText(error)];
  terminal.writeError(`gateway: ${oneLine(message)}\n`);
  return exitCode;
}

/** Turns commander's error into one line. For a missing subcommand, commander would print the whole help. */
function reportUsage(error: CommanderError, argv: readonly string[], terminal: Terminal): number {
  if (error.exitCode === 0) return 0;
  const typed = ['gateway', ...argv].join(' ');
  const message =
    error.code === 'commander.help'
      ? `a command is missing after "${typed}"; see ${typed} --help`
      : error.message.replace(/^error: /, '');
  terminal.writeError(`gateway: ${oneLine(message)}\n`);
  return 2;
}

/** The exit code and one line for people; `null` for a fault of the program. */
export function describe(error: unknown): [exitCode: 1 | 2, message: string] | null {
  if (isCommandProblem(error)) return [error.exitCode, error.message];
  if (!(error instanceof Error)) return null;
  if (error instanceof CommanderError) return [2, error.message.replace(/^error: /, '')];
  if (error.name === 'ConfigurationError') return [2, error.message];
  // A database client's message repeats the values of its query; its code is enough to look it up.
  if ('clientVersion' in error)
    return [1, `PostgreSQL refused or failed (${error.name}${'code' in error ? ` ${String(error.code)}` : ''})`];
  return null;
}

function faultText(error: unknown): string {
  return error instanceof Error ? `internal error: ${error.name}: ${error.message}` : 'internal error';
}

function oneLine(text: string): string {
  return text.trim().replace(/\s*\n\s*/g, ' ');
}
