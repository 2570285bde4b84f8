// Webhooks: the `webhooks` part of the OpenAPI document, with each event that the gateway publishes; and their
// signature, HMAC-SHA256 over version, timestamp, event id and the body's digest, one value per valid secret.
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { DEPOSIT_TRANSITIONS } from '../../domain/payments/deposit.js';
import { WITHDRAWAL_TRANSITIONS } from '../../domain/payments/withdrawal.js';
import { createHash, createHmac } from 'node:crypto';

type WebhookType =
  | (typeof DEPOSIT_TRANSITIONS)[keyof typeof DEPOSIT_TRANSITIONS]['event']
  | (typeof WITHDRAWAL_TRANSITIONS)[keyof typeof WITHDRAWAL_TRANSITIONS]['event']
  | 'rules.updated';

const eventsOf = <Event extends string>(transitions: Readonly<Record<string, { readonly event: Event }>>): Event[] =>
  Object.values(transitions).map(({ event }) => event);

/** Every published type, once. The list is open: operators answer 200 to an unknown type. */
const WEBHOOK_TYPES: readonly WebhookType[] = [
  ...new Set<WebhookType>([...eventsOf(DEPOSIT_TRANSITIONS), ...eventsOf(WITHDRAWAL_TRANSITIONS), 'rules.updated']),
];

/** A separate tag: under another tag, renderers list webhooks last or not at all. */
export const WEBHOOKS_TAG = { name: 'Webhooks', description: 'What the gateway sends to the operator’s server.' };

const DESCRIPTION = `A trigger, never a reason to credit: verify it, answer 2xx within 10 s, then read the object.

The signature is the lower-case hex HMAC-SHA256, with the webhook secret as UTF-8 bytes, of four lines separated by LF:
\`v1\`, \`Svc-Timestamp\`, \`Svc-Event-Id\` and the lower-case hex SHA-256 of the raw body. Deliveries can repeat and
arrive in any order. Any answer but a 2xx causes another delivery.`;

const header = (name: string, description: string, pattern: string) => ({
  name,
  in: 'header' as const,
  required: true,
  description,
  schema: { type: 'string' as const, pattern },
});

const HEADERS = [
  header('Svc-Event-Id', 'Equals `id` in the body; if not, answer 400. Deduplicate by it.', '^evt_[A-Za-z0-9]+$'),
  header('Svc-Timestamp', 'Unix seconds of this delivery; refuse it beyond 300 s.', '^[1-9][0-9]*$'),
  header(
    'Svc-Signature',
    'While the webhook secret is rotated there are two values; one match is enough.',
    '^v1=[0-9a-f]{64}(,v1=[0-9a-f]{64})?$',
  ),
];

/** One entry per event type. */
export function openApiWebhooks(): ZodOpenApiPathsObject {
  return Object.fromEntries(WEBHOOK_TYPES.map((type) => [type, { post: operationOf(type) }]));
}

function operationOf(type: WebhookType) {
  return {
    operationId: `on_${type.replace('.', '_')}`,
    tags: [WEBHOOKS_TAG.name],
    summary: type,
    description: DESCRIPTION,
    security: [],
    parameters: HEADERS,
    requestBody: { required: true, content: { 'application/json': { schema: eventOf(type) } } },
    responses: {
      200: { description: 'Received. The gateway ignores the body of the answer.' },
      400: { description: 'The body is not the event in the headers. It is delivered again.' },
      401: { description: 'The signature or the timestamp is wrong. It is delivered again, and an alert is raised.' },
    },
  };
}

function eventOf(type: WebhookType) {
  const object = { $ref: `#/components/schemas/${schemaOf(type)}` };
  return {
    allOf: [
      { $ref: '#/components/schemas/Event' },
      {
        type: 'object' as const,
        properties: { type: { const: type }, data: { type: 'object' as const, properties: { object } } },
      },
    ],
  };
}

function schemaOf(type: WebhookType): 'Deposit' | 'Withdrawal' | 'RuleSetOutput' {
  if (type === 'rules.updated') return 'RuleSetOutput';
  return type.startsWith('deposit.') ? 'Deposit' : 'Withdrawal';
}

/**
 * The `Svc-Signature` header of a delivery: `v1=<hex>`, and during a rotation `v1=<hex>,v1=<hex>` (current secret
 * first). hex = HMAC-SHA256(secret as UTF-8 bytes, `v1` LF timestamp LF event id LF lowercase hex SHA-256 of the raw
 * body).
 */
export function webhookSignature(
  secrets: readonly string[],
  timestampSeconds: number,
  eventId: string,
  body: Uint8Array,
): string {
  const digest = createHash('sha256').update(body).digest('hex');
  const signed = ['v1', timestampSeconds.toString(), eventId, digest].join('\n');
  return secrets.map((secret) => `v1=${createHmac('sha256', secret).update(signed).digest('hex')}`).join(',');
}

/** The headers that prove who sent the body under this id. */
export function signedHeaders({
  secrets,
  timestampSeconds,
  id,
  body,
}: {
  readonly secrets: readonly string[];
  readonly timestampSeconds: number;
  readonly id: string;
  readonly body: Uint8Array;
}): Record<string, string> {
  return {
    'Svc-Event-Id': id,
    'Svc-Timestamp': timestampSeconds.toString(),
    'Svc-Signature': webhookSignature(secrets, timestampSeconds, id, body),
  };
}
