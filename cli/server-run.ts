// A staff command that runs on the gateway's server: what the person's machine sends, and what the server answers, a
// line of JSON each.
import { z } from 'zod';
import type { Answer } from './answer.js';

/** The path of the one route. */
export const RUNS_PATH = '/command/runs';

/** The largest file that a command reads: a statement. */
const MOST_FILE_BYTES = 16 * 1024 * 1024;
/** In base64, with everything else. */
export const MOST_RUN_BYTES = Math.ceil((MOST_FILE_BYTES * 4) / 3) + 256 * 1024;
/** Of a run without a session: signing in. */
export const MOST_LOGIN_BYTES = 8 * 1024;
/** A line that only shows that the server is there. */
export const HEARTBEAT_MS = 15_000;
/** Nothing runs longer than resealing every stored value. */
export const LONGEST_RUN_MS = 60 * 60_000;

export const serverRunSchema = z.strictObject({
  /** As typed, without the program. */
  argv: z.array(z.string().max(20_000)).max(200),
  /** The files that the command reads, by the paths that were typed: base64. */
  files: z.record(z.string().max(4_096), z.base64()).default({}),
  /** The code of `staff login`. */
  code: z.string().max(200).nullable().default(null),
  /** Where the person's machine keeps the session: only to say it in the answer. */
  session_file: z.string().max(4_096).default(''),
});

export interface ServerRun extends z.output<typeof serverRunSchema> {
  /** The proof of the person's session; `null` without one. */
  readonly token: string | null;
}

const answerSchema = z.object({
  value: z.record(z.string(), z.unknown()),
  exitCode: z.union([z.literal(0), z.literal(1)]),
  text: z.string().nullable(),
  isTextBeside: z.boolean(),
});

/** A line of the server's answer. The last one is an answer or a problem; one without members is a sign of life. */
export const serverLineSchema = z.union([
  z.strictObject({ note: z.string() }),
  z.strictObject({ session: z.string().nullable() }),
  z.strictObject({ answer: answerSchema }),
  z.strictObject({
    problem: z.strictObject({
      exit_code: z.union([z.literal(1), z.literal(2)]),
      message: z.string(),
      is_for_panel: z.boolean(),
    }),
  }),
  z.strictObject({}),
]);
export type ServerLine = z.output<typeof serverLineSchema>;

/** What happens while the command runs. */
export interface RunEvents {
  /** A note for people. */
  note(text: string): void;
  /** The session to keep from now on; `null`: none. */
  session(token: string | null): void | Promise<void>;
}

/** Runs a command on the server. Rejects with a CommandProblem. */
export type RunOnServer = (run: ServerRun, events: RunEvents) => Promise<Answer>;
