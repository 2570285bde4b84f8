// Broken authentication and authorisation: forged, old or replayed signatures, revoked keys, missing scopes, wrong
// addresses.
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { type RouteDefinition, SCOPES } from '../../../../contract/http/route.js';
import { ROUTES } from '../../../../contract/http/routes.js';
import type { SigningKey } from '../../../../client/signing.js';
import type { Environment } from '../../environment/environment.js';
import { attackerAddress, type RawRequest, sendRaw, signedRaw, statusesIn } from '../../environment/raw-http.js';
import { callOnce, plainly } from '../../environment/requests.js';
import type { Scenario, ScenarioContext } from '../../scenario.js';

export const authentication: readonly Scenario[] = [
  {
    family: 'security',
    name: 'signatures that are forged, bent, old or of another algorithm',
    bounded: true,
    holds: 'each is refused with its own code, at either api',
    play: forged,
  },
  {
    family: 'security',
    name: 'a request that somebody has recorded and sends again',
    bounded: false,
    holds: 'it has its effect once, at whichever api it is sent again',
    play: replayed,
  },
  {
    family: 'security',
    name: 'guessing: wrong signatures from one address',
    bounded: false,
    holds: 'after 20 in a minute they are answered 429; the owner of the key is served from the same address',
    play: guessed,
  },
  {
    family: 'security',
    name: 'a key that is revoked, and an operation that is suspended',
    bounded: false,
    holds: 'both are refused at once by both apis',
    play: revoked,
  },
  {
    family: 'security',
    name: 'every scope on every route',
    bounded: false,
    holds: 'a key passes where its scope covers the route and is refused everywhere else',
    play: scoped,
  },
  {
    family: 'security',
    name: 'an allowlist, and headers that claim an address on it',
    bounded: false,
    holds: 'the socket’s address alone counts',
    play: spoofed,
  },
];

const CLOSE = 'Connection: close';
const portOf = (environment: Environment, api: number) => Number(new URL(environment.apis[api === 0 ? 0 : 1].url).port);
const newAttacker = (environment: Environment, ...more: string[]) =>
  environment.newOperator(`attacker-${randomBytes(4).toString('hex')}`, 'http://127.0.0.1:9/nobody', ...more);

async function codeOf(
  environment: Environment,
  key: SigningKey,
  request: RawRequest,
  api = 0,
  from?: string,
): Promise<string> {
  const received = await sendRaw(
    portOf(environment, api),
    [signedRaw(key, { ...request, headers: [...(request.headers ?? []), CLOSE] })],
    { timeoutMs: 10_000, ...(from === undefined ? {} : { from }) },
  );
  return `${statusesIn(received).join()} ${/"code":"(\w+)"/.exec(received)?.[1] ?? ''}`.trim();
}

