// What the operator's tools use: the log of its calls, its deliveries (also the sandbox's routes for them), and signed
// webhooks for a developer's machine.
import type { z } from 'zod';
import { invalidField } from '../../contract/http/errors.js';
import type { RouteHandler } from '../../contract/http/route.js';
import { CURSOR_FORMAT } from '../../contract/http/schemas/fields.js';
import type { listDeliveriesQuery, redeliverBody } from '../../contract/http/schemas/sandbox.js';
import { type DeliveryAttempt, readDeliveries } from '../../store/events/deliveries.js';
import { eventExists } from '../../store/events/events.js';
import { requestRedelivery } from '../../store/events/redelivery.js';
import { notFound, ok, type ApiDependencies } from './handler.js';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RouteHandlers } from '../../contract/http/routes.js';
import { signedHeaders } from '../../contract/http/webhooks.js';
import { eventsAfter, inboxEvent, type InboxEvent, newestEventId } from '../../store/events/inbox.js';
import { operationTime } from '../../store/operations/clock.js';
import { readWebhookSecrets } from '../../store/operations/webhook-secrets.js';
import { readCalls, type StoredCall } from '../../store/requests/request-log.js';

/** base64url of the row's number. */
function encodeNumberCursor(id: bigint): string {
  return Buffer.from(id.toString(), 'utf8').toString('base64url');
}

/** `null` for any text that `encodeNumberCursor` does not make. */
function decodeNumberCursor(cursor: string): bigint | null {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  return /^[1-9][0-9]{0,17}$/.test(text) && encodeNumberCursor(BigInt(text)) === cursor ? BigInt(text) : null;
}

/** The cursor behind the last row of a page; `null` if no page follows. */
function cursorBehind(rows: readonly { readonly id: bigint | string }[], hasMore: boolean): string | null {
  const last = rows.at(-1);
  return hasMore && last !== undefined ? encodeNumberCursor(BigInt(last.id)) : null;
}

export function deliveryHandlers({ database }: ApiDependencies): {
  readonly list: RouteHandler<unknown, z.output<typeof listDeliveriesQuery>>;
  readonly redeliver: RouteHandler<z.output<typeof redeliverBody>>;
} {
  return {
    list: async ({ caller: { operation }, query: { event_id, cursor, limit } }) => {
      const beforeId = cursor === undefined ? undefined : decodeNumberCursor(cursor);
      if (beforeId === null) return invalidField('cursor', 'format', CURSOR_FORMAT);
      const { attempts, hasMore } = await readDeliveries(database, {
        operationId: operation.id,
        eventId: event_id,
        beforeId,
        limit,
      });
      return ok({ data: attempts.map(presentAttempt), next_cursor: cursorBehind(attempts, hasMore) });
    },

    redeliver: async ({ caller: { operation }, body: { event_id: eventId } }) => {
      if (!(await eventExists(database, operation.id, eventId))) return notFound();
      await requestRedelivery(database, { eventId, operationId: operation.id });
      return ok({ event_id: eventId, redelivery: 'scheduled' });
    },
  };
}

function presentAttempt(attempt: DeliveryAttempt) {
  return {
    event_id: attempt.eventId,
    type: attempt.type,
    object_id: attempt.objectId,
    attempt: attempt.attempt,
    sent_at: attempt.sentAt.toISOString(),
    response_status: attempt.responseStatus,
    error: attempt.error,
    duration_ms: attempt.durationMs,
    next_attempt_at: attempt.nextAttemptAt?.toISOString() ?? null,
  };
}

type ToolRoutes = 'listRequests' | 'listWebhookDeliveries' | 'redeliverWebhook' | 'sandboxReceiveWebhooks';

const LOOK_INTERVAL_MS = 500;
/** Requests that wait for events at once in one process; a further one is answered at once. */
const MOST_WAITING = 50;

export function toolHandlers(dependencies: ApiDependencies): Pick<RouteHandlers, ToolRoutes> {
  const { database } = dependencies;
  const { list, redeliver } = deliveryHandlers(dependencies);
  return {
    listRequests: async ({ caller: { operation }, query: { trace_id, refused, cursor, limit } }) => {
      const beforeId = cursor === undefined ? undefined : decodeNumberCursor(cursor);
      if (beforeId === null) return invalidField('cursor', 'format', CURSOR_FORMAT);
      const { calls, hasMore } = await readCalls(database, {
        operationId: operation.id,
        traceId: trace_id,
        isRefused: refused === undefined ? undefined : refused === 'true',
        beforeId,
        limit,
      });
      return ok({ data: calls.map(presentCall), next_cursor: cursorBehind(calls, hasMore) });
    },
    listWebhookDeliveries: list,
    redeliverWebhook: redeliver,
    sandboxReceiveWebhooks: receiveWebhooks(dependencies),
  };
}

function receiveWebhooks({ database, sealer }: ApiDependencies): RouteHandlers['sandboxReceiveWebhooks'] {
  let waiting = 0;
  return async ({ caller: { operation }, query: { after, event_id: eventId, wait_seconds: waitSeconds } }) => {
    const answer = async (events: readonly InboxEvent[], nextAfter: string | null) => {
      const secrets =
        events.length === 0
          ? []
          : await readWebhookSecrets(database, sealer, operation.id, await operationTime(database, operation.id));
      // Webhooks are signed by real time, also on an operation's own clock.
      const timestampSeconds = Math.floor(Date.now() / 1_000);
      return ok({
        data: events.map(({ id, type, body }) => ({
          event_id: id,
          type,
          headers: signedHeaders({ secrets, timestampSeconds, id, body }),
          body: body.toString('utf8'),
        })),
        next_after: nextAfter,
      });
    };
    if (eventId !== undefined) {
      const event = await inboxEvent(database, sealer, operation.id, eventId);
      return event === null ? notFound() : answer([event], after ?? null);
    }
    if (after !== undefined && !(await eventExists(database, operation.id, after)))
      return invalidField('after', 'unknown', 'is not an event of this operation');
    const from = after ?? (await newestEventId(database, operation.id));
    const until = Date.now() + (waiting < MOST_WAITING ? waitSeconds * 1_000 : 0);
    waiting += 1;
    try {
      for (;;) {
        const events = await eventsAfter(database, sealer, operation.id, from);
        if (events.length > 0 || Date.now() >= until) return await answer(events, events.at(-1)?.id ?? from);
        await sleep(LOOK_INTERVAL_MS);
      }
    } finally {
      waiting -= 1;
    }
  };
}

function presentCall(call: StoredCall) {
  return {
    trace_id: call.traceId,
    received_at: call.receivedAt,
    key_id: call.keyId,
    signed: call.isSigned,
    method: call.method,
    route: call.route,
    object_id: call.objectId,
    status: call.status,
    code: call.code,
    detail: call.detail,
    errors: call.errors,
    replayed: call.isReplayed,
    duration_ms: call.durationMs,
    address: call.address,
    signed_timestamp: call.signedTimestamp,
    signed_nonce: call.signedNonce,
    body_sha256: call.bodySha256,
    canonical_sha256: call.canonicalSha256,
  };
}
