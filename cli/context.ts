// What a command works with. Connections are opened by the commands that need them and closed when they are done, so
// that the process ends at once; Prisma and Temporal are loaded only then, so that the other commands start fast.
import { userInfo } from 'node:os';
import type { Client } from '@temporalio/client';
import type { Database } from '../store/database.js';
import type { Sealer } from '../store/sealing/sealer.js';
import { badInput } from './problem.js';

/** What a command prints: one JSON object, and the exit code that goes with it (a check that found damage ends with 1). */
export interface Answer {
  readonly value: object;
  readonly exitCode: 0 | 1;
  /** The same in words, shown on a terminal instead of the object's blocks and tables; null: those are good enough. */
  readonly text: string | null;
  /** The words also stand beside the object where that is not a terminal (standard error). */
  readonly isTextBeside: boolean;
}

export function answer(value: object, exitCode: 0 | 1 = 0): Answer {
  return { value, exitCode, text: null, isTextBeside: false };
}

/** An answer that has words too, for whoever reads along. */
export function answerInWords(value: object, lines: readonly string[]): Answer {
  return { value, exitCode: 0, text: lines.join('\n'), isTextBeside: true };
}

/** An answer that a terminal shows in words of its own. */
export function answerOnTerminal(value: object, lines: readonly string[]): Answer {
  return { ...answerInWords(value, lines), isTextBeside: false };
}

export interface CommandContext {
  /** Variables of the process; `sign` and the commands' configuration come from here. */
  readonly environment: NodeJS.ProcessEnv;
  /** Explains to a person, beside the JSON object (standard error). */
  explain(text: string): void;
  /** Runs `work` with a connected database and closes it. `statementTimeoutMs` defaults to 10 s. */
  withDatabase<Result>(work: (database: Database) => Promise<Result>, statementTimeoutMs?: number): Promise<Result>;
  /** Runs `work` with a connected Temporal client and closes it. */
  withTemporal<Result>(work: (client: Client) => Promise<Result>): Promise<Result>;
  /** Seals and opens secrets with the keys of the environment. */
  sealer(): Promise<Sealer>;
}

export function createContext(environment: NodeJS.ProcessEnv, explain: (text: string) => void): CommandContext {
  return {
    environment,
    explain,
    async withDatabase(work, statementTimeoutMs = 10_000) {
      const { withDatabase } = await import('./connections/database.js');
      return withDatabase(environment, statementTimeoutMs, work);
    },
    async withTemporal(work) {
      const { withTemporal } = await import('./connections/temporal.js');
      return withTemporal(environment, work);
    },
    async sealer() {
      const { openSealer } = await import('./connections/keys.js');
      return openSealer(environment);
    },
  };
}

/** The operating system's name of whoever runs the command; the default of `--as`. */
export function operatingSystemUser(): string {
  try {
    return userInfo().username;
  } catch {
    throw badInput('--as', 'say who you are; the operating system has no name for this user');
  }
}