/** What is changed of a rightly signed request, and what it is answered. */
function forgeries(keyId: string): readonly [name: string, request: RawRequest, expected: string][] {
  const now = Math.floor(Date.now() / 1_000);
  const change = (name: string, edit: (value: string) => string | null): RawRequest => ({
    forge: (signed) =>
      Object.fromEntries(
        Object.entries(signed).flatMap(([header, value]) =>
          header !== name ? [[header, value]] : edit(value) === null ? [] : [[header, edit(value) as string]],
        ),
      ),
  });
  const [signature, stamp, nonce, id] = [
    (edit: (value: string) => string | null) => change('Svc-Signature', edit),
    (edit: (value: string) => string | null) => change('Svc-Timestamp', edit),
    (edit: (value: string) => string | null) => change('Svc-Nonce', edit),
    (edit: (value: string) => string | null) => change('Svc-Key-Id', edit),
  ];
  return [
    ['no signature', signature(() => null), '401 invalid_signature'],
    ['an empty signature', signature(() => ''), '401 invalid_signature'],
    ['another version', signature((value) => value.replace('v1', 'v2')), '401 invalid_signature'],
    ['no algorithm', signature((value) => value.replace('v1=', 'none=')), '401 invalid_signature'],
    ['the digest without its version', signature((value) => value.slice(3)), '401 invalid_signature'],
    ['a shorter signature', signature((value) => value.slice(0, -2)), '401 invalid_signature'],
    ['a longer signature', signature((value) => `${value}00`), '401 invalid_signature'],
    [
      'one nibble wrong',
      signature((value) => value.slice(0, -1) + (value.endsWith('0') ? '1' : '0')),
      '401 invalid_signature',
    ],
    ['in capitals', signature((value) => value.toUpperCase()), '401 invalid_signature'],
    ['two signatures in one', signature((value) => `${value},${value}`), '401 invalid_signature'],
    [
      'in base64',
      signature((value) => `v1=${Buffer.from(value.slice(3), 'hex').toString('base64')}`),
      '401 invalid_signature',
    ],
    ['signed for another path', { target: '/v1/balances', signedTarget: '/v1/ping' }, '401 invalid_signature'],
    [
      'signed for another query',
      { target: '/v1/deposits?limit=1', signedTarget: '/v1/deposits?limit=2' },
      '401 invalid_signature',
    ],
    ['signed for the path without its prefix', { target: '/v1/ping', signedTarget: '/ping' }, '401 invalid_signature'],
    ['another time than signed', stamp((value) => String(Number(value) - 1)), '401 invalid_signature'],
    ['another nonce than signed', nonce(() => randomBytes(16).toString('hex')), '401 invalid_signature'],
    ['301 s old', { timestampSeconds: now - 302 }, '401 timestamp_out_of_window'],
    ['302 s early', { timestampSeconds: now + 330 }, '401 timestamp_out_of_window'],
    ['in milliseconds', stamp((value) => `${value}000`), '401 timestamp_out_of_window'],
    ['with a leading zero', stamp((value) => `0${value}`), '401 timestamp_out_of_window'],
    ['with a sign', stamp((value) => `+${value}`), '401 timestamp_out_of_window'],
    ['with an exponent', stamp((value) => `${value}e0`), '401 timestamp_out_of_window'],
    ['with a fraction', stamp((value) => `${value}.0`), '401 timestamp_out_of_window'],
    ['no time', stamp(() => null), '401 timestamp_out_of_window'],
    ['a nonce in capitals', nonce((value) => `${value.slice(1)}A`), '401 invalid_signature'],
    ['a nonce too short', nonce((value) => value.slice(1)), '401 invalid_signature'],
    ['no nonce', nonce(() => null), '401 invalid_signature'],
    ['no key id', id(() => null), '401 unknown_key'],
    ['a production key', id((value) => value.replace('key_test_', 'key_live_')), '401 unknown_key'],
    ['a key id with more behind it', id((value) => `${value}' OR '1'='1`), '401 unknown_key'],
    ['a key id beyond ASCII', id((value) => `${value}é`), '401 unknown_key'],
    ['a key that does not exist', id(() => `key_test_${randomBytes(12).toString('hex')}`), '401 invalid_signature'],
    [
      'a key id in another case',
      id((value) => value.replace(/[a-z](?=[^a-z]*$)/, (letter) => letter.toUpperCase())),
      keyId === keyId.toUpperCase() ? '' : '401 invalid_signature',
    ],
  ];
}

async function forged({ environment }: ScenarioContext): Promise<void> {
  const { signingKey } = await newAttacker(environment);
  const wrong: string[] = [];
  for (const [index, [name, request, expected]] of forgeries(signingKey.keyId.slice('key_test_'.length)).entries()) {
    const code = await codeOf(environment, signingKey, request, index % 2);
    if (code !== expected) wrong.push(`${name}: ${code} and not ${expected}`);
  }
  assert.deepEqual(wrong, []);
  assert.equal(await codeOf(environment, signingKey, {}), '200');
}

async function replayed({ environment }: ScenarioContext): Promise<void> {
  const { signingKey, operation } = await newAttacker(environment);
  const body = JSON.stringify({ down: false });
  const recorded = signedRaw(signingKey, { method: 'POST', target: '/v1/sandbox/outage', body, headers: [CLOSE] });
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      sendRaw(portOf(environment, index % 2), [recorded], { timeoutMs: 15_000 }),
    ),
  );
  const codes = answers
    .map((received) => `${statusesIn(received).join()} ${/"code":"(\w+)"/.exec(received)?.[1] ?? ''}`.trim())
    .sort();
  assert.equal(codes[0], '200');
  assert.deepEqual(
    codes.slice(1),
    Array.from({ length: 29 }, () => '401 replayed_nonce'),
  );
  const { rows } = await environment.database.query<{ count: string }>(
    'SELECT count(*) FROM idempotency_key WHERE operation_id = $1',
    [operation.operation_id],
  );
  assert.equal(rows[0]?.count, '1');
}

