// The one route of the staff's commands: who is it, what do they ask for, and the answer, line by line.
import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import Koa from 'koa';
import type { Logger } from 'pino';
import type { Answer } from '../cli/context.js';
import { isCommandProblem } from '../cli/problem.js';
import {
  HEARTBEAT_MS,
  MOST_LOGIN_BYTES,
  MOST_RUN_BYTES,
  RUNS_PATH,
  type ServerLine,
  type ServerRun,
  serverRunSchema,
} from '../cli/server-run.js';
import { runServed } from '../cli/served.js';
import { readBody, sourceAddressOf, type TrustedProxies } from '../platform/http/request.js';
import { bounded } from '../platform/http/bounded.js';
import { faultOf } from '../platform/http/faults.js';
import type { HttpFault, RawAnswer } from '../platform/http/server.js';
import { RefusedSignIns } from '../staff/acts/refused-sign-ins.js';
import { waitOfAttempt } from '../staff/acts/sign-in-limits.js';
import { withOrigin } from '../store/audit/origin.js';
import type { Database } from '../store/database.js';
import { takeToken } from '../store/rate-buckets.js';
import { personOfCode, sessionOf, type StaffSession } from '../store/staff/sessions.js';

const BODY_TIMEOUT_MS = 30_000;
/** Each has two connections to PostgreSQL. */
const MOST_AT_ONCE = 8;
/** Of one person: somebody's script keeps no colleague out. */
const MOST_OF_PERSON = 4;
/** The limit of one person's commands: as fast as a script that looks at payments one by one. */
const RUNS = { perSecond: 5, burst: 100 } as const;
/** A token as `staff login` got it. */
const BEARER = /^Bearer ([A-Za-z0-9_-]{43})$/;

export interface CommandServer {
  /** The variables that commands read. */
  readonly environment: NodeJS.ProcessEnv;
  readonly deployment: 'sandbox' | 'production';
  readonly database: Database;
  /** The panel's TLS edge; undefined: people reach this process itself. */
  readonly edge: TrustedProxies | undefined;
  readonly log: Logger;
  readonly isReady: () => Promise<boolean>;
}

