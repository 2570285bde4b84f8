// Unrestricted resource consumption: slow, idle, large, deep and many requests, while a well-behaved operator is served
// as before.
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Environment } from '../../environment/environment.js';
import { callbackPath } from '../../environment/provider.js';
import { type Served, servedDuring } from '../../environment/steady-reads.js';
import { openSocket, sendRaw, signedRaw, statusesIn } from '../../environment/raw-http.js';
import type { Scenario, ScenarioContext } from '../../scenario.js';

const SERVED =
  'a well-behaved operator is answered every time, its median stays near what it was, and every process goes on';

export const exhaustion: readonly Scenario[] = [
  attack('slow headers on 300 connections, a byte at a time', false, 'each is ended soon after 10 s', slowHeaders),
  attack('slow bodies on 300 connections, a byte at a time', false, 'each is ended soon after 30 s', slowBodies),
  attack(
    '2,000 connections that say nothing, to both apis and the ingress',
    false,
    'they cost nothing and are ended',
    idleConnections,
  ),
  attack(
    'bodies that are deep, huge, packed, endless or full of parameters',
    true,
    'each is refused in a moment',
    heavyBodies,
  ),
  attack(
    '5,000 forged callbacks at the providers’ ingress',
    false,
    'each is refused; one alert stands for all',
    forgedCallbacks,
  ),
  attack(
    '4,000 requests without a right signature, from a thousand addresses',
    false,
    'each is refused',
    unsignedFlood,
  ),
  attack(
    '4,000 signed requests of one operation, from a thousand addresses',
    false,
    'each is answered, or refused with 429',
    signedFlood,
  ),
];

function attack(
  name: string,
  bounded: boolean,
  holds: string,
  act: (environment: Environment) => Promise<void>,
): Scenario {
  return {
    family: 'security',
    name,
    bounded,
    holds: `${holds}; ${SERVED}`,
    play: (context) => besideSteadyReads(context, act),
  };
}

const USUAL_MS = 2_000;

async function besideSteadyReads(
  { environment }: ScenarioContext,
  act: (environment: Environment) => Promise<void>,
): Promise<void> {
  const { operator, apis, ingresses } = environment;
  const { id } = await operator.deposit();
  const target = `/v1/deposits/${id}`;
  const usual = await servedDuring(operator, target, () => sleep(USUAL_MS));
  const meanwhile = await servedDuring(operator, target, () => act(environment));
  assertServed(usual, meanwhile);
  // Nobody starts one again by itself.
  for (const { name, url } of [...apis, ...ingresses]) assert.ok(await isReady(url), `${name} was ended by it`);
  // It can still do what costs more than reading.
  await operator.reaches(target, ['pending']);
}

