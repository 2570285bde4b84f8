// What the operator's tools read: the log of its own calls, and signed webhooks for a developer's machine. An extension
// of the specification.
import { z } from 'zod';
import { cursor, limit, pageOf, timestamp } from './fields.js';

const eventId = z.string().regex(/^evt_[A-Za-z0-9]{1,96}$/, 'must be an event id');

export const listRequestsQuery = z.object({
  trace_id: z
    .string()
    .regex(/^[0-9a-f]{32}$/, 'must be 32 lower-case hex characters')
    .meta({ description: 'Only calls with this `Svc-Trace-Id`.' })
    .optional(),
  refused: z
    .enum(['true', 'false'])
    .meta({ description: '`true`: only answers of 400 and above; `false`: only others.' })
    .optional(),
  cursor: cursor.optional(),
  limit,
});

const loggedRequest = z
  .object({
    trace_id: z.string(),
    received_at: timestamp,
    key_id: z.string(),
    signed: z.boolean().meta({
      description:
        'Whether the key’s secret signed it. Anybody who knows the key’s id can send one that it did not sign.',
    }),
    method: z.string(),
    route: z.string().nullable().meta({
      description: 'The template of the path; null if there is no such route.',
      example: '/v1/deposits/{id}',
    }),
    object_id: z.string().nullable(),
    status: z.int(),
    code: z.string().nullable().meta({ description: 'Why it was refused; null for a 2xx.' }),
    detail: z.string().nullable(),
    errors: z.array(
      z.object({
        field: z.string().nullable().meta({ description: 'Null where the sender chose the name.' }),
        reason: z.string(),
      }),
    ),
    replayed: z.boolean().meta({ description: 'Whether it was answered with the recorded answer of an earlier one.' }),
    duration_ms: z.int(),
    address: z.string().meta({ description: 'Where it came from, as the gateway saw it.' }),
    signed_timestamp: z.string().nullable().meta({ description: '`Svc-Timestamp`; null if malformed.' }),
    signed_nonce: z.string().nullable().meta({ description: '`Svc-Nonce`; null if malformed.' }),
    body_sha256: z.string().meta({ description: 'Of the body’s bytes as received: the last signed line.' }),
    canonical_sha256: z.string().nullable().meta({
      description: 'SHA-256 of the six signed lines as the gateway reads them. Compare it with that of yours.',
    }),
  })
  .meta({ id: 'LoggedRequest' });

export const requestPage = pageOf(loggedRequest, 'LoggedRequestPage');

/** The longest that `GET /sandbox/webhooks/inbox` waits for an event. */
const INBOX_WAIT_SECONDS = 10;

export const inboxQuery = z.object({
  after: eventId.meta({ description: 'Events after this one; absent: from now on.' }).optional(),
  event_id: eventId.meta({ description: 'Only this event, at once.' }).optional(),
  wait_seconds: z
    .string()
    .regex(/^[0-9]{1,2}$/, `must be a whole number from 0 to ${INBOX_WAIT_SECONDS}`)
    .transform(Number)
    .pipe(z.number().min(0).max(INBOX_WAIT_SECONDS))
    .default(0)
    .meta({
      description: 'How long to wait for an event if there is none yet.',
      override: { type: 'integer', minimum: 0, maximum: INBOX_WAIT_SECONDS, default: 0 },
    }),
});

const signedWebhook = z
  .object({
    event_id: z.string(),
    type: z.string(),
    headers: z
      .record(z.string(), z.string())
      .meta({ description: 'The headers of a delivery. Without an active webhook secret `Svc-Signature` is empty.' }),
    body: z.string().meta({ description: 'The bytes of a delivery, as text: the signature covers exactly these.' }),
  })
  .meta({ id: 'SignedWebhook' });

export const inbox = z
  .object({
    data: z.array(signedWebhook),
    next_after: z
      .string()
      .nullable()
      .meta({ description: 'The `after` of the next request; null while the operation has no event.' }),
  })
  .meta({ id: 'WebhookInbox' });
