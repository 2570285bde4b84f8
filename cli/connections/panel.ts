// Has a staff command run on the gateway's server, which is behind the panel's address.
import { request } from 'undici';
import type { z } from 'zod';
import { readPanelAddress } from '../../platform/config/cli.js';
import { sessionEnded } from '../actor.js';
import type { Answer } from '../context.js';
import { CommandProblem, refused } from '../problem.js';
import {
  HEARTBEAT_MS,
  LONGEST_RUN_MS,
  type RunEvents,
  RUNS_PATH,
  type ServerLine,
  serverLineSchema,
  type ServerRun,
} from '../server-run.js';

const CONNECT_TIMEOUT_MS = 30_000;
/** An answer with a list of 10,000 rows has some megabytes. */
const MOST_ANSWER_BYTES = 64 * 1024 * 1024;
const MOST_REFUSAL_BYTES = 16 * 1024;

/** Sends the run and gives its notes and its session to `events`. Rejects with a CommandProblem. */
export async function runThroughPanel(
  environment: NodeJS.ProcessEnv,
  { token, ...body }: ServerRun,
  events: RunEvents,
): Promise<Answer> {
  const { GATEWAY_PANEL_URL: panelUrl } = readPanelAddress(environment);
  const { statusCode, body: lines } = await request(new URL(RUNS_PATH, panelUrl), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
    headersTimeout: CONNECT_TIMEOUT_MS,
    bodyTimeout: 3 * HEARTBEAT_MS,
    signal: AbortSignal.timeout(LONGEST_RUN_MS),
  }).catch((error: unknown) => {
    throw refused(`the panel at ${panelUrl} does not answer (${codeOf(error)})`);
  });
  if (statusCode === 401) throw sessionEnded();
  if (statusCode !== 200) throw refused(refusalText(statusCode, await firstBytes(lines, MOST_REFUSAL_BYTES)));
  return answerOf(lines, events, panelUrl);
}

async function answerOf(lines: AsyncIterable<Buffer>, events: RunEvents, panelUrl: string): Promise<Answer> {
  try {
    for await (const line of linesOf(lines)) {
      if ('note' in line) events.note(line.note);
      else if ('session' in line) await events.session(line.session);
      else if ('answer' in line) return line.answer;
      else if ('problem' in line) throw problemOf(line.problem, panelUrl);
    }
  } catch (error) {
    if (error instanceof CommandProblem) throw error;
    throw unfinished(codeOf(error));
  }
  throw unfinished('no answer');
}

function problemOf(
  { exit_code, message, is_for_panel }: Extract<ServerLine, { problem: unknown }>['problem'],
  panelUrl: string,
): CommandProblem {
  return new CommandProblem(exit_code, is_for_panel ? `${message} (${panelUrl})` : message);
}

function unfinished(code: string): CommandProblem {
  return refused(`the connection ended before the answer (${code}): look what was done before you repeat the command`);
}

async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<z.output<typeof serverLineSchema>> {
  let held: Buffer = Buffer.alloc(0);
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > MOST_ANSWER_BYTES) throw Object.assign(new Error(), { code: 'too large' });
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    for (let end = held.indexOf(10); end !== -1; end = held.indexOf(10)) {
      yield serverLineSchema.parse(JSON.parse(held.subarray(0, end).toString('utf8')));
      held = held.subarray(end + 1);
    }
  }
}

/** The server's own words, if it is the server: an edge before it answers in HTML. */
function refusalText(status: number, text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    if (typeof error === 'string' && error.length < 500) return error;
  } catch {
    // Not the server's.
  }
  return (
    `the panel's address answers with status ${status}: ` +
    "is it the panel's, and is the server of commands behind it?"
  );
}

async function firstBytes(chunks: AsyncIterable<Buffer>, most: number): Promise<string> {
  const found: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of chunks) {
      found.push(chunk);
      size += chunk.length;
      if (size >= most) break;
    }
  } catch {
    // What came is enough.
  }
  return Buffer.concat(found).subarray(0, most).toString('utf8');
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
  return [code, cause?.code].find((one) => typeof one === 'string') ?? error.name;
}
