// Sends webhooks as the gateway does, and wrong ones on purpose: each option changes one thing.
import { request } from 'undici';
import type { GatewayEvent } from '../../client/index.js';
import { signWebhookText, webhookSignedText } from '../../client/webhooks.js';

export interface DeliveryOptions {
  /** Signs with these, in this order; default: the current secret. None: no signature header. */
  readonly secrets?: readonly string[];
  /** Default now. */
  readonly timestampSeconds?: number;
  /** `Svc-Event-Id`, if it is not the event's id. */
  readonly eventId?: string;
  /** The body that is sent, if it is not the one that is signed. */
  readonly sentInstead?: GatewayEvent;
}

export interface Delivery {
  readonly event: GatewayEvent;
  /** Null: no answer within ten seconds. */
  readonly status: number | null;
  readonly tookMs: number;
}

const ANSWER_WITHIN_MS = 10_000;
const MAX_ANSWER_BYTES = 1024 * 1024;

/** Delivers once and says what the operator answered. Never throws for what the operator does. */
export async function deliver(
  url: string,
  event: GatewayEvent,
  { secrets = [], timestampSeconds, eventId = event.id, sentInstead = event }: DeliveryOptions,
): Promise<Delivery> {
  const signedBody = Buffer.from(JSON.stringify(event), 'utf8');
  const timestamp = String(timestampSeconds ?? Math.floor(Date.now() / 1000));
  const text = webhookSignedText(timestamp, eventId, signedBody);
  const signature = secrets.map((secret) => `v1=${signWebhookText(secret, text)}`).join(',');
  const startedMs = Date.now();
  const status = await post(url, Buffer.from(JSON.stringify(sentInstead), 'utf8'), {
    'content-type': 'application/json; charset=utf-8',
    'svc-event-id': eventId,
    'svc-timestamp': timestamp,
    ...(signature === '' ? {} : { 'svc-signature': signature }),
  });
  return { event, status, tookMs: Date.now() - startedMs };
}

async function post(url: string, body: Buffer, headers: Record<string, string>): Promise<number | null> {
  try {
    const answer = await request(url, { method: 'POST', body, headers, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    await answer.body.dump({ limit: MAX_ANSWER_BYTES, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    return answer.statusCode;
  } catch {
    return null;
  }
}
