// Webhook verification: every published vector, each broken byte, the time window, rotation, and ids that disagree.
import assert from 'node:assert/strict';
import { isGatewayEvent, signWebhookText, verifyWebhook, webhookSignedText } from '../../../client/webhooks.js';
import type { WebhookResult } from '../../../client/webhooks.js';
import { vectors } from './test-vectors.js';
import type { WebhookVector } from './test-vectors.js';

interface Changes {
  readonly eventId?: string | undefined;
  readonly timestamp?: string | undefined;
  readonly signature?: string | undefined;
  readonly rawBody?: Uint8Array;
  readonly secrets?: readonly string[];
  readonly nowSeconds?: number;
}

function verify(vector: WebhookVector, changes: Changes = {}): WebhookResult {
  const headers = {
    'svc-event-id': 'eventId' in changes ? changes.eventId : vector.headers['Svc-Event-Id'],
    'svc-timestamp': 'timestamp' in changes ? changes.timestamp : vector.headers['Svc-Timestamp'],
    'svc-signature': 'signature' in changes ? changes.signature : vector.headers['Svc-Signature'],
  };
  return verifyWebhook(
    { headers, rawBody: changes.rawBody ?? Buffer.from(vector.body, 'utf8') },
    {
      secrets: changes.secrets ?? vector.verifying_secrets,
      nowSeconds: changes.nowSeconds ?? Number(vector.headers['Svc-Timestamp']),
    },
  );
}

function refusalOf(result: WebhookResult): string {
  return result.ok ? 'accepted' : result.refusal;
}

function vectorNamed(part: string): WebhookVector {
  const vector = vectors.webhooks.find(({ name }) => name.includes(part));
  assert.ok(vector, part);
  return vector;
}

/** A genuine signature over any body, to reach the checks behind it. */
function signedAnew(
  vector: WebhookVector,
  body: string | Uint8Array,
  eventId = vector.headers['Svc-Event-Id'],
): Changes {
  const rawBody = typeof body === 'string' ? Buffer.from(body, 'utf8') : body;
  const text = webhookSignedText(vector.headers['Svc-Timestamp'], eventId, rawBody);
  return { rawBody, eventId, signature: `v1=${signWebhookText(vector.verifying_secrets[0] ?? '', text)}` };
}

