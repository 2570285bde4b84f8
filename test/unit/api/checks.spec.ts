// The fourteen checks as a list: its order, each check alone, and every pair of simultaneous faults.
import assert from 'node:assert/strict';
import { type Authentication, CHECKS, type Facts, firstFailure } from '../../../api/middleware/checks.js';
import type { ErrorCode } from '../../../contract/http/errors.js';
import type { RouteDefinition } from '../../../contract/http/route.js';

const route: RouteDefinition = {
  name: 'r',
  method: 'POST',
  path: '/r',
  tag: 'T',
  summary: 'S',
  access: ['deposits:write', 'withdrawals:write'],
  success: {},
  errors: [],
};
const authenticated = {
  kind: 'authenticated',
  operationId: 'op_1',
  operationName: 'Op',
  provider: 'simulator',
  outage: false,
  scopes: ['deposits:write'],
} as const;
const refused = (check: number, code: ErrorCode, retryAfterSeconds?: number): Authentication => ({
  kind: 'refused',
  check,
  code,
  retryAfterSeconds,
});

const right: Facts = {
  environment: 'sandbox',
  nowSeconds: 1_800_000_000,
  source: '203.0.113.9',
  bodyTooLarge: false,
  keyId: 'key_test_abc',
  timestamp: '1800000000',
  nonce: '0123456789abcdef0123456789abcdef',
  signature: `v1=${'a'.repeat(64)}`,
  signatureMatches: true,
  match: { kind: 'route', route, params: {} },
  method: 'POST',
  idempotencyKey: 'k'.repeat(16),
  authentication: authenticated,
};

/** One fault per check; those of Postgres stop its statement, so the earliest of them is the one it reports. */
const FAULTS: Readonly<Record<number, { code: ErrorCode; facts?: Partial<Facts>; authentication?: Authentication }>> = {
  1: { code: 'validation_failed', facts: { bodyTooLarge: true } },
  2: { code: 'rate_limited', authentication: refused(2, 'rate_limited', 1) },
  3: { code: 'unknown_key', facts: { keyId: 'key_live_abc' } },
  4: { code: 'timestamp_out_of_window', facts: { timestamp: '1799999699' } },
  5: { code: 'invalid_signature', facts: { nonce: 'x' } },
  6: { code: 'rate_limited', facts: { signatureMatches: false }, authentication: refused(6, 'rate_limited', 30) },
  7: { code: 'unknown_key', authentication: refused(7, 'unknown_key') },
  8: { code: 'ip_not_allowed', authentication: refused(8, 'ip_not_allowed') },
  9: { code: 'replayed_nonce', authentication: refused(9, 'replayed_nonce') },
  10: { code: 'operation_suspended', authentication: refused(10, 'operation_suspended') },
  11: { code: 'rate_limited', authentication: refused(11, 'rate_limited', 2) },
  12: { code: 'not_found', facts: { match: { kind: 'unknown_path', prefix: 'once' } } },
  13: { code: 'validation_failed', facts: { idempotencyKey: undefined } },
  14: { code: 'service_unavailable', authentication: { ...authenticated, outage: true } },
};

function factsWith(...checks: readonly number[]): Facts {
  const faults = checks.map((check) => FAULTS[check]!);
  const authentication = faults.map((fault) => fault.authentication).find((one) => one !== undefined) ?? authenticated;
  return Object.assign({ ...right, authentication }, ...faults.map(({ facts }) => facts ?? {})) as Facts;
}

describe('the list of checks', () => {
  it('has fourteen, in their order', () =>
    assert.deepEqual(
      CHECKS.map(({ number }) => number),
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14],
    ));
  it('lets a right request pass', () => assert.equal(firstFailure(right), undefined));

  for (const { number, title } of CHECKS) {
    it(`${number}: ${title}`, () => {
      const failure = firstFailure(factsWith(number));
      assert.deepEqual([failure?.number, failure?.problem.code], [number, FAULTS[number]?.code]);
    });
    for (const later of CHECKS.filter((check) => check.number > number)) {
      it(`${number} before ${later.number}`, () =>
        assert.equal(firstFailure(factsWith(number, later.number))?.number, number));
    }
  }

  it('a wrong signature below the limit of failures is invalid_signature', () => {
    const failure = firstFailure({
      ...right,
      signatureMatches: false,
      authentication: refused(6, 'invalid_signature'),
    });
    assert.deepEqual([failure?.number, failure?.problem.code], [6, 'invalid_signature']);
  });

  for (const [title, facts, code] of [
    [
      'one scope of several is enough',
      { authentication: { ...authenticated, scopes: ['withdrawals:write'] } },
      undefined,
    ],
    ['another scope is not', { authentication: { ...authenticated, scopes: ['read'] } }, 'insufficient_scope'],
    ['no scope is not', { authentication: { ...authenticated, scopes: [] } }, 'insufficient_scope'],
    [
      'any key needs no scope',
      {
        authentication: { ...authenticated, scopes: [] },
        match: { kind: 'route', route: { ...route, access: 'any_key' }, params: {} },
      },
      undefined,
    ],
    ['a method that is not offered', { match: { kind: 'unmapped_method', methods: ['GET'] } }, 'insufficient_scope'],
    ['a GET needs no Idempotency-Key', { method: 'GET', idempotencyKey: undefined }, undefined],
    [
      'a sandbox route stays up',
      {
        authentication: { ...authenticated, outage: true },
        match: { kind: 'route', route: { ...route, sandboxOnly: true }, params: {} },
      },
      undefined,
    ],
    ['300 s late', { timestamp: '1799999700' }, undefined],
    ['300 s early', { timestamp: '1800000300' }, undefined],
    ['301 s early', { timestamp: '1800000301' }, 'timestamp_out_of_window'],
    ['a production key in production', { environment: 'production', keyId: 'key_live_A1' }, undefined],
    ['64 characters of a key id', { keyId: `key_test_${'a'.repeat(64)}` }, undefined],
    ['65 characters of a key id', { keyId: `key_test_${'a'.repeat(65)}` }, 'unknown_key'],
  ] as const satisfies readonly (readonly [string, Partial<Facts>, ErrorCode | undefined])[]) {
    it(`${title} → ${code ?? 'passes'}`, () => assert.equal(firstFailure({ ...right, ...facts })?.problem.code, code));
  }
});
