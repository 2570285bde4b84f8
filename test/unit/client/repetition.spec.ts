// What refusals say about the payment, and the pauses between repeats. The expectations are the specification's,
// written out.
import assert from 'node:assert/strict';
import { parseRetryAfter, pauseBeforeRepeatMs, type Refusal, verdictOf } from '../../../client/repetition.js';

const refusal = (status: number, code: string, retryable?: boolean, ...fields: string[]): Refusal => ({
  status,
  code,
  retryable,
  errors: fields.map((field) => ({ field })),
});
const KINDS = ['create', 'act', 'other_post', 'read'] as const;

/** Status, code, `retryable`, then what it says on a creation. */
const ON_CREATION: readonly (readonly [number, string, boolean | undefined, string])[] = [
  [401, 'invalid_signature', false, 'nothing_known'],
  [401, 'timestamp_out_of_window', false, 'nothing_known'],
  [401, 'replayed_nonce', false, 'nothing_known'],
  [401, 'unknown_key', false, 'nothing_known'],
  [403, 'ip_not_allowed', false, 'nothing_known'],
  [403, 'insufficient_scope', false, 'nothing_known'],
  [403, 'operation_suspended', false, 'nothing_known'],
  [404, 'not_found', false, 'nothing_known'],
  [409, 'idempotency_key_reused', false, 'nothing_known'],
  [409, 'duplicate_external_id', false, 'payment_exists'],
  [413, 'validation_failed', false, 'nothing_known'],
  [422, 'amount_below_minimum', false, 'payment_decided'],
  [422, 'insufficient_operation_balance', false, 'payment_decided'],
  [422, 'document_mismatch', undefined, 'payment_decided'],
  [400, 'method_not_enabled', false, 'payment_decided'],
  // Nothing that is unknown, or not as it should be, releases a reserve.
  [422, 'a_new_code', false, 'nothing_known'],
  [400, 'a_new_code', true, 'nothing_known'],
  [404, 'unrecognised_answer', undefined, 'nothing_known'],
  [403, 'document_mismatch', false, 'nothing_known'],
  [422, 'constructor', false, 'nothing_known'],
  [409, 'a_new_code', false, 'nothing_known'],
  [413, 'validation_failed', false, 'nothing_known'],
];

const REPEATED: readonly (readonly [number, string, boolean | undefined])[] = [
  [409, 'idempotency_in_progress', true],
  [409, 'idempotency_in_progress', undefined],
  [409, 'day_open', undefined],
  [409, 'a_new_code', true],
  [429, 'rate_limited', undefined],
  [429, 'a_new_code', false],
  [500, 'a_new_code', false],
  [500, 'internal_error', undefined],
  [503, 'service_unavailable', undefined],
  [502, 'unrecognised_answer', undefined],
  [503, 'validation_failed', false],
  [599, 'a_new_code', false],
];

describe('client: what a refusal says about the payment', () => {
  for (const [status, code, retryable, expected] of ON_CREATION) {
    it(`${status} ${code} on a creation: ${expected}`, () =>
      assert.equal(verdictOf(refusal(status, code, retryable), 'create'), expected));
  }

  for (const [status, code, retryable] of REPEATED) {
    it(`${status} ${code} (retryable ${String(retryable)}) is repeated everywhere`, () => {
      for (const kind of KINDS) assert.equal(verdictOf(refusal(status, code, retryable), kind), 'repeat');
    });
  }

  it('validation_failed decides only where every field is of the body: headers are not bound to the key', () => {
    const of = (...fields: string[]) => verdictOf(refusal(400, 'validation_failed', false, ...fields), 'create');
    assert.deepEqual([of('player.email'), of('amount', 'metadata.note')], ['payment_decided', 'payment_decided']);
    for (const fields of [['Idempotency-Key'], ['Content-Type'], [''], [], ['amount', 'Content-Type']])
      assert.equal(of(...fields), 'nothing_known', fields.join());
  });

  it('what acts on a payment, or asks, never decides it: a refused cancel leaves the withdrawal on its way', () => {
    assert.equal(verdictOf(refusal(409, 'invalid_state_transition', false), 'act'), 'payment_exists');
    for (const kind of ['act', 'other_post', 'read'] as const) {
      for (const [status, code, retryable] of ON_CREATION)
        assert.notEqual(verdictOf(refusal(status, code, retryable, 'a'), kind), 'payment_decided');
      assert.equal(verdictOf(refusal(404, 'not_found', false), kind), 'nothing_known');
    }
  });
});

describe('client: pauses', () => {
  it('pauses double from 1 s to 60 s, with jitter over the upper half', () => {
    const longest = [1, 2, 3, 4, 5, 6, 7, 8, 40].map((attempt) => pauseBeforeRepeatMs(attempt, null, 0.999999));
    assert.deepEqual(longest, [1000, 2000, 4000, 8000, 16000, 32000, 60000, 60000, 60000]);
    assert.deepEqual(
      [1, 2, 3, 7].map((attempt) => pauseBeforeRepeatMs(attempt, null, 0)),
      [500, 1000, 2000, 30000],
    );
  });

  it('never comes back before Retry-After', () => {
    assert.equal(pauseBeforeRepeatMs(1, 5, 0), 5000);
    assert.equal(pauseBeforeRepeatMs(9, 5, 0), 5000);
    assert.ok(pauseBeforeRepeatMs(1, 5, 0.9) > 5000);
  });

  it('reads Retry-After as whole seconds only', () => {
    assert.equal(parseRetryAfter('0'), 0);
    assert.equal(parseRetryAfter('120'), 120);
    for (const value of [undefined, '', '-1', '1.5', 'Wed, 21 Oct 2026 07:28:00 GMT', '9'.repeat(10)])
      assert.equal(parseRetryAfter(value), null);
    assert.equal(parseRetryAfter(['5', '6']), null);
  });
});
