// What the operator's tools use: the log of its calls, its deliveries, and signed webhooks for a developer's machine.
import { setTimeout as sleep } from 'node:timers/promises';
import { invalidField } from '../../contract/http/errors.js';
import type { RouteHandlers } from '../../contract/http/routes.js';
import { CURSOR_FORMAT } from '../../contract/http/schemas/paging.js';
import { signedHeaders } from '../../contract/http/webhook-signature.js';
import { eventExists } from '../../store/events/events.js';
import { eventsAfter, inboxEvent, type InboxEvent, newestEventId } from '../../store/events/inbox.js';
import { operationTime } from '../../store/operations/clock.js';
import { readWebhookSecrets } from '../../store/operations/webhook-secrets.js';
import { readCalls, type StoredCall } from '../../store/requests/request-log.js';
import { notFound, ok } from './answers.js';
import type { ApiDependencies } from './dependencies.js';
import { cursorBehind, decodeNumberCursor } from './number-cursor.js';
import { deliveryHandlers } from './deliveries.js';

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
