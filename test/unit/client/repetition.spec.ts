// The repetition rule as a table, the pauses, and which refusals let a reserve go back.
import assert from 'node:assert/strict';
import { isConclusive, isRepeatable, parseRetryAfter, pauseBeforeRepeatMs } from '../../../client/repetition.js';

const REPEATED: readonly (readonly [number, string, boolean | undefined])[] = [
  [409, 'idempotency_in_progress', true],
  [409, 'idempotency_in_progress', undefined],
  [409, 'day_open', undefined],
  [409, 'a_new_code', true],
  [429, 'rate_limited', undefined],
  [500, 'internal_error', undefined],
  [503, 'service_unavailable', undefined],
  [502, 'unrecognised_answer', undefined],
  [599, 'a_new_code', false],
];

const DECIDED: readonly (readonly [number, string, boolean | undefined])[] = [
  [400, 'validation_failed', false],
  [404, 'not_found', false],
  [409, 'idempotency_key_reused', false],
  [409, 'invalid_state_transition', undefined],
  [412, 'etag_mismatch', false],
  [413, 'validation_failed', false],
  [422, 'insufficient_operation_balance', false],
  [422, 'a_new_code', true],
];

describe('client: repetition rule', () => {
  for (const [status, code, retryable] of REPEATED) {
    it(`${status} ${code} (retryable ${String(retryable)}) is repeated and not conclusive`, () => {
      assert.equal(isRepeatable({ status, code, retryable }), true);
      assert.equal(isConclusive({ status, code, retryable }), false);
    });
  }

  for (const [status, code, retryable] of DECIDED) {
    it(`${status} ${code} (retryable ${String(retryable)}) is a conclusive decision`, () => {
      assert.equal(isRepeatable({ status, code, retryable }), false);
      assert.equal(isConclusive({ status, code, retryable }), true);
    });
  }

  it('a 401 or 403 is not repeated and says nothing of an earlier attempt, perhaps of a process that crashed', () => {
    for (const [status, code] of [[401, 'unknown_key'], [401, 'timestamp_out_of_window'], [403, 'operation_suspended'], [403, 'ip_not_allowed'], [403, 'insufficient_scope']] as const) {
      assert.deepEqual([isRepeatable({ status, code, retryable: false }), isConclusive({ status, code, retryable: false })], [false, false]);
    }
  });

  it('duplicate_external_id and an answer that is not the gateway\'s are decisions, but not conclusive', () => {
    for (const [status, code] of [[409, 'duplicate_external_id'], [404, 'unrecognised_answer']] as const) {
      assert.equal(isRepeatable({ status, code, retryable: undefined }), false);
      assert.equal(isConclusive({ status, code, retryable: undefined }), false);
    }
  });

  it('pauses double from 1 s to 60 s, with jitter over the upper half', () => {
    const longest = [1, 2, 3, 4, 5, 6, 7, 8, 40].map((attempt) => pauseBeforeRepeatMs(attempt, null, 0.999999));
    assert.deepEqual(longest, [1000, 2000, 4000, 8000, 16000, 32000, 60000, 60000, 60000]);
    assert.deepEqual([1, 2, 3, 7].map((attempt) => pauseBeforeRepeatMs(attempt, null, 0)), [500, 1000, 2000, 30000]);
  });

  it('never comes back before Retry-After', () => {
    assert.equal(pauseBeforeRepeatMs(1, 5, 0), 5000);
    assert.equal(pauseBeforeRepeatMs(9, 5, 0), 5000);
    assert.ok(pauseBeforeRepeatMs(1, 5, 0.9) > 5000);
  });

  it('reads Retry-After as whole seconds only', () => {
    assert.equal(parseRetryAfter('0'), 0);
    assert.equal(parseRetryAfter('120'), 120);
    for (const value of [undefined, '', '-1', '1.5', 'Wed, 21 Oct 2026 07:28:00 GMT', '9'.repeat(10)]) assert.equal(parseRetryAfter(value), null);
    assert.equal(parseRetryAfter(['5', '6']), null);
  });
});
