// What every command works with: its context, and the type that registers it. A command opens the connections it needs
// and closes them when it is done, so the process ends at once. Prisma and Temporal are imported only then, so commands
// that need neither start fast.
import { userInfo } from 'node:os';
import type { Client } from '@temporalio/client';
import type { Command } from 'commander';
import type { Database } from '../store/database.js';
import type { Sealer } from '../store/sealing/sealer.js';
import type { Answer } from './answer.js';
import { badInput } from './problem.js';
import type { RunOnServer } from './server-run.js';

export interface CommandContext {
  /** The process's variables: configuration is read from here. */
  readonly environment: NodeJS.ProcessEnv;
  /** Prints a note for people to standard error. */
  explain(text: string): void;
  /** Runs `work` with a connected database and closes it. `statementTimeoutMs` defaults to 10 s. */
  withDatabase<Result>(work: (database: Database) => Promise<Result>, statementTimeoutMs?: number): Promise<Result>;
  /** Runs `work` with a connected Temporal client and closes it. */
  withTemporal<Result>(work: (client: Client) => Promise<Result>): Promise<Result>;
  /** Seals and opens secrets with the configured keys. */
  sealer(): Promise<Sealer>;
  /** The file that an option or argument names. `field` is that one, for problems. */
  readFile(field: string, path: string, mostBytes: number): Promise<Buffer>;
  /** A code that must not be among the arguments, which every process list shows. */
  readCode(): Promise<string>;
  readonly session: KeptSession;
  /** Runs a staff command on the gateway's server; `null`: this command does everything itself. */
  readonly onServer: RunOnServer | null;
  /** The gateway's server runs it for somebody elsewhere: paths of files are not this machine's. */
  readonly isServed: boolean;
}

/** Where the proof of the person's session is kept between commands. */
export interface KeptSession {
  /** The file's path. Throws a CommandProblem if there is none. */
  place(): Promise<string>;
  /** `null`: no one is signed in here. */
  read(): Promise<string | null>;
  keep(token: string): Promise<void>;
  forget(): Promise<void>;
}

/** What is a context's own: the rest follows from the variables. */
export type OwnContext = Pick<
  CommandContext,
  'explain' | 'readFile' | 'readCode' | 'session' | 'onServer' | 'isServed'
> & { readonly database?: Database | undefined; readonly temporal?: Client | undefined };

export { type Answer, answer, answerOnTerminal, answerWithText } from './answer.js';

/** Turns a command's work into a commander action. */
export type Registrar = <Arguments extends unknown[]>(
  work: (context: CommandContext, ...given: Arguments) => Promise<Answer>,
) => (...given: Arguments) => Promise<void>;

/** Adds a command, or a noun with its commands, to `parent`. */
export type Register = (parent: Command, run: Registrar) => void;

export function createContext(environment: NodeJS.ProcessEnv, own: OwnContext): CommandContext {
  return {
    ...own,
    environment,
    async withDatabase(work, statementTimeoutMs = 10_000) {
      if (own.database !== undefined) return work(own.database);
      const { withDatabase } = await import('./connections/database.js');
      return withDatabase(environment, statementTimeoutMs, work);
    },
    async withTemporal(work) {
      if (own.temporal !== undefined) return work(own.temporal);
      const { withTemporal } = await import('./connections/temporal.js');
      return withTemporal(environment, work);
    },
    async sealer() {
      const { openSealer } = await import('./connections/keys.js');
      return openSealer(environment);
    },
  };
}

/** The operating system's name of the current user: the default of `--as`. */
export function operatingSystemUser(): string {
  try {
    return userInfo().username;
  } catch {
    throw badInput('--as', 'say who you are; the operating system has no name for this user');
  }
}
