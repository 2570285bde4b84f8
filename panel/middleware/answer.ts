// How answers and refusals are written: JSON, never cached.
import { errorOf, type Refusal } from '../refusal.js';
import type { RequestContext } from '../request.js';

export function answerJson(context: RequestContext, status: number, body: unknown): void {
  context.status = status;
  context.set('Cache-Control', 'no-store');
  context.body = JSON.stringify(body);
  context.type = 'application/json; charset=utf-8';
}

export function answerRefusal(context: RequestContext, refusal: Refusal): void {
  const { status, body } = errorOf(refusal, context.state.traceId);
  context.state.refused = refusal.refused;
  const seconds = body.retry_after_seconds ?? (body.retryable ? 2 : undefined);
  if (seconds !== undefined) context.set('Retry-After', String(seconds));
  answerJson(context, status, body);
}
