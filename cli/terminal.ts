// What a run of the command has to do with the world around it.
import type { Client } from '@temporalio/client';
import type { Database } from '../store/database.js';
import type { RunOnServer } from './server-run.js';

/** What a run reads from and writes to. Tests run the command in their own process with it. */
export interface Terminal {
  readonly environment: NodeJS.ProcessEnv;
  /** Standard output: one JSON object on one line, or a help text. */
  readonly writeOut: (text: string) => void;
  /** Standard error: one line for a problem, and notes for people. */
  readonly writeError: (text: string) => void;
  /** Standard output is a terminal: answers are blocks, tables and text instead of JSON. */
  readonly isInteractive?: boolean;
  /** Columns of the terminal. */
  readonly width?: number;
  /** Asks for a secret that must not be shown, or reads it from standard input; by default there is none. */
  readonly readSecret?: (prompt: string) => Promise<string>;
  /** Where staff commands of production run; by default the server that GATEWAY_PANEL_URL names. */
  readonly onServer?: RunOnServer;
  /** A connected database; by default each command connects for itself. */
  readonly database?: Database;
  /** A connected client of Temporal; by default each command connects for itself. */
  readonly temporal?: Client;
}
