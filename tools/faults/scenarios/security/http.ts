// HTTP that means one thing to one program and another to the next: framing, targets, headers. Every request is rightly
// signed.
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import type { SigningKey } from '../../../../client/signing.js';
import { newPlayer } from '../../../harness/payments.js';
import type { Environment } from '../../environment/environment.js';
import type { Operator } from '../../environment/operator.js';
import { type RawRequest, sendRaw, signedRaw, statusesIn } from '../../environment/raw-http.js';
import type { Scenario, ScenarioContext } from '../../scenario.js';

interface Attack {
  readonly name: string;
  readonly bytes: (key: SigningKey) => readonly (string | Buffer)[];
  /** Every answer has one of these states. */
  readonly allowed: readonly number[];
  /** How many answers may come; default 1. */
  readonly answers?: number;
  /** Must not occur in the answer. */
  readonly never?: RegExp;
}

const REFUSED = [400, 401, 403, 404] as const;

function scenario(name: string, bounded: boolean, holds: string, attacks: readonly Attack[]): Scenario {
  return { family: 'security', name, holds, bounded, play: (context) => play(context, attacks) };
}

async function play({ environment, random }: ScenarioContext, attacks: readonly Attack[]): Promise<void> {
  const attacker = await environment.newOperator(
    `attacker-${randomBytes(4).toString('hex')}`,
    'http://127.0.0.1:9/nobody',
  );
  const wrong: string[] = [];
  for (const attack of random.shuffled(attacks)) wrong.push(...(await tried(environment, attacker, attack)));
  assert.deepEqual(wrong, []);
  const { rows } = await environment.database.query('SELECT id FROM deposit WHERE operation_id = $1', [
    attacker.operation.operation_id,
  ]);
  assert.deepEqual(rows, [], 'an attack has created a deposit');
  await assertStillServed(environment, attacker);
}

async function tried(
  { apis }: Environment,
  { signingKey }: Operator,
  { name, bytes, allowed, answers = 1, never }: Attack,
): Promise<string[]> {
  const url = new URL(apis[0].url);
  // One more answer than there may be would come right behind; a connection that stays open is not waited for.
  const enough = (text: string) => answers > 1 && statusesIn(text).length >= answers && text.endsWith('}');
  const received = await sendRaw(Number(url.port), bytes(signingKey), { timeoutMs: 10_000, until: enough });
  const statuses = statusesIn(received);
  const problems: string[] = [];
  if (statuses.length > answers) problems.push(`${name}: ${statuses.length} answers (${statuses.join(', ')})`);
  if (statuses.length === 0) problems.push(`${name}: no answer`);
  if (statuses.some((status) => !allowed.includes(status)))
    problems.push(`${name}: ${statuses.join(', ')} ${received.slice(-300)}`);
  if (never?.test(received) === true) problems.push(`${name}: the answer holds ${String(never)}`);
  return problems;
}

async function assertStillServed({ apis }: Environment, { signingKey }: Operator): Promise<void> {
  for (const { spec } of apis) {
    const received = await sendRaw(spec.port, [signedRaw(signingKey, { headers: ['Connection: close'] })]);
    assert.deepEqual(statusesIn(received), [200], received.slice(0, 300));
  }
}

/** A deposit that would be created if it were taken for a request. */
function depositBody(): string {
  return JSON.stringify({
    external_id: randomUUID(),
    player: newPlayer(),
    amount: { amount: '5000', currency: 'BRL' },
    method: 'pix',
  });
}

const CLOSE = 'Connection: close';
const INNER = 'GET /v1/openapi.yaml HTTP/1.1\r\nHost: gateway.test\r\nConnection: close\r\n\r\n';

