// Any target, query and header: never a 5xx, always a well-formed answer, and no route answers for a path that is not
// its own.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import fc from 'fast-check';
import type { RouteDefinition } from '../../contract/http/route.js';
import { ROUTES } from '../../contract/http/routes.js';
import { type Answer, sign } from '../integration/api-pipeline/harness.js';
import { runs, SEED, timeoutFor } from '../support/properties.js';
import { ADDRESS_HEADER, openWorld, persistently, refusalIn, type World } from './world.js';

const ROUTE_TABLE: readonly RouteDefinition[] = ROUTES;
const SOCKET_TIMEOUT_MS = 20_000;
/** How long an answer may take before the client gives up; Node answers nobody who has closed the sending side. */
const PATIENCE_MS = 8_000;
/** Behind a request these bytes mean nothing; a header that announces more body than there is gets it. */
const PADDING = '\r\n\r\n';

/** The paths of a route, by the specification's words: literal segments as they are, parameters by their patterns. */
function pathPattern({ path, params = {} }: RouteDefinition): RegExp {
  const segments = path.split('/').map((segment) => {
    if (!segment.startsWith(':')) return segment.replaceAll('.', '\\.');
    const pattern = params[segment.slice(1)]?.source.replace(/^\^/, '').replace(/\$$/, '');
    return pattern === undefined ? '(?:[A-Za-z0-9_.:-]|%3[Aa]){1,200}' : `(?:${pattern})`;
  });
  return new RegExp(`^/v1${segments.join('/')}$`);
}
const PATTERNS = ROUTE_TABLE.map((route) => ({ route, pattern: pathPattern(route) }));

/** A value for each parameter of a path. */
const PARAMETERS: readonly (readonly [parameter: string, value: string])[] = [
  ['deposits/:id', 'deposits/dep_1'],
  ['withdrawals/:id', 'withdrawals/wdr_1'],
  ['receipts/:id', 'receipts/rcv_1'],
  ['quotes/:id', 'quotes/fxq_1'],
  [':action', 'pay'],
  [':external_ref', 'p-1'],
];
const PATHS = ROUTE_TABLE.map(
  ({ path }) => `/v1${PARAMETERS.reduce<string>((text, [parameter, value]) => text.replace(parameter, value), path)}`,
);
const SHARDS = [
  '/',
  '//',
  '.',
  '..',
  '/./',
  '/../',
  '%2F',
  '%2f',
  '%2e',
  '%64',
  '%00',
  '%',
  '%zz',
  '%E0%A4%A',
  '%3A',
  '%3a',
  ':',
  ';',
  ';x=1',
  '\\',
  '?',
  '??',
  '#',
  '&',
  '=',
  '+',
  ' '.trim(),
  'A',
  'V1',
  'dep_',
  '*',
  '@',
  '~',
  "'",
  '"',
  '|',
  '{',
  '}',
  '[',
  ']',
  '^',
  '`',
  '<',
  '>',
];
const damage = fc.array(fc.record({ at: fc.nat(), length: fc.nat({ max: 3 }), shard: fc.constantFrom(...SHARDS) }), {
  maxLength: 3,
});
/** `/v1/deposits` and what a careless or hostile client may make of it. */
const targets = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom(...PATHS), damage)
      .map(([path, cuts]) =>
        cuts.reduce(
          (text, { at, length, shard }) =>
            text.slice(0, 1 + (at % text.length)) + shard + text.slice(1 + (at % text.length) + length),
          path,
        ),
      ),
  },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.constantFrom(...SHARDS, 'v1', 'deposits', 'ping', 'sandbox'), { maxLength: 8 })
      .map((shards) => `/${shards.join('')}`),
  },
);
const methods = fc.constantFrom('GET', 'GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD');