describe('client: webhook verification', () => {
  const plain = vectorNamed('one secret');

  for (const vector of vectors.webhooks) {
    it(`vector: ${vector.name}`, () => {
      const body = Buffer.from(vector.body, 'utf8');
      const { 'Svc-Timestamp': timestamp, 'Svc-Event-Id': eventId } = vector.headers;
      assert.equal(webhookSignedText(timestamp, eventId, body), vector.signed_text);
      const values = vector.signing_secrets.map((secret) => `v1=${signWebhookText(secret, vector.signed_text)}`);
      assert.equal(values.join(','), vector.headers['Svc-Signature']);
      const result = verify(vector);
      assert.ok(result.ok);
      assert.deepEqual(result.event, JSON.parse(vector.body));
    });

    it(`each changed byte is refused: ${vector.name}`, () => {
      const body = Buffer.from(vector.body, 'utf8');
      for (let at = 0; at < body.length; at += 1) {
        const changed = Buffer.from(body);
        changed[at] = (changed[at] ?? 0) ^ 1;
        assert.equal(refusalOf(verify(vector, { rawBody: changed })), 'signature_mismatch', `body byte ${at}`);
      }
      const { 'Svc-Timestamp': timestamp, 'Svc-Event-Id': eventId } = vector.headers;
      assert.equal(refusalOf(verify(vector, { eventId: `${eventId}x` })), 'signature_mismatch');
      assert.equal(refusalOf(verify(vector, { timestamp: String(Number(timestamp) + 1) })), 'signature_mismatch');
      assert.equal(refusalOf(verify(vector, { secrets: ['whsec_other'] })), 'signature_mismatch');
      assert.equal(refusalOf(verify(vector, { secrets: [] })), 'signature_mismatch');
    });
  }

  it('each changed hex digit of a signature is refused', () => {
    const hex = plain.headers['Svc-Signature'].slice('v1='.length);
    for (let at = 0; at < hex.length; at += 1) {
      const changed = hex.slice(0, at) + (hex[at] === '0' ? '1' : '0') + hex.slice(at + 1);
      assert.equal(refusalOf(verify(plain, { signature: `v1=${changed}` })), 'signature_mismatch', `digit ${at}`);
    }
  });

  it('accepts 300 s of difference either way, not 301 s', () => {
    const signedAt = Number(plain.headers['Svc-Timestamp']);
    for (const difference of [-300, 300])
      assert.equal(refusalOf(verify(plain, { nowSeconds: signedAt + difference })), 'accepted');
    for (const difference of [-301, 301]) {
      assert.equal(refusalOf(verify(plain, { nowSeconds: signedAt + difference })), 'timestamp_out_of_window');
    }
  });

  it('a missing or empty header is refused', () => {
    for (const name of ['eventId', 'timestamp', 'signature'] as const) {
      for (const value of [undefined, '', ' ']) {
        assert.equal(refusalOf(verify(plain, { [name]: value })), 'missing_header', `${name}=${String(value)}`);
      }
    }
  });

  it('a malformed header is refused', () => {
    const good = plain.headers['Svc-Signature'];
    const malformed = [
      'v1=',
      good.slice(0, -1),
      `${good}0`,
      good.replace('v1', 'v2'),
      good.toUpperCase(),
      good.slice(3),
      `x${good}`,
      Array(9).fill(good).join(','),
    ];
    for (const signature of malformed)
      assert.equal(refusalOf(verify(plain, { signature })), 'malformed_header', signature);
    for (const timestamp of [
      'x',
      '-5',
      '0',
      `0${plain.headers['Svc-Timestamp']}`,
      '1767225600.5',
      '1e9',
      '9'.repeat(13),
    ]) {
      assert.equal(refusalOf(verify(plain, { timestamp })), 'malformed_header', timestamp);
    }
  });

  it('takes up to eight signatures', () => {
    const good = plain.headers['Svc-Signature'];
    assert.equal(refusalOf(verify(plain, { signature: Array(8).fill(good).join(',') })), 'accepted');
  });

  it('takes a header that came as a list of one, and no list of several', () => {
    const { 'Svc-Event-Id': id, 'Svc-Timestamp': timestamp, 'Svc-Signature': signature } = plain.headers;
    const result = (signatures: readonly string[]) =>
      refusalOf(
        verifyWebhook(
          {
            headers: { 'svc-event-id': [` ${id} `], 'svc-timestamp': [timestamp], 'svc-signature': signatures },
            rawBody: Buffer.from(plain.body, 'utf8'),
          },
          { secrets: plain.verifying_secrets, nowSeconds: Number(timestamp) },
        ),
      );
    assert.equal(result([signature]), 'accepted');
    assert.equal(result([signature, signature]), 'missing_header');
    assert.equal(result([]), 'missing_header');
  });

  it('ignores values of other schemes next to a good one', () => {
    const good = plain.headers['Svc-Signature'];
    assert.equal(refusalOf(verify(plain, { signature: `v2=abc, ${good}` })), 'accepted');
  });

  it('an event id other than the body id differs from a bad signature', () => {
    assert.equal(refusalOf(verify(plain, signedAnew(plain, plain.body, 'evt_other'))), 'event_id_mismatch');
  });

  it('a signed body that is no event is refused as malformed', () => {
    const event = JSON.parse(plain.body) as Record<string, unknown>;
    const { object_id: _removed, ...withoutObject } = event;
    const bodies: (string | Uint8Array)[] = [
      '',
      'null',
      '[]',
      '{}',
      'not json',
      Buffer.from([0x7b, 0xff, 0x7d]),
      JSON.stringify(withoutObject),
      JSON.stringify({ ...event, object_version: '3' }),
      JSON.stringify({ ...event, data: {} }),
      JSON.stringify({ ...event, data: null }),
      JSON.stringify({ ...event, data: { object: null } }),
      JSON.stringify({ ...event, data: { object: [] } }),
      JSON.stringify({ ...event, operation_id: '' }),
      JSON.stringify({ ...event, type: 7 }),
      // A well-formed event but for one byte that is no UTF-8.
      Buffer.concat([
        Buffer.from(plain.body.slice(0, -1)),
        Buffer.from(',"note":"'),
        Buffer.from([0xff]),
        Buffer.from('"}'),
      ]),
    ];
    for (const body of bodies)
      assert.equal(refusalOf(verify(plain, signedAnew(plain, body))), 'malformed_body', String(body));
  });

  it('null is no event', () => assert.equal(isGatewayEvent(null), false));

  it('tolerates unknown fields and unknown event types', () => {
    const event = { ...(JSON.parse(plain.body) as object), type: 'deposit.something_new', added_later: true };
    assert.equal(refusalOf(verify(plain, signedAnew(plain, JSON.stringify(event)))), 'accepted');
  });

  it('an empty secret is a fault, not a key that anybody could sign with', () => {
    assert.throws(() => verify(plain, { secrets: [''] }), RangeError);
  });
});
