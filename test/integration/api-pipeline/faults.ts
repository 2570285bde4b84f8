// The faults of a request that "Server verification order" names, each with what it answers.

import { type Key, type Pipeline, type Signed } from './harness.js';

export interface Fault {
  readonly check: number;
  readonly title: string;
  readonly expected: readonly [status: number, code: string];
  /** What the fault changes about the request. */
  readonly request?: (signed: Signed) => Signed;
  /** What it changes in the database, for this test's own operation. */
  readonly arrange?: (pipeline: Pipeline, key: Key) => Promise<unknown>;
  /** Faults that one request cannot have at once (they are the same header, or exclude each other). */
  readonly excludes?: readonly string[];
}

export const UNKNOWN_KEY: Key = { keyId: 'key_test_Unknown', secret: 'whatever', operationId: '-' };
export const seconds = (offset: number) => String(Math.floor(Date.now() / 1_000) + offset);
const full = (pipeline: Pipeline, bucket: string) =>
  pipeline.sql.query(
    `INSERT INTO rate_bucket VALUES ($1, now() + interval '1 hour') ON CONFLICT (bucket) DO UPDATE
      SET theoretical_arrival_time = excluded.theoretical_arrival_time`,
    [bucket],
  );
export const unlimited = (pipeline: Pipeline) => pipeline.sql.query('TRUNCATE rate_bucket, signature_failures');

export const FAULTS: readonly Fault[] = [
  {
    check: 1,
    title: 'body over 64 KiB',
    expected: [413, 'validation_failed'],
    request: (signed) => ({ ...signed, body: `{"note":"${'x'.repeat(65_536)}"}` }),
  },
  {
    check: 2,
    title: 'source over its rate',
    expected: [429, 'rate_limited'],
    arrange: (pipeline) => full(pipeline, 'source:127.0.0.1'),
  },
  {
    check: 3,
    title: 'malformed key id',
    expected: [401, 'unknown_key'],
    request: (signed) => ({ ...signed, headers: { ...signed.headers, 'Svc-Key-Id': 'key_test_' } }),
    excludes: ['unknown key'],
  },
  {
    check: 4,
    title: 'old timestamp',
    expected: [401, 'timestamp_out_of_window'],
    request: (signed) => ({ ...signed, timestamp: seconds(-400) }),
  },
  {
    check: 5,
    title: 'malformed nonce',
    expected: [401, 'invalid_signature'],
    request: (signed) => ({ ...signed, nonce: 'A'.repeat(32) }),
    excludes: ['nonce seen before'],
  },
  {
    check: 6,
    title: 'wrong signature',
    expected: [401, 'invalid_signature'],
    request: (signed) => ({ ...signed, signature: `v1=${'0'.repeat(64)}` }),
    excludes: ['unknown key'],
  },
  {
    check: 6,
    title: 'unknown key',
    expected: [401, 'invalid_signature'],
    request: (signed) => ({ ...signed, key: UNKNOWN_KEY }),
    excludes: ['wrong signature', 'malformed key id'],
  },
  {
    check: 7,
    title: 'revoked key',
    expected: [401, 'unknown_key'],
    arrange: (pipeline, { keyId }) =>
      pipeline.sql.query('UPDATE api_key SET revoked_at = now() WHERE key_id = $1', [keyId]),
  },
  {
    check: 8,
    title: 'address outside the allowlist',
    expected: [403, 'ip_not_allowed'],
    arrange: (pipeline, { operationId }) =>
      pipeline.sql.query(`INSERT INTO allowed_network VALUES ($1, '192.0.2.0/24')`, [operationId]),
  },
  {
    check: 9,
    title: 'nonce seen before',
    expected: [401, 'replayed_nonce'],
    request: (signed) => ({ ...signed, nonce: 'd'.repeat(32) }),
    arrange: (pipeline, { keyId }) =>
      pipeline.sql.query('INSERT INTO nonce VALUES ($1, $2, now())', [keyId, 'd'.repeat(32)]),
    excludes: ['malformed nonce'],
  },
  {
    check: 10,
    title: 'suspended operation',
    expected: [403, 'operation_suspended'],
    arrange: (pipeline, { operationId }) =>
      pipeline.sql.query(`UPDATE operation SET status = 'suspended' WHERE id = $1`, [operationId]),
  },
  {
    check: 11,
    title: 'key over its rate',
    expected: [429, 'rate_limited'],
    arrange: (pipeline, { keyId }) => full(pipeline, `write:${keyId}`),
  },
  {
    check: 12,
    title: 'no scope',
    expected: [403, 'insufficient_scope'],
    arrange: (pipeline, { keyId }) =>
      pipeline.sql.query(`UPDATE api_key SET scopes = '{read}' WHERE key_id = $1`, [keyId]),
    excludes: ['unknown path'],
  },
  {
    check: 12,
    title: 'unknown path',
    expected: [404, 'not_found'],
    request: (signed) => ({ ...signed, target: '/v1/nowhere' }),
    excludes: ['no scope'],
  },
  {
    check: 13,
    title: 'no Idempotency-Key',
    expected: [400, 'validation_failed'],
    request: (signed) => ({ ...signed, headers: { ...signed.headers, 'Idempotency-Key': undefined } }),
  },
  {
    check: 14,
    title: 'simulated outage',
    expected: [503, 'service_unavailable'],
    arrange: (pipeline, { operationId }) =>
      pipeline.sql.query('UPDATE operation SET outage = true WHERE id = $1', [operationId]),
  },
];