/** What a request may not do, and what the command prints. */
class RunRefusal extends Error {
  override readonly name = 'RunRefusal';
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

interface State {
  traceId: string;
  address: string;
}

export function createCommandServer(server: CommandServer): Koa<State> {
  const { log } = server;
  const refusals = new RefusedSignIns(server.database);
  /** Whose commands run. */
  const running: (string | null)[] = [];
  const app = new Koa<State>();
  app.silent = true;
  app.on('error', () => undefined);
  app.use(async (context) => {
    context.state = { traceId: randomUUID().replaceAll('-', ''), address: sourceAddressOf(context.req, server.edge) };
    context.set('Svc-Trace-Id', context.state.traceId);
    context.set('Cache-Control', 'no-store');
    if (context.path === '/healthz') {
      context.status = (await server.isReady()) ? 200 : 503;
      context.body = {};
      return;
    }
    try {
      if (context.path !== RUNS_PATH || context.method !== 'POST') throw new RunRefusal(404, 'there is no such route');
      const asked = await ask(server, refusals, context);
      // Counted from here on, so that strangers who send slowly keep nobody out.
      const whose = asked.person?.handle ?? null;
      const own = running.filter((one) => one !== null && one === whose).length;
      if (running.length >= MOST_AT_ONCE || own >= MOST_OF_PERSON)
        throw new RunRefusal(503, 'too many commands run at once; try again in a moment');
      running.push(whose);
      answer(server, refusals, context, asked, () => void running.splice(running.indexOf(whose), 1));
    } catch (error) {
      const { traceId, address } = context.state;
      if (!(error instanceof RunRefusal)) log.error({ traceId, address, fault: faultOf(error) }, 'a request failed');
      const [status, message] =
        error instanceof RunRefusal
          ? [error.status, error.message]
          : [503, `the server of commands has a fault (trace ${traceId})`];
      // What was not read of the body is not read any more.
      context.set('Connection', 'close');
      context.status = status;
      context.body = { error: message };
    }
  });
  return app;
}

type Context = Koa.ParameterizedContext<State>;

interface RunRequest {
  readonly person: StaffSession | null;
  readonly run: ServerRun;
  /** Who signs in by the run; `null`: nobody, or nobody knows who. */
  readonly signingIn: string | null;
}

/** Who asks, and for what. The body of a stranger is not read beyond what signing in needs. */
async function ask(server: CommandServer, refusals: RefusedSignIns, context: Context): Promise<RunRequest> {
  const person = await personOf(server, context);
  const isKnown = person !== null || server.deployment === 'sandbox';
  const run = await readRun(context, isKnown ? MOST_RUN_BYTES : MOST_LOGIN_BYTES);
  const signingIn = isKnown ? null : await limitSignIn(server, refusals, context.state.address, run);
  return { person, run: { ...run, token: person === null ? null : tokenOf(context) }, signingIn };
}

/** Begins the answer. It ends, and `onEnd` is called, when the command does: also if nobody reads it any more. */
function answer(
  server: CommandServer,
  refusals: RefusedSignIns,
  context: Context,
  { person, run, signingIn }: RunRequest,
  onEnd: () => void,
): void {
  const { traceId, address } = context.state;
  const startedMs = performance.now();
  const lines = new PassThrough();
  const write = (line: ServerLine) => void (lines.destroyed || lines.write(`${JSON.stringify(line)}\n`));
  const heartbeat = setInterval(() => write({}), HEARTBEAT_MS);
  let command = 'none';
  const work = () =>
    runServed(server.environment, {
      run,
      person,
      events: { note: (note) => write({ note }), session: (session) => write({ session }) },
      onCommand: (path) => (command = path),
    });
  // What the command's audit entries and acts say of where they came from.
  const ended = withOrigin(address, async () => {
    const line = await lastLine(server, traceId, work);
    if (run.code !== null && 'problem' in line)
      await refusals.note({ means: 'command_line', person: signingIn, reason: 'code' }).catch((error: unknown) => {
        server.log.error({ traceId, fault: faultOf(error) }, 'a refused sign-in is not in the audit trail');
      });
    return line;
  });
  void ended.then((line) => {
    clearInterval(heartbeat);
    write(line);
    lines.end();
    onEnd();
    const exitCode = 'answer' in line ? line.answer.exitCode : 'problem' in line ? line.problem.exit_code : null;
    const durationMs = Math.round(performance.now() - startedMs);
    // Nothing of what was typed: it may hold a search, or a value of a list.
    server.log.info({ traceId, address, person: person?.handle, command, exitCode, durationMs }, 'command');
  });
  context.status = 200;
  context.type = 'application/x-ndjson; charset=utf-8';
  context.body = lines;
}

async function lastLine({ log }: CommandServer, traceId: string, work: () => Promise<Answer>): Promise<ServerLine> {
  try {
    const { value, exitCode, text, isTextBeside } = await work();
    return { answer: { value: value as Record<string, unknown>, exitCode, text, isTextBeside } };
  } catch (error) {
    if (isCommandProblem(error))
      return { problem: { exit_code: error.exitCode, message: error.message, is_for_panel: error.isForPanel } };
    log.error({ traceId, fault: faultOf(error) }, 'a command failed');
    const message = `the server has a fault (trace ${traceId}): look what was done before you repeat the command`;
    return { problem: { exit_code: 1, message, is_for_panel: false } };
  }
}

function tokenOf(context: Context): string | null {
  return BEARER.exec(context.get('Authorization'))?.[1] ?? null;
}

/** Whose session it is; `null` without one. */
async function personOf({ database }: CommandServer, context: Context): Promise<StaffSession | null> {
  if (context.get('Authorization') === '') return null;
  const token = tokenOf(context);
  const person = token === null ? null : await sessionOf(database, token, ['command_line', 'break_glass'], true);
  if (person === null) throw new RunRefusal(401, 'the session has ended');
  const seconds = await takeToken(database, `command:${person.handle}`, RUNS);
  if (seconds > 0) throw new RunRefusal(429, `too many commands; try again in ${Math.ceil(seconds)} seconds`);
  return person;
}

async function readRun(context: Context, most: number): Promise<Omit<ServerRun, 'token'>> {
  if (!/^application\/json(;\s*charset=utf-8)?$/i.test(context.get('Content-Type')))
    throw new RunRefusal(415, 'the run must be JSON');
  const body = await bounded(readBody(context.req, most), BODY_TIMEOUT_MS, 'the body').catch(() => 'too_slow' as const);
  if (typeof body === 'string')
    throw new RunRefusal(
      body === 'too_large' ? 413 : 408,
      body === 'too_large' ? 'the files are too large together' : 'the run did not arrive in time',
    );
  const parsed = serverRunSchema.safeParse(jsonOf(body));
  if (!parsed.success) throw new RunRefusal(400, 'the run is not understood: is this command as new as the server?');
  return parsed.data;
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Attempts to sign in are limited as in the panel. Returns whose code it is; `null`: nobody's. */
async function limitSignIn(
  { database, deployment }: CommandServer,
  refusals: RefusedSignIns,
  address: string,
  { code }: Pick<ServerRun, 'code'>,
): Promise<string | null> {
  let person: string | null = null;
  const whose = async () => (person = code === null ? null : await personOfCode(database, code, ['command']));
  const seconds = await waitOfAttempt({ database, environment: deployment }, address, whose);
  if (seconds === 0) return person;
  await withOrigin(address, () => refusals.note({ means: 'command_line', person, reason: 'rate_limited' }));
  throw new RunRefusal(429, `too many attempts; try again in ${Math.ceil(seconds)} seconds`);
}

const FAULTS: Readonly<Record<HttpFault, number>> = {
  too_slow: 408,
  headers_too_large: 431,
  no_http: 400,
  connect: 405,
};

/** Input that cannot be parsed as a request gets a status and nothing else. */
export function refusalOf(fault: HttpFault): RawAnswer {
  return { status: FAULTS[fault], headers: { 'Content-Type': 'text/plain' }, body: Buffer.alloc(0) };
}
