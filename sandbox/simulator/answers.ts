// The simulator's answers: in the dialect's format and, for sentinel amounts, late, wrong or never.
import type { Context } from 'koa';
import type { z } from 'zod';
import type { AnswerMode } from './behaviours.js';
import type { Delays } from './delays.js';
import type { ErrorKind, ServerDialect } from './server-dialect.js';

const BODY_MAX_BYTES = 64 * 1024;
/** Silent answers end at last, so that forgotten callers do not pile up. */
const SILENCE_MAX_MS = 60_000;

/** A refusal on its way to the one place that words it. */
export class SimulatorError extends Error {
  constructor(
    readonly kind: ErrorKind,
    readonly detail: string,
    readonly code: string | null = null,
  ) {
    super(kind);
  }
}

/** Writes a refusal in the dialect's form. */
export function writeError(
  ctx: Context,
  dialect: ServerDialect,
  kind: ErrorKind,
  detail: string,
  code: string | null = null,
): void {
  const [status, word] = dialect.errors[kind];
  ctx.status = status;
  ctx.body = JSON.stringify(dialect.renderError(word, status, detail, code));
  ctx.type = dialect.errorType;
  if (status === 429 || status === 503) ctx.set('retry-after', '5');
}

/** Writes an answer as a behaviour requires. The request itself has been carried out. */
export async function answer(
  ctx: Context,
  dialect: ServerDialect,
  delays: Delays,
  mode: AnswerMode,
  status: number,
  body: object,
): Promise<void> {
  switch (mode.kind) {
    case 'silent':
      return stayOpenInSilence(ctx, delays);
    case 'reset':
      return cutConnection(ctx);
    case 'error':
    case 'error_without_effect':
      return writeError(ctx, dialect, 'internal', 'a simulated failure');
    case 'rate_limited':
      writeError(ctx, dialect, 'rate_limited', 'a simulated limit');
      // One payment's sentinel must not hold the whole account: `quirks` does that.
      return ctx.remove('retry-after');
    case 'delayed':
      await delays.pause(mode.delayMs);
      break;
    case 'normal':
  }
  ctx.status = status;
  ctx.body = body;
}

/** Leaves the request without an answer until the caller gives up. */
export function stayOpenInSilence(ctx: Context, delays: Delays): void {
  ctx.respond = false;
  delays.after(SILENCE_MAX_MS, () => ctx.req.socket.destroy());
}

/** Cuts the connection without a byte. */
export function cutConnection(ctx: Context): void {
  ctx.respond = false;
  ctx.req.socket.destroy();
}

/** Reads and validates a JSON body; the refusal names the field, never its value. */
export async function readJson<Output>(ctx: Context, schema: z.ZodType<Output>, kind: ErrorKind): Promise<Output> {
  return validate(schema, parseJson(await readText(ctx, kind), kind), kind);
}

/** Validates what came from outside. */
export function validate<Output>(schema: z.ZodType<Output>, value: unknown, kind: ErrorKind): Output {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new SimulatorError(kind, `${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'invalid'}`);
}

/** A request's body as text, bounded. */
export async function readText(ctx: Context, kind: ErrorKind): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of ctx.req as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_MAX_BYTES) throw new SimulatorError(kind, 'body: larger than 64 KiB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseJson(text: string, kind: ErrorKind): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SimulatorError(kind, 'body: must be JSON');
  }
}
