// Unrestricted resource consumption: slow and idle connections, while a well-behaved operator is served as before.
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../environment/environment.js';
import { type ReadsResult, servedDuring } from '../environment/steady-reads.js';
import type { Scenario } from '../scenario.js';

const SERVED =
  'a well-behaved operator is answered every time, its median stays near what it was, and every process goes on';

export const exhaustion: readonly Scenario[] = [
  attack('slow headers on 300 connections, a byte at a time', 'each is ended soon after 10 s', slowHeaders),
  attack('slow bodies on 300 connections, a byte at a time', 'each is ended soon after 30 s', slowBodies),
  attack(
    '2,000 connections that say nothing, to both apis and the ingress',
    'they cost nothing and are ended',
    idleConnections,
  ),
];

function attack(name: string, holds: string, act: (environment: Environment) => Promise<void>): Scenario {
  return {
    name,
    holds: `${holds}; ${SERVED}`,
    play: (environment) => besideSteadyReads(environment, act),
  };
}

const USUAL_MS = 2_000;

async function besideSteadyReads(
  environment: Environment,
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

function assertServed(usual: ReadsResult, { refused, medianMs, slowestMs, answered }: ReadsResult): void {
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

let used = 0;

/** From an address of this machine that was not used lately: rates count by address. Its errors are its own business. */
function openSocket(port: number): Socket {
  used += 1;
  const localAddress = `127.66.${Math.floor(used / 250) % 250}.${1 + (used % 250)}`;
  return connect({ port, host: '127.0.0.1', localAddress }).on('error', () => undefined);
}

/** The status codes of all answers in what came back. */
function statusesIn(received: string): number[] {
  return Array.from(received.matchAll(/HTTP\/1\.[01] (\d{3}) /g), ([, status]) => Number(status));
}
