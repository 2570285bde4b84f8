// Unrestricted resource consumption: slow and idle connections, while a well-behaved operator is served as before.
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../environment/environment.js';
import { type ReadsResult, servedDuring } from '../environment/steady-reads.js';
import type { Scenario } from '../scenario.js';

const SERVED =
  'a well-behaved operator is answered every time, its median stays near what it was, and every process goes on';

/** Connections that the server must end, all of them in time. */
interface Crowd {
  readonly connections: number;
  readonly ports: (environment: Environment) => readonly number[];
  /** What each begins with, before a byte now and then; nothing is sent without it. */
  readonly head?: string;
  readonly withinMs: number;
}

const apis = (environment: Environment) => environment.apis.map(({ spec }) => spec.port);

export const exhaustion: readonly Scenario[] = [
  attack('slow headers on 300 connections, a byte at a time', 'each is ended soon after 10 s', {
    connections: 300,
    ports: apis,
    head: 'GET /v1/ping HTTP/1.1\r\nHost: gateway.test\r\nX-Slow: ',
    withinMs: 20_000,
  }),
  attack('slow bodies on 300 connections, a byte at a time', 'each is ended soon after 30 s', {
    connections: 300,
    ports: apis,
    head: 'POST /v1/deposits HTTP/1.1\r\nHost: gateway.test\r\nContent-Length: 60000\r\n\r\n{',
    withinMs: 45_000,
  }),
  attack('2,000 connections that say nothing, to both apis and the ingress', 'they cost nothing and are ended', {
    connections: 2_000,
    ports: (environment) => [...apis(environment), environment.links.callbacks.port],
    withinMs: 60_000,
  }),
];

function attack(name: string, holds: string, crowd: Crowd): Scenario {
  return {
    name,
    holds: `${holds}; ${SERVED}`,
    play: (environment) => besideSteadyReads(environment, () => crowdIn(environment, crowd)),
  };
}

const USUAL_MS = 2_000;

async function besideSteadyReads(environment: Environment, act: () => Promise<void>): Promise<void> {
  const { operator, ingresses } = environment;
  const { id } = await operator.deposit();
  const target = `/v1/deposits/${id}`;
  const usual = await servedDuring(operator, target, () => sleep(USUAL_MS));
  const meanwhile = await servedDuring(operator, target, act);
  assertServed(usual, meanwhile);
  // Nobody starts one again by itself.
  for (const { name, url } of [...environment.apis, ...ingresses])
    assert.ok(await isReady(url), `${name} was ended by it`);
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

const EVERY_MS = 500;

async function crowdIn(environment: Environment, { connections, ports, head, withinMs }: Crowd): Promise<void> {
  const targets = ports(environment);
  const open = new Set<Socket>();
  const statuses = new Set<number>();
  for (let index = 0; index < connections; index += 1) {
    const socket = openSocket(targets[index % targets.length] as number);
    open.add(socket);
    // Read, so that the end of the other side is seen.
    socket
      .on('data', (chunk: Buffer) => statusesIn(chunk.toString('latin1')).forEach((status) => statuses.add(status)))
      .once('close', () => open.delete(socket));
    if (head !== undefined) socket.write(head);
    if (index % 100 === 99) await sleep(10);
  }
  try {
    for (const deadline = Date.now() + withinMs; open.size > 0 && Date.now() < deadline; await sleep(EVERY_MS))
      if (head !== undefined) open.forEach((socket) => socket.write('a'));
    assert.equal(open.size, 0, `${open.size} of ${connections} are still open after ${withinMs / 1_000} s`);
    const served = [...statuses].filter((status) => status < 400);
    assert.deepEqual(served, [], 'a slow request was answered as if it were right');
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