function smuggling(): Attack[] {
  const framed = (name: string, ...framing: string[]): Attack => ({
    name,
    allowed: [400, 401, 413, 501],
    bytes: (key) => [
      signedRaw(key, { method: 'POST', target: '/v1/deposits', body: depositBody(), framing: [...framing, CLOSE] }),
    ],
  });
  const chunked = (name: string, text: string): Attack => ({
    name,
    allowed: [400, 401],
    bytes: (key) => [
      signedRaw(key, { method: 'POST', target: '/v1/deposits', framing: ['Transfer-Encoding: chunked', CLOSE] }),
      text,
    ],
  });
  return [
    framed('Content-Length and chunks', 'Content-Length: 5', 'Transfer-Encoding: chunked'),
    framed('chunks and Content-Length', 'Transfer-Encoding: chunked', 'Content-Length: 5'),
    framed('two Content-Lengths', 'Content-Length: 2', 'Content-Length: 200'),
    framed('the same Content-Length twice', 'Content-Length: 20', 'Content-Length: 20'),
    framed('a list of Content-Lengths', 'Content-Length: 2, 2'),
    framed('a Content-Length with a sign', 'Content-Length: +20'),
    framed('a negative Content-Length', 'Content-Length: -1'),
    framed('a Content-Length in hex', 'Content-Length: 0x20'),
    framed('a Content-Length with a fraction', 'Content-Length: 20.0'),
    framed('a Content-Length beyond 64 bits', 'Content-Length: 99999999999999999999999'),
    framed('a Content-Length behind a space', 'Content-Length : 20'),
    framed('a coding that is not chunked', 'Transfer-Encoding: xchunked'),
    framed('chunked behind a tab', 'Transfer-Encoding:\x0bchunked'),
    framed('chunked behind a space', 'Transfer-Encoding : chunked'),
    framed('chunked before identity', 'Transfer-Encoding: chunked, identity'),
    framed('chunked twice', 'Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'),
    framed('gzip before chunked', 'Transfer-Encoding: gzip, chunked'),
    framed('chunked folded', 'Transfer-Encoding:\r\n chunked'),
    chunked('a chunk size with a sign', '+5\r\nhello\r\n0\r\n\r\n'),
    chunked('a chunk size of 17 digits', '10000000000000005\r\nhello\r\n0\r\n\r\n'),
    chunked('a chunk that is longer than it says', '2\r\nhello\r\n0\r\n\r\n'),
    chunked('chunks with bare line feeds', '5\nhello\n0\n\n'),
    chunked('a trailer that would sign', '0\r\nSvc-Key-Id: x\r\nIdempotency-Key: 0123456789abcdef\r\n\r\n'),
    {
      // The outer request is whole and refused or answered; what follows is a request without a signature, to a route
      // that needs one.
      name: 'a second request behind the body',
      allowed: REFUSED,
      answers: 2,
      bytes: (key) => [
        signedRaw(key, { method: 'POST', target: '/v1/deposits', framing: ['Content-Length: 0'] }),
        INNER.replace('/v1/openapi.yaml', '/v1/balances'),
      ],
    },
    {
      name: 'a request as the body of a GET',
      allowed: [200, 400, 401],
      answers: 1,
      never: /openapi:/,
      bytes: (key) => [signedRaw(key, { body: INNER, headers: [CLOSE] })],
    },
    {
      name: 'an upgrade to another protocol, with bytes behind it',
      allowed: [200, 400],
      answers: 1,
      never: /101 Switching/,
      bytes: (key) => [
        signedRaw(key, {
          headers: [
            'Upgrade: h2c',
            'Connection: Upgrade, HTTP2-Settings, close',
            'HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA',
          ],
        }),
        'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      ],
    },
  ];
}

const OTHER_PATHS = [
  '/v1/../v1/ping',
  '/v1/./ping',
  '/v1//ping',
  '//v1/ping',
  '/v1/ping/',
  '/v1/PING',
  '/V1/ping',
  '/v1/%70ing',
  '/v1/ping;x=1',
  '/v1/ping%2f',
  '/v1%2fping',
  '/v1/ping%00',
  '/v1/ping%20',
  '/v1/ping.json',
  '/v1/deposits/..%2fping',
  '/v1/deposits/%2e%2e/ping',
  '/v1/deposits/../balances',
  '/v1\\ping',
  '/v1/ping#x',
  '/v1/sandbox/../ping',
  '/v1/%2e%2e/ping',
  '/v1/ping%252f',
  '/v1/%c0%af',
  '/v1/ping/%2e',
  '/ping',
  '/',
  '/v2/ping',
  '/v1',
  '/.env',
  '/.git/config',
  '/metrics',
  '/livez',
  '/healthz/',
  '/docs/../v1/ping',
  '/control/books',
  '/callbacks/simulator/pix',
  '/actuator',
  '/debug/pprof',
  '/v1/rules/change-requests/x',
  '/v1/deposits/dep_1/pay',
  '/v1/webhooks',
  '/v1/keys',
  '/v1/operations',
] as const;

function paths(): Attack[] {
  const signed = (name: string, request: RawRequest, allowed: readonly number[], never?: RegExp): Attack => ({
    name,
    allowed,
    ...(never === undefined ? {} : { never }),
    bytes: (key) => [signedRaw(key, { ...request, headers: [...(request.headers ?? []), CLOSE] })],
  });
  return [
    ...OTHER_PATHS.map((target) => signed(target, { target }, [400, 403, 404], /"server_time"|"data":/)),
    signed(
      'a whole address as the target, signed as it is',
      { target: 'http://evil.test/v1/ping', signedTarget: '/v1/ping' },
      REFUSED,
      /"server_time"/,
    ),
    signed(
      'an authority as the target',
      { method: 'CONNECT', target: 'evil.test:443', signedTarget: '/v1/ping' },
      REFUSED,
    ),
    signed('an asterisk as the target', { method: 'OPTIONS', target: '*', signedTarget: '/v1/ping' }, REFUSED),
    signed('a path without a slash', { target: 'v1/ping', signedTarget: '/v1/ping' }, REFUSED),
    signed('NUL in the path', { target: '/v1/ping\0', signedTarget: '/v1/ping' }, REFUSED),
    signed('a space in the path', { target: '/v1/ping /v1/balances', signedTarget: '/v1/ping' }, REFUSED),
    signed('bytes beyond ASCII in the path', { target: '/v1/p\xefng', signedTarget: '/v1/ping' }, REFUSED),
    ...(['HEAD', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'OPTIONS', 'PROPFIND'] as const).map((method) =>
      signed(
        `${method}, as a page of another origin would`,
        { method, headers: ['Origin: https://evil.test', 'Access-Control-Request-Method: POST'] },
        [400, 403, 404],
        /access-control-|evil\.test/i,
      ),
    ),
    signed('a GET of another origin', { headers: ['Origin: https://evil.test'] }, [200], /access-control-/i),
    signed('a method in lower case', { method: 'get' }, REFUSED),
    signed(
      'another method by header',
      { headers: ['X-HTTP-Method-Override: POST', 'X-Original-URL: /v1/balances', 'X-Rewrite-URL: /v1/balances'] },
      [200],
      /"available"/,
    ),
    { name: 'HTTP/0.9', allowed: [400, 401], bytes: () => ['GET /v1/ping\r\n\r\n'] },
    { name: 'the preface of HTTP/2', allowed: [400], bytes: () => ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'] },
    { name: 'a TLS hello', allowed: [400], bytes: () => [Buffer.from('16030100c8010000c40303', 'hex'), '\r\n\r\n'] },
    signed('HTTP/1.0', { version: '1.0' }, [200]),
    {
      name: 'five requests in one write',
      allowed: [200],
      answers: 5,
      bytes: (key) => [
        Buffer.concat([...Array.from({ length: 4 }, () => signedRaw(key, {})), signedRaw(key, { headers: [CLOSE] })]),
      ],
    },
  ];
}

function headers(): Attack[] {
  const one = (name: string, request: RawRequest, allowed: readonly number[] = REFUSED, never?: RegExp): Attack => ({
    name,
    allowed,
    ...(never === undefined ? {} : { never }),
    bytes: (key) => [signedRaw(key, { ...request, headers: [...(request.headers ?? []), CLOSE] })],
  });
  const twice = (name: string, value: string): Attack => one(`${name} twice`, { headers: [`${name}: ${value}`] });
  const post = { method: 'POST', target: '/v1/deposits' } as const;
  return [
    twice('Svc-Signature', `v1=${'0'.repeat(64)}`),
    twice('Svc-Key-Id', 'key_test_other'),
    twice('Svc-Timestamp', String(Math.floor(Date.now() / 1_000))),
    twice('Svc-Nonce', '0'.repeat(32)),
    one(
      'the Idempotency-Key twice',
      { ...post, body: depositBody(), headers: ['Idempotency-Key: 0123456789abcdef0'] },
      [400],
    ),
    one('Content-Type twice', { ...post, body: depositBody(), headers: ['Content-Type: text/plain'] }, [400]),
    one('a folded header', { headers: ['X-Folded: a\r\n Svc-Key-Id: b'] }, [200, 400]),
    one('a header with a space before its colon', { headers: ['X-Spaced : a'] }, [400]),
    one('a header without a colon', { headers: ['Nonsense'] }, [400]),
    one('a header with a bare carriage return', { headers: ['X-Split: a\rSvc-Key-Id: b'] }, [400]),
    one('a header with NUL', { headers: ['X-Nul: a\0b'] }, [400]),
    one('headers over 16 KiB', { headers: [`X-Long: ${'a'.repeat(20_000)}`] }, [400, 431]),
    one(
      'three thousand headers',
      { headers: Array.from({ length: 3_000 }, (_, index) => `X${index}: a`) },
      [200, 400, 431],
    ),
    one('another Host', { headers: ['Host: evil.test'] }, [400], /evil\.test/),
    one(
      'a Host with everything in it',
      { headers: ['X-Forwarded-Host: evil.test', 'X-Forwarded-Proto: http', 'X-Forwarded-Prefix: /evil'] },
      [200],
      /evil/,
    ),
    one(
      'an underscore for a hyphen',
      { forge: ({ 'Svc-Key-Id': id = '', ...rest }) => ({ ...rest, Svc_Key_Id: id }) },
      [401],
    ),
    one('the credential in the query', { target: '/v1/ping?Svc-Key-Id=x', forge: () => ({}) }, [401]),
    one('a basic credential', { forge: () => ({ Authorization: 'Basic YWRtaW46YWRtaW4=' }) }, [401]),
    one('a cookie', { forge: () => ({ Cookie: 'session=admin; Svc-Key-Id=x' }) }, [401]),
  ];
}

export const http: readonly Scenario[] = [
  scenario(
    'smuggled requests and bent framing',
    true,
    'nothing inside a request becomes a request of its own with a signature, and none of them creates anything',
    smuggling(),
  ),
  scenario('paths and targets that mean another path', false, 'only the exact paths of the routes answer', paths()),
  scenario(
    'headers twice, folded, with spaces, spoofed',
    false,
    'what stands twice or crooked is refused; no header says who calls but the signature, and none where from',
    headers(),
  ),
];
