// Verifies webhooks of the gateway: signature (with one or two secrets during a rotation), timestamp, and event id.
// Pure functions of bytes and the time given; what to do with a genuine event is the operator's business.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { sha256Hex } from './signing.js';
import type { GatewayEvent } from './types.js';

/** Headers as Node gives them: lowercase names. */
export type WebhookHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface WebhookDelivery {
  readonly headers: WebhookHeaders;
  /** The body exactly as received, before any parsing. */
  readonly rawBody: Uint8Array;
}

export interface WebhookVerification {
  /** The current webhook secret and, while a rotation overlaps, the previous one. */
  readonly secrets: readonly string[];
  /** Unix seconds. */
  readonly nowSeconds: number;
  /** Default 300. */
  readonly toleranceSeconds?: number;
}

/** Why a delivery was refused, and the HTTP status to answer it with. */
export const WEBHOOK_REFUSAL_STATUS = {
  missing_header: 401,
  malformed_header: 401,
  timestamp_out_of_window: 401,
  signature_mismatch: 401,
  malformed_body: 400,
  event_id_mismatch: 400,
} as const;

export type WebhookRefusal = keyof typeof WEBHOOK_REFUSAL_STATUS;

export type WebhookResult =
  | { readonly ok: true; readonly event: GatewayEvent }
  | { readonly ok: false; readonly refusal: WebhookRefusal };

const DEFAULT_TOLERANCE_SECONDS = 300;
// The service sends one value, two during a rotation; the bound keeps a hostile header from costing many comparisons.
const MAX_SIGNATURE_VALUES = 8;

/** The text whose HMAC is a webhook's signature: `v1`, timestamp, event id and the body's SHA-256, separated by LF. */
export function webhookSignedText(timestamp: string, eventId: string, rawBody: Uint8Array): string {
  return ['v1', timestamp, eventId, sha256Hex(rawBody)].join('\n');
}

/** Lowercase hex HMAC-SHA256 with the secret's UTF-8 bytes. */
export function signWebhookText(secret: string, signedText: string): string {
  return createHmac('sha256', Buffer.from(secret, 'utf8')).update(signedText, 'utf8').digest('hex');
}

/**
 * Verifies one delivery and parses its event. Everything is checked before the body is parsed, except that the event id
 * inside must equal `Svc-Event-Id`. Never throws for bad input: a refusal is a value, its status in
 * WEBHOOK_REFUSAL_STATUS. A genuine event is still only a trigger: de-duplicate by `event.id`, fetch the object back,
 * act on what that says.
 */
export function verifyWebhook(delivery: WebhookDelivery, verification: WebhookVerification): WebhookResult {
  const eventId = singleHeader(delivery.headers, 'svc-event-id');
  const timestamp = singleHeader(delivery.headers, 'svc-timestamp');
  const signature = singleHeader(delivery.headers, 'svc-signature');
  if (!eventId || !timestamp || !signature) return refused('missing_header');

  const given = signatureValues(signature);
  if (!given || !/^[1-9][0-9]{0,11}$/.test(timestamp)) return refused('malformed_header');

  const toleranceSeconds = verification.toleranceSeconds ?? DEFAULT_TOLERANCE_SECONDS;
  if (Math.abs(verification.nowSeconds - Number(timestamp)) > toleranceSeconds)
    return refused('timestamp_out_of_window');

  const signedText = webhookSignedText(timestamp, eventId, delivery.rawBody);
  if (!anySignatureMatches(verification.secrets, signedText, given)) return refused('signature_mismatch');

  const event = parseEvent(delivery.rawBody);
  if (!event) return refused('malformed_body');
  return event.id === eventId ? { ok: true, event } : refused('event_id_mismatch');
}

function refused(refusal: WebhookRefusal): WebhookResult {
  return { ok: false, refusal };
}

function singleHeader(headers: WebhookHeaders, name: string): string | null {
  const value = headers[name];
  if (typeof value === 'string') return value.trim();
  return value?.length === 1 ? (value[0] ?? '').trim() : null;
}

/**
 * The `v1` values of the header, or null if it holds none or too many. Other schemes are ignored: a later version may
 * add one.
 */
function signatureValues(header: string): Buffer[] | null {
  const entries = header.split(',').map((entry) => entry.trim());
  if (entries.length > MAX_SIGNATURE_VALUES) return null;
  const values = entries.flatMap((entry) => /^v1=([0-9a-f]{64})$/.exec(entry)?.[1] ?? []);
  return values.length > 0 ? values.map((hex) => Buffer.from(hex, 'hex')) : null;
}

/** Compares every secret with every value and never stops early, so that the time taken reveals no near match. */
function anySignatureMatches(secrets: readonly string[], signedText: string, given: readonly Buffer[]): boolean {
  let matched = false;
  for (const secret of secrets) {
    // An empty secret is a configuration mistake, and one that anyone could sign with.
    if (secret === '') throw new RangeError('a webhook secret must not be empty');
    const expected = Buffer.from(signWebhookText(secret, signedText), 'hex');
    for (const value of given) matched = timingSafeEqual(expected, value) || matched;
  }
  return matched;
}

function parseEvent(rawBody: Uint8Array): GatewayEvent | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(rawBody));
    return isGatewayEvent(value) ? value : null;
  } catch {
    return null;
  }
}

/** Whether the value is an event envelope. Unknown additional fields are allowed, by the tolerant-reader rule. */
export function isGatewayEvent(value: unknown): value is GatewayEvent {
  if (!isRecord(value)) return false;
  const texts = ['id', 'type', 'created_at', 'operation_id', 'object_id'] as const;
  return (
    texts.every((name) => typeof value[name] === 'string' && value[name] !== '') &&
    Number.isSafeInteger(value['object_version']) &&
    isRecord(value['data']) &&
    isRecord(value['data']['object'])
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
