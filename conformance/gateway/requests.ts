// Whether a request is signed and formed as the contract says, and the log of all requests: what the integration did.
import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { sha256Hex, signatureHeaders } from '../../client/signing.js';
import type { PaymentKind } from './book.js';

/** One request, without anything of its body but the two references. */
export interface SeenRequest {
  readonly atMs: number;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly keyId: string | null;
  readonly idempotencyKey: string | null;
  readonly bodySha256: string;
  /** The order, if it asks for a payment. */
  readonly asksFor: { readonly kind: PaymentKind; readonly externalId: string; readonly playerRef: string } | null;
  /** The `external_id` that a list is filtered by. */
  readonly looksFor: string | null;
  /** What the request itself did wrong. */
  readonly fault: RequestFault | null;
  answered: number | 'cut' | null;
}

export type RequestFault =
  | 'unknown_key'
  | 'revoked_key'
  | 'timestamp_out_of_window'
  | 'invalid_signature'
  | 'replayed_nonce'
  | 'no_idempotency_key'
  | 'content_type'
  | 'body';

export interface ReceivedRequest {
  readonly method: string;
  /** Path and query exactly as received. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawBody: Buffer;
}

export interface Credential {
  readonly keyId: string;
  readonly secret: string;
}

const CLOCK_WINDOW_SECONDS = 300;

/** The keys of the operation, and the nonces that were used. */
export interface KeyRing {
  add(credential: Credential): void;
  revoke(keyId: string): void;
  /** Null for a request that is signed as it must be. */
  signatureFault(request: ReceivedRequest): RequestFault | null;
}

/** An empty key ring. */
export function openKeyRing(): KeyRing {
  const keys = new Map<string, { readonly secret: string; revoked: boolean }>();
  const nonces = new Set<string>();
  return {
    add: ({ keyId, secret }) => void keys.set(keyId, { secret, revoked: false }),
    revoke(keyId) {
      const key = keys.get(keyId);
      if (key !== undefined) key.revoked = true;
    },
    signatureFault({ method, target, headers, rawBody }) {
      const keyId = textOf(headers['svc-key-id']);
      const timestamp = textOf(headers['svc-timestamp']);
      const nonce = textOf(headers['svc-nonce']);
      const key = keys.get(keyId);
      if (key === undefined) return 'unknown_key';
      if (
        !/^[1-9][0-9]{0,11}$/.test(timestamp) ||
        Math.abs(Date.now() / 1000 - Number(timestamp)) > CLOCK_WINDOW_SECONDS
      )
        return 'timestamp_out_of_window';
      if (!/^[0-9a-f]{32}$/.test(nonce)) return 'invalid_signature';
      const expected = signatureHeaders(
        { keyId, secret: key.secret },
        { method, target, body: rawBody, timestampSeconds: Number(timestamp), nonce },
      )['Svc-Signature'];
      if (!isSameText(expected ?? '', textOf(headers['svc-signature']))) return 'invalid_signature';
      if (key.revoked) return 'revoked_key';
      if (nonces.has(`${keyId} ${nonce}`)) return 'replayed_nonce';
      nonces.add(`${keyId} ${nonce}`);
      return null;
    },
  };
}

function textOf(value: string | string[] | undefined): string {
  return typeof value === 'string' ? value : '';
}

function isSameText(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

const reference = z.string().regex(/^[A-Za-z0-9_.:-]{1,64}$/);
const money = z.strictObject({
  amount: z.string().regex(/^[1-9][0-9]{0,37}$/),
  currency: z.string().regex(/^[A-Z0-9]{3,12}(\.[A-Z0-9]{2,12})?$/),
});
const player = z.strictObject({
  external_ref: reference,
  document: z.strictObject({
    type: z.enum(['CPF', 'CNPJ', 'PASSPORT', 'NATIONAL_ID', 'TAX_ID']),
    number: z.string().min(1),
    country: z.string().regex(/^[A-Z]{2}$/),
  }),
  ...{ name: z.string().max(120).optional(), email: z.string().max(254).optional(), ip: z.string().optional() },
  ...{ device_id: z.string().optional(), birth_date: z.string().optional(), kyc_level: z.string().optional() },
});
const metadata = z.record(z.string(), z.string()).optional();

/** The bodies of the two creations, strict as the gateway is: a field that it does not know is a 400. */
const ORDERS = {
  deposit: z.strictObject({
    ...{ external_id: reference, player, amount: money, method: z.literal('pix'), metadata },
    ...{ expires_in_seconds: z.number().int().min(300).max(86_400).optional(), locale: z.string().optional() },
  }),
  withdrawal: z.strictObject({
    ...{ external_id: reference, player, amount: money, method: z.literal('pix'), metadata },
    destination: z.strictObject({
      pix: z.strictObject({
        key_type: z.enum(['cpf', 'cnpj', 'email', 'phone', 'random']),
        key: z.string().min(1).max(140),
      }),
    }),
    ...{ review_requested: z.boolean().optional(), review_reasons: z.array(z.string()).optional() },
    player_context: z.record(z.string(), z.unknown()).optional(),
  }),
} as const;

export type OrderBody = z.output<(typeof ORDERS)['deposit']>;

/** The order in the body, or the first field at fault. */
export function readOrder(
  kind: PaymentKind,
  rawBody: Buffer,
): { readonly order: OrderBody } | { readonly field: string } {
  const parsed = ORDERS[kind].safeParse(parseJson(rawBody));
  if (parsed.success) return { order: parsed.data as OrderBody };
  return { field: parsed.error.issues[0]?.path.join('.') || 'body' };
}

/** What a POST must have besides its signature. */
export function postFault(headers: IncomingHttpHeaders): RequestFault | null {
  if (!/^[A-Za-z0-9_.:-]{16,128}$/.test(textOf(headers['idempotency-key']))) return 'no_idempotency_key';
  return /^application\/json\b/i.test(textOf(headers['content-type'])) ? null : 'content_type';
}

/** What the log keeps of a request. */
export function seenRequest(
  { method, target, headers, rawBody }: ReceivedRequest,
  asksFor: SeenRequest['asksFor'],
  fault: RequestFault | null,
): SeenRequest {
  return {
    atMs: Date.now(),
    method,
    path: target.split('?')[0] ?? target,
    keyId: textOf(headers['svc-key-id']) || null,
    idempotencyKey: textOf(headers['idempotency-key']) || null,
    bodySha256: sha256Hex(rawBody),
    looksFor: new URLSearchParams(target.split('?')[1] ?? '').get('external_id'),
    asksFor,
    fault,
    answered: null,
  };
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