/** Failures in a minute from one address that are answered 401. */
const GUESSES = 20;

async function guessed({ environment, random }: ScenarioContext): Promise<void> {
  const { signingKey } = await newAttacker(environment);
  const from = attackerAddress(60_000 + random.below(2_000));
  const codes: string[] = [];
  for (let guess = 0; guess < GUESSES + 8; guess += 1)
    codes.push(await codeOf(environment, { ...signingKey, secret: randomUUID() }, {}, guess % 2, from));
  assert.deepEqual(codes, [
    ...Array.from({ length: GUESSES }, () => '401 invalid_signature'),
    ...Array.from({ length: 8 }, () => '429 rate_limited'),
  ]);
  assert.equal(await codeOf(environment, signingKey, {}, 0, from), '200');
}

async function revoked({ environment }: ScenarioContext): Promise<void> {
  const { signingKey, operation } = await newAttacker(environment);
  const other = await newAttacker(environment);
  for (const api of [0, 1]) assert.equal(await codeOf(environment, signingKey, {}, api), '200');
  await environment.gateway('key', 'revoke', signingKey.keyId, '--as', 'ana');
  for (const api of [0, 1])
    assert.equal(await codeOf(environment, signingKey, {}, api), '401 unknown_key', operation.operation_id);
  await environment.gateway('operation', 'suspend', other.operation.operation_id, '--as', 'ana');
  for (const api of [0, 1])
    assert.equal(await codeOf(environment, other.signingKey, {}, api), '403 operation_suspended');
  await environment.gateway('operation', 'resume', other.operation.operation_id, '--as', 'ana');
  assert.equal(await codeOf(environment, other.signingKey, {}), '200');
}

async function scoped({ environment }: ScenarioContext): Promise<void> {
  const { operation } = await newAttacker(environment);
  const wrong: string[] = [];
  for (const scope of SCOPES) {
    const made = await environment.gateway(
      'key',
      'create',
      '--operation',
      operation.operation_id,
      '--scopes',
      scope,
      '--as',
      'ana',
    );
    const key = { keyId: String(made['key_id']), secret: String(made['secret']) };
    for (const route of ROUTES as readonly RouteDefinition[]) {
      const covered = typeof route.access === 'string' || route.access.includes(scope);
      const path = route.path
        .replace('deposits/:id', 'deposits/dep_1')
        .replace('withdrawals/:id', 'withdrawals/wdr_1')
        .replace(':id', 'x_1')
        .replace(':action', 'pay')
        .replace(':external_ref', 'nobody');
      const target = `/v1${path}`;
      const code = await codeOf(environment, key, {
        method: route.method,
        target,
        ...(route.method === 'POST' ? { body: '[]' } : {}),
      });
      if (code.includes('insufficient_scope') === covered) wrong.push(`${route.name} with ${scope}: ${code}`);
      if (code.startsWith('5') || code === '') wrong.push(`${route.name}: ${code}`);
    }
  }
  assert.deepEqual(wrong, []);
}

const CLAIMS = [
  'X-Forwarded-For',
  'X-Real-IP',
  'X-Client-IP',
  'True-Client-IP',
  'CF-Connecting-IP',
  'X-Client-Address',
  'Svc-Client-Address',
  'X-Edge-Client-Address',
  'X-Originating-IP',
  'Forwarded',
] as const;

async function spoofed({ environment }: ScenarioContext): Promise<void> {
  const { signingKey } = await newAttacker(environment, '--allow', '198.51.100.0/24');
  for (const header of CLAIMS) {
    const value = header === 'Forwarded' ? 'for=198.51.100.7' : '198.51.100.7';
    assert.equal(
      await codeOf(environment, signingKey, { headers: [`${header}: ${value}`] }),
      '403 ip_not_allowed',
      header,
    );
  }
  // Without the right signature nobody learns that an allowlist would refuse the request.
  const answer = await callOnce(
    plainly(portOf(environment, 0)),
    { ...signingKey, secret: randomUUID() },
    { method: 'GET', target: '/v1/ping' },
  );
  assert.ok(answer?.status === 401 || answer?.status === 429, answer?.text);
}