describe(`any request (seed ${SEED})`, function () {
  this.timeout(timeoutFor(120_000));
  let world: World;
  before(async () => {
    world = await openWorld();
  });
  after(() => world?.close());

  it('any target and method: a handler runs only for a path that is exactly its own', async () => {
    await fc.assert(
      fc.asyncProperty(methods, targets, async (method, target) => {
        const { answer, ran } = await world.ask({ method, target, body: method === 'POST' ? '{}' : '' });
        const path = target.split('?', 1)[0]!;
        for (const { route } of ran)
          assert.ok(
            PATTERNS.some((one) => one.route.name === route && one.route.method === method && one.pattern.test(path)),
            `${route} ran`,
          );
        if (method === 'HEAD')
          return assert.deepEqual([answer.status >= 400 && answer.status < 500, ran.length], [true, 0]);
        assert.equal(refusalIn(answer) === undefined, ran.length === 1);
        const isKnown = PATTERNS.some(({ route, pattern }) => route.method === method && pattern.test(path));
        if (!isKnown) assert.ok(answer.status === 404 || answer.status === 403, answer.text);
      }),
      runs(300),
    );
  });

  it('any query: each known parameter is read as a URI says or refused, and the same query gets the same answer', async () => {
    const names = [
      'limit',
      'cursor',
      'status',
      'external_id',
      'player_ref',
      'updated_since',
      'after',
      'object_id',
      'date',
      'currency',
      'x',
      '__proto__',
      'constructor',
      'limit%20',
      '%6cimit',
      '',
    ];
    const values = [
      '1',
      '200',
      '201',
      '0',
      '-1',
      '1e2',
      '',
      'BRL',
      'paid',
      'pending',
      '2026-01-01',
      '2026-02-30',
      '2026-01-01T00:00:00Z',
      '2026-01-01T00:00:00%2B03:00',
      'evt_1',
      'dep_1',
      'a+b',
      '%20',
      '%00',
      '%',
      '%ff',
      '%F0%9F%98%80',
      'a=b',
      'a%26b',
    ];
    const any = fc.string({ maxLength: 6 }).map((text) => encodeURIComponent(text));
    const parameter = fc
      .tuple(fc.constantFrom(...names), fc.oneof(fc.constantFrom(...values), any))
      .map(([name, value]) => `${name}=${value}`);
    const reads = ROUTE_TABLE.filter(({ query }) => query !== undefined);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...reads.map(({ name }) => name)),
        fc.array(parameter, { maxLength: 5 }),
        async (name, parameters) => {
          const route = reads.find((one) => one.name === name)!;
          const target = `${PATHS[ROUTE_TABLE.indexOf(route)]}?${parameters.join('&')}`;
          const [first, second] = [await world.ask({ target }), await world.ask({ target })];
          assert.equal(refusalIn(first.answer) === undefined, first.ran.length === 1);
          assert.deepEqual(comparable(first.answer), comparable(second.answer));
          for (const { request } of first.ran) assertReadAsUri(request.query as Record<string, unknown>, parameters);
        },
      ),
      runs(200),
    );
  });

  it('any header bytes: one well-formed answer', async () => {
    const octet = fc.integer({ min: 0, max: 255 });
    const names = fc.oneof(
      fc.constantFrom(
        'Svc-Key-Id',
        'Svc-Timestamp',
        'Svc-Nonce',
        'Svc-Signature',
        'Idempotency-Key',
        'Content-Type',
        'Content-Length',
        'Transfer-Encoding',
        'Host',
        'Expect',
        'If-Match',
        'X',
      ),
      fc.stringMatching(/^[a-zA-Z0-9_-]{1,12}$/),
    );
    const values = fc.oneof(
      fc.array(octet, { maxLength: 24 }).map((octets) => Buffer.from(octets)),
      fc
        .constantFrom(
          '',
          ' ',
          '0',
          '2',
          '-1',
          '0x2',
          '2, 2',
          'chunked',
          'gzip',
          '100-continue',
          'x'.repeat(17_000),
          'key_test_1',
          'v1=',
          '"rules-1"',
        )
        .map((text) => Buffer.from(text)),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('GET', 'POST'),
        fc.array(fc.tuple(names, values), { minLength: 1, maxLength: 3 }),
        async (method, extra) => {
          const { answer, ran } = await persistently(async () => ({
            answer: await exchange(world.pipeline.port, requestWith(world, method, extra)),
            ran: world.taken(),
          }));
          if (answer === undefined) return assert.equal(ran.length, 0);
          assert.equal(refusalIn(answer) === undefined, ran.length === 1, answer.text);
        },
      ),
      runs(200),
    );
  });
});

