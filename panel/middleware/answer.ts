// How answers and refusals are written: JSON, or a file as it is read; never cached.
import { Readable } from 'node:stream';
import type { FileAnswer } from '../../contract/panel/route.js';
import { errorOf, type Refusal } from '../refusal.js';
import type { RequestContext } from '../request.js';

export function answerJson(context: RequestContext, status: number, body: unknown): void {
  context.status = status;
  context.set('Cache-Control', 'no-store');
  context.body = JSON.stringify(body);
  context.type = 'application/json; charset=utf-8';
}

/** `onFault`: the text ended with an error. The connection is cut then, so that no part passes for the whole. */
export function answerFile(
  context: RequestContext,
  { name, type, text }: FileAnswer,
  onFault: (error: unknown) => void,
): void {
  context.status = 200;
  context.set('Cache-Control', 'no-store');
  context.attachment(name);
  context.type = `${type}; charset=utf-8`;
  context.body = Readable.from(reportingFaults(text, onFault));
}

async function* reportingFaults(text: AsyncIterable<string>, onFault: (error: unknown) => void) {
  try {
    yield* text;
  } catch (error) {
    onFault(error);
    throw error;
  }
}

export function answerRefusal(context: RequestContext, refusal: Refusal): void {
  const { status, body } = errorOf(refusal, context.state.traceId);
  context.state.refused = refusal.refused;
  const seconds = body.retry_after_seconds ?? (body.retryable ? 2 : undefined);
  if (seconds !== undefined) context.set('Retry-After', String(seconds));
  answerJson(context, status, body);
}
