// The `gateway` command: its tree of commands, and the one place where an answer or a problem is printed.
import { Command, CommanderError } from 'commander';
import { productionProblems } from '../platform/config/production.js';
import { completeEnvironment } from '../platform/config/secret-files.js';
import { type Answer, type CommandContext, createContext } from './context.js';
import { registerCommands } from './commands/index.js';
import { badInput, isCommandProblem } from './problem.js';
import { harmless } from './terminal/cells.js';
import { shown } from './terminal/show.js';

/** Where a run reads from and writes to. Tests run the command in their own process with these. */
export interface Terminal {
  readonly environment: NodeJS.ProcessEnv;
  /** Standard output: one JSON object on one line, or the help that was asked for. */
  readonly writeOut: (text: string) => void;
  /** Standard error: one line for a problem, and explanations for people. */
  readonly writeError: (text: string) => void;
  /** Standard output is a person's terminal: answers are shown as blocks, tables and words instead of JSON. */
  readonly isInteractive?: boolean;
  /** Of that terminal, in columns. */
  readonly width?: number;
}

const USUAL_WIDTH = 80;

/** Runs the command. Returns the exit code: 0 done, 1 refused or failed, 2 called wrongly. Never throws. */
export async function runGateway(argv: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode = 0;
  const program = createProgram(terminal, (printed, isJson) => {
    print(printed, terminal, isJson);
    exitCode = printed.exitCode;
  });
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    return report(error, argv, terminal);
  }
}

/** The one place that decides on the form: a person's terminal gets words and tables, everything else the object. */
function print({ value, text, isTextBeside }: Answer, terminal: Terminal, isJson: boolean): void {
  if (terminal.isInteractive === true && !isJson) {
    const screen = { width: terminal.width ?? USUAL_WIDTH, isColoured: takesColours(terminal.environment) };
    terminal.writeOut(`${text === null ? shown(value, screen) : harmless(text)}\n`);
    return;
  }
  terminal.writeOut(`${JSON.stringify(value)}\n`);
  if (text !== null && isTextBeside && !isJson) terminal.writeError(`${text}\n`);
}

/** https://no-color.org: any value but the empty one turns colours off. */
function takesColours({ NO_COLOR, TERM }: NodeJS.ProcessEnv): boolean {
  return (NO_COLOR ?? '') === '' && TERM !== 'dumb';
}

/** How a command's file turns its work into a commander action. */
export type Registrar = <Arguments extends unknown[]>(
  work: (context: CommandContext, ...given: Arguments) => Promise<Answer>,
) => (...given: Arguments) => Promise<void>;

/** The whole tree. `print` gets the answer of the command that ran. */
export function createProgram(
  terminal: Terminal,
  print: (answer: Answer, isJson: boolean) => void = () => undefined,
): Command {
  const context = createContext(terminal.environment, (text) => terminal.writeError(`${text}\n`));
  const program = new Command('gateway')
    .description(DESCRIPTION)
    .usage('<command> [options]')
    .option('--json', 'print the JSON object also on a terminal; works after every command')
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .configureOutput({ writeOut: terminal.writeOut, writeErr: () => undefined, outputError: () => undefined })
    .addHelpText('after', EXAMPLES);
  registerCommands(program, (work) => async (...given) => {
    assertUsable(terminal.environment);
    print(await work(context, ...given), program.opts<{ json?: true }>().json === true);
  });
  return program;
}

/** What production refuses, no command works with either. */
function assertUsable(environment: NodeJS.ProcessEnv): void {
  const { environment: complete } = completeEnvironment(environment);
  const problems = productionProblems(complete, 'other').map(({ variable, message }) => `${variable}: ${message}`);
  if (problems.length > 0) throw badInput('configuration', problems.join('; '));
}

const DESCRIPTION = `Onboarding and support commands of the Operator Payments Gateway.
On a terminal answers are blocks and tables; into a pipe or a file, and with --json, one JSON object on one line.
Problems go to standard error, with exit code 1 (refused, or nothing found) or 2 (called wrongly).`;

const EXAMPLES = `
Examples:
  $ npm run --silent gateway -- find order-123
  $ npm run --silent gateway -- operation create --name "Acme" --environment sandbox --provider simulator
  $ npm run --silent gateway -- review list
  $ npm run --silent gateway -- ledger verify
  $ npm run --silent gateway -- sign --explain GET /v1/ping

Every command has its own --help.`;

function report(error: unknown, argv: readonly string[], terminal: Terminal): number {
  if (error instanceof CommanderError) return reportUsage(error, argv, terminal);
  const [exitCode, message] = describe(error);
  terminal.writeError(`gateway: ${oneLine(message)}\n`);
  return exitCode;
}

/** Commander says "error: …" with suggestions on further lines, and shows a whole help where a subcommand is missing. */
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

function describe(error: unknown): [exitCode: 1 | 2, message: string] {
  if (isCommandProblem(error)) return [error.exitCode, error.message];
  if (!(error instanceof Error)) return [1, 'internal error'];
  if (error.name === 'ConfigurationError') return [2, error.message];
  // A database client's message repeats the values of its query; its code is enough to look it up.
  if ('clientVersion' in error)
    return [1, `PostgreSQL refused or failed (${error.name}${'code' in error ? ` ${String(error.code)}` : ''})`];
  return [1, `internal error: ${error.name}: ${error.message}`];
}

function oneLine(text: string): string {
  return text.trim().replace(/\s*\n\s*/g, ' ');
}
