// The webhook signature: HMAC-SHA256 over version, timestamp, event id and the body's digest, one value per valid
// secret.
import { createHash, createHmac } from 'node:crypto';

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