/** A signed request with these headers in place of its own of the same names. */
function requestWith(world: World, method: string, extra: readonly (readonly [name: string, value: Buffer])[]): Buffer {
  const { key, address } = world.turn();
  const target = method === 'GET' ? '/v1/ping' : '/v1/sandbox/outage';
  const body = method === 'GET' ? '' : '{"down":true}';
  const { headers } = sign({ method, target, body, key });
  const usual = Object.entries({
    ...headers,
    Host: 'x',
    'Content-Length': String(body.length),
    Connection: 'close',
    [ADDRESS_HEADER]: address,
  });
  const replaced = new Set(extra.map(([name]) => name.toLowerCase()));
  const lines = [
    ...usual
      .filter(([name]) => !replaced.has(name.toLowerCase()))
      .map(([name, value]) => Buffer.from(`${name}: ${String(value)}\r\n`)),
    ...extra.map(([name, value]) => Buffer.concat([Buffer.from(`${name}: `), value, Buffer.from('\r\n')])),
  ];
  return Buffer.concat([
    Buffer.from(`${method} ${target} HTTP/1.1\r\n`),
    ...lines,
    Buffer.from(`\r\n${body}${PADDING}`),
  ]);
}

function comparable({ status, json }: Answer): unknown {
  return [status, { ...json, trace_id: null }];
}

/** Every parameter that a handler got was sent once, and is what `decodeURIComponent` makes of it. */
function assertReadAsUri(query: Record<string, unknown>, parameters: readonly string[]): void {
  for (const [name, value] of Object.entries(query)) {
    const sent = parameters
      .map((parameter) => parameter.split(/=(.*)/s))
      .filter(([sentName]) => decoded(sentName ?? '') === name);
    if (sent.length === 0) continue;
    assert.equal(sent.length, 1, `${name} was sent twice`);
    const text = decoded(sent[0]![1] ?? '') ?? '';
    // A time may be written in many ways: the moment counts.
    if (name === 'updated_since') assert.equal(Date.parse(String(value)), Date.parse(text));
    else assert.equal(String(value), text);
  }
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Writes the bytes and reads the answer; undefined when the request never became whole. */
function exchange(port: number, bytes: Buffer): Promise<Answer | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const chunks: Buffer[] = [];
    const patience = setTimeout(() => socket.end(), PATIENCE_MS);
    const timer = setTimeout(() => socket.destroy(new Error('no answer in time')), SOCKET_TIMEOUT_MS);
    socket.on('data', (chunk) => chunks.push(chunk)).on('error', reject);
    socket.on('close', () => {
      clearTimeout(patience);
      clearTimeout(timer);
      resolve(parsed(Buffer.concat(chunks).toString('latin1')));
    });
    socket.write(bytes);
  });
}

function parsed(received: string): Answer | undefined {
  const text = received.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '');
  if (text === '') return undefined;
  const [head = '', body = ''] = text.split(/\r\n\r\n(.*)/s);
  const [, status = '0'] = /^HTTP\/1\.1 ([0-9]{3}) /.exec(head) ?? [];
  const headers = Object.fromEntries(
    head
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(/: (.*)/s))
      .map(([name = '', value = '']) => [name.toLowerCase(), value]),
  );
  const bytes = Buffer.from(body, 'latin1').toString('utf8');
  const json = bytes === '' ? undefined : (JSON.parse(bytes) as Record<string, unknown>);
  return { status: Number(status), headers, text: bytes, json, code: json?.['code'] };
}
