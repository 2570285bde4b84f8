// The log of one's own calls, and of deliveries; and deliveries once more.
import { newIdempotencyKey } from '../http.js';
import type { LoggedRequest } from '../types.js';
import type { ToolContext } from './context.js';
import { forward } from './listen.js';

/**
 * One's own calls, oldest of the page first. One of them with all that is known of it.
 * @returns whether there was any
 */
export async function showRequests(
  { gateway, print }: ToolContext,
  asked: { readonly traceId: string | undefined; readonly onlyRefused: boolean; readonly limit: number },
): Promise<boolean> {
  const { traceId, onlyRefused, limit } = asked;
  const { body } = await gateway.requests({
    limit,
    ...(traceId === undefined ? {} : { trace_id: traceId }),
    ...(onlyRefused ? { refused: true } : {}),
  });
  const lines = traceId === undefined ? lineOf : detailsOf;
  for (const request of [...body.data].reverse()) print(request, lines(request));
  return body.data.length > 0;
}

function lineOf(request: LoggedRequest): string {
  const { received_at, status, method, route, code, trace_id, replayed } = request;
  const more = [code, replayed ? 'replayed' : null].filter((word) => word !== null).join(', ');
  return `${received_at}  ${status}  ${`${method} ${route ?? '(no such route)'}`.padEnd(44)} ${trace_id}  ${more}`;
}

function detailsOf(request: LoggedRequest): string {
  const errors = request.errors.map(({ field, reason }) => `${field ?? '(your own name)'}: ${reason}`).join(', ');
  const rows: readonly (readonly [string, string | number | null])[] = [
    ['received', request.received_at],
    ['from', request.address],
    ['answered', `${request.status}${request.replayed ? ', with the recorded answer' : ''}`],
    ['code', request.code],
    ['why', request.detail],
    ['errors', errors === '' ? null : errors],
    ['object', request.object_id],
    ['key', request.key_id],
    ['signature', request.signed ? 'is the key’s' : 'is not the key’s'],
    ['Svc-Timestamp', request.signed_timestamp],
    ['Svc-Nonce', request.signed_nonce],
    ['body SHA-256', request.body_sha256],
    ['six lines SHA-256', request.canonical_sha256],
  ];
  return [
    `${request.method} ${request.route ?? '(no such route)'}`,
    ...rows.flatMap(([name, value]) => (value === null ? [] : [`  ${name.padEnd(18)} ${value}`])),
  ].join('\n');
}

/** Attempts to deliver webhooks, oldest of the page first. Answers whether there was any. */
export async function showDeliveries(
  { gateway, print }: ToolContext,
  { eventId, limit }: { readonly eventId: string | undefined; readonly limit: number },
): Promise<boolean> {
  const { body } = await gateway.webhookDeliveries({ limit, ...(eventId === undefined ? {} : { event_id: eventId }) });
  for (const attempt of [...body.data].reverse()) {
    const result = attempt.response_status ?? attempt.error ?? '';
    const next = attempt.next_attempt_at === null ? '' : `, next at ${attempt.next_attempt_at}`;
    const what = `${attempt.type.padEnd(24)} ${attempt.event_id}`;
    print(attempt, `${attempt.sent_at}  ${what}  attempt ${attempt.attempt}: ${result}${next}`);
  }
  return body.data.length > 0;
}

/** Once more: to the registered URL, or to one of this machine. Answers whether that one accepted it. */
export async function redeliver(
  { gateway, print }: ToolContext,
  eventId: string,
  forwardTo: URL | undefined,
): Promise<boolean> {
  if (forwardTo === undefined) {
    const { body } = await gateway.redeliver(eventId, { idempotencyKey: newIdempotencyKey() });
    print(body, `${body.event_id}: another delivery to the registered URL is on its way`);
    return true;
  }
  const { body } = await gateway.sandbox.receiveWebhooks({ event_id: eventId });
  const accepted = await Promise.all(body.data.map((webhook) => forward({ print }, webhook, forwardTo)));
  return accepted.every((isAccepted) => isAccepted);
}