function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/healthz`, { signal: AbortSignal.timeout(10_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

function assertServed(usual: Served, { refused, medianMs, slowestMs, answered }: Served): void {
  assert.deepEqual(
    refused.slice(0, 3),
    [],
    `${refused.length} of ${refused.length + answered} requests of the well-behaved operator were not served`,
  );
  assert.ok(answered > 0);
  const limitMs = 10 * usual.medianMs + 500;
  assert.ok(
    medianMs < limitMs,
    `the median of the well-behaved operator rose from ${usual.medianMs.toFixed(0)} ms to ${medianMs.toFixed(0)} ms`,
  );
  assert.ok(slowestMs < 10_000, `one request of the well-behaved operator took ${slowestMs.toFixed(0)} ms`);
}

const portsOf = ({ apis }: Environment) => apis.map(({ spec }) => spec.port);

interface Dripping {
  readonly connections: number;
  readonly head: string;
  readonly everyMs: number;
  /** All of them are over by then. */
  readonly withinMs: number;
}

/** Connections that send a byte now and then; the server must end all of them. */
async function drip(environment: Environment, { connections, head, everyMs, withinMs }: Dripping): Promise<void> {
  const ports = portsOf(environment);
  const open = new Set<Socket>();
  let statuses: number[] = [];
  for (let index = 0; index < connections; index += 1) {
    const socket = openSocket(ports[index % ports.length] as number);
    open.add(socket);
    socket
      .on('data', (chunk: Buffer) => (statuses = [...statuses, ...statusesIn(chunk.toString('latin1'))]))
      .once('close', () => open.delete(socket));
    socket.write(head);
  }
  try {
    for (const deadline = Date.now() + withinMs; open.size > 0 && Date.now() < deadline; await sleep(everyMs))
      open.forEach((socket) => socket.write('a'));
    assert.equal(
      open.size,
      0,
      `${open.size} of ${connections} slow connections are still open after ${withinMs / 1_000} s`,
    );
    assert.deepEqual(
      [...new Set(statuses)].filter((status) => status < 400),
      [],
      'a slow request was answered as if it were right',
    );
  } finally {
    open.forEach((socket) => socket.destroy());
  }
}

function slowHeaders(environment: Environment): Promise<void> {
  return drip(environment, {
    connections: 300,
    head: 'GET /v1/ping HTTP/1.1\r\nHost: gateway.test\r\nX-Slow: ',
    everyMs: 500,
    withinMs: 20_000,
  });
}

function slowBodies(environment: Environment): Promise<void> {
  return drip(environment, {
    connections: 300,
    head: 'POST /v1/deposits HTTP/1.1\r\nHost: gateway.test\r\nContent-Length: 60000\r\n\r\n{',
    everyMs: 500,
    withinMs: 45_000,
  });
}

const IDLE_CONNECTIONS = 2_000;

async function idleConnections(environment: Environment): Promise<void> {
  const ports = [...portsOf(environment), environment.links.callbacks.port];
  const open = new Set<Socket>();
  for (let index = 0; index < IDLE_CONNECTIONS; index += 1) {
    const socket = openSocket(ports[index % ports.length] as number);
    open.add(socket);
    // Read, so that the end of the other side is seen.
    socket.resume().once('close', () => open.delete(socket));
    if (index % 100 === 99) await sleep(10);
  }
  try {
    for (const deadline = Date.now() + 60_000; open.size > 0 && Date.now() < deadline; await sleep(200));
    assert.equal(open.size, 0, `${open.size} of ${IDLE_CONNECTIONS} idle connections are still open after 60 s`);
  } finally {
    open.forEach((socket) => socket.destroy());
  }
}

const DEPTH = 30_000;
const deposit = (more: string) =>
  `{"external_id":"${randomUUID()}",` +
  '"player":{"external_ref":"p","document":{"type":"CPF","number":"52998224725","country":"BR"}},' +
  `"amount":{"amount":"5000","currency":"BRL"},"method":"pix"${more}}`;

/** What a body may cost: rightly signed, each refused with one of these. */
const HEAVY: readonly [
  name: string,
  body: () => string | Buffer,
  headers: readonly string[],
  expected: readonly number[],
][] = [
  ['lists 30,000 deep', () => '['.repeat(DEPTH) + ']'.repeat(DEPTH), [], [400]],
  ['objects 10,000 deep', () => '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000), [], [400]],
  ['an unfinished depth', () => '[{"a":'.repeat(10_000), [], [400]],
  ['a number of 60,000 digits', () => deposit(`,"expires_in_seconds":${'9'.repeat(60_000)}`), [], [400]],
  ['an exponent beyond everything', () => deposit(',"expires_in_seconds":1e999999999'), [], [400]],
  ['an amount of 60,000 digits', () => deposit('').replace('"5000"', `"${'9'.repeat(60_000)}"`), [], [400]],
  ['5,000 fields', () => `{${Array.from({ length: 5_000 }, (_, index) => `"${index}":1`).join()}}`, [], [400]],
  ['the same field 8,000 times', () => `{${Array.from({ length: 8_000 }, () => '"a":1').join()}}`, [], [400]],
  [
    '60,000 characters that patterns stumble over',
    () => deposit(`,"locale":"x"`).replace('"CPF"', `"${'a@'.repeat(30_000)}"`),
    [],
    [400],
  ],
  [
    'an e-mail of 60,000 dots',
    () => deposit('').replace('"external_ref":"p"', `"external_ref":"p","email":"a@${'a.'.repeat(30_000)}"`),
    [],
    [400],
  ],
  [
    'escapes',
    () => deposit(`,"locale":${JSON.stringify('\\u0000')}`).replace('"p"', `"${'\\u0041'.repeat(10_000)}"`),
    [],
    [400],
  ],
  [
    'keys of a prototype',
    () => deposit(',"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}'),
    [],
    [400],
  ],
  [
    'fields that only the gateway sets',
    () =>
      deposit(
        ',"status":"paid","paid_at":"2026-01-01T00:00:00Z","id":"dep_1","version":9,"paid_amount":{"amount":"5000","currency":"BRL"}',
      ),
    [],
    [400],
  ],
  [
    '64 MiB, packed into 64 KiB',
    () => gzipSync(Buffer.alloc(64 * 1024 * 1024, 0x20)).subarray(0, 65_000),
    ['Content-Encoding: gzip'],
    [400],
  ],
  ['packed JSON', () => gzipSync(deposit('')), ['Content-Encoding: gzip'], [400]],
  ['64 KiB and one byte', () => 'x'.repeat(64 * 1024 + 1), [], [413]],
];

async function heavyBodies(environment: Environment): Promise<void> {
  const { signingKey, operation } = await environment.newOperator(
    `attacker-${randomBytes(4).toString('hex')}`,
    'http://127.0.0.1:9/nobody',
  );
  const [port = 0] = portsOf(environment);
  const wrong: string[] = [];
  for (const [name, body, headers, expected] of HEAVY) {
    const bytes = signedRaw(signingKey, {
      method: 'POST',
      target: '/v1/deposits',
      body: body(),
      headers: [...headers, 'Connection: close'],
    });
    const startedMs = performance.now();
    const received = await sendRaw(port, [bytes], { timeoutMs: 20_000 });
    const tookMs = performance.now() - startedMs;
    if (!expected.includes(statusesIn(received)[0] ?? 0) || tookMs > 15_000)
      wrong.push(
        `${name}: ${statusesIn(received).join() || 'no answer'} in ${tookMs.toFixed(0)} ms ${received.slice(-200)}`,
      );
    if (received.length > 64 * 1024) wrong.push(`${name}: an answer of ${received.length} bytes`);
  }
  const query = Array.from({ length: 3_000 }, (_, index) => `a${index}=1`).join('&');
  const many = await sendRaw(
    port,
    [signedRaw(signingKey, { target: `/v1/deposits?${query.slice(0, 14_000)}`, headers: ['Connection: close'] })],
    { timeoutMs: 20_000 },
  );
  if (statusesIn(many)[0] !== 200 && statusesIn(many)[0] !== 400)
    wrong.push(`a query of 3,000 parameters: ${many.slice(0, 200)}`);
  const uninvited = await sendRaw(
    port,
    [
      signedRaw(signingKey, {
        method: 'POST',
        target: '/v1/deposits',
        framing: ['Content-Length: 99999999', 'Expect: 100-continue', 'Connection: close'],
      }),
    ],
    { timeoutMs: 5_000 },
  );
  if (statusesIn(uninvited).join() !== '413')
    wrong.push(`100 MB behind "Expect: 100-continue": ${uninvited.slice(0, 200)}`);
  assert.deepEqual(wrong, []);
  const { rowCount } = await environment.database.query('SELECT 1 FROM deposit WHERE operation_id = $1', [
    operation.operation_id,
  ]);
  assert.equal(rowCount, 0, 'one of them was taken');
}

/** Requests at once, until all of them were answered. */
async function flood(
  requests: number,
  atOnce: number,
  send: (index: number) => Promise<string>,
): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < requests) {
      const [status = 0] = statusesIn(await send((next += 1)));
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return statuses;
}

async function forgedCallbacks(environment: Environment): Promise<void> {
  const { links, database, servers } = environment;
  const body = JSON.stringify({ pix: [{ endToEndId: 'E'.repeat(32), txid: 'a'.repeat(32), valor: '1.00' }] });
  const request =
    `POST ${callbackPath(environment)} HTTP/1.1\r\nHost: gateway.test\r\nContent-Type: application/json\r\n` +
    `Connection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const statuses = await flood(5_000, 40, () => sendRaw(links.callbacks.port, [request], { timeoutMs: 20_000 }));
  // An edge refuses what is beyond its limit with 503: a provider repeats that.
  const refusals = servers.shape === 'cluster' ? [401, 503] : [401];
  assert.deepEqual([...statuses.keys()].sort(), refusals, JSON.stringify([...statuses]));
  const { rows } = await database.query<{ count: string }>(
    `SELECT count(*) FROM alert WHERE kind = 'CALLBACK_FORGED' AND object_id = 'simulator' AND resolved_at IS NULL`,
  );
  assert.equal(rows[0]?.count, '1');
}

async function unsignedFlood(environment: Environment): Promise<void> {
  const ports = portsOf(environment);
  const key = { keyId: environment.operator.signingKey.keyId, secret: randomUUID() };
  const statuses = await flood(4_000, 40, (index) =>
    sendRaw(ports[index % ports.length] as number, [signedRaw(key, { headers: ['Connection: close'] })], {
      timeoutMs: 20_000,
    }),
  );
  assert.deepEqual(
    [...statuses.keys()].filter((status) => status !== 401 && status !== 429),
    [],
    JSON.stringify([...statuses]),
  );
}

async function signedFlood(environment: Environment): Promise<void> {
  const ports = portsOf(environment);
  const { signingKey } = await environment.newOperator(
    `flooding-${randomBytes(4).toString('hex')}`,
    'http://127.0.0.1:9/nobody',
  );
  const statuses = await flood(4_000, 200, (index) =>
    sendRaw(ports[index % ports.length] as number, [signedRaw(signingKey, { headers: ['Connection: close'] })], {
      timeoutMs: 20_000,
    }),
  );
  assert.deepEqual([...statuses.keys()].sort(), [200, 429], JSON.stringify([...statuses]));
}
