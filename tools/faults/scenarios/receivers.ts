// An operator's receiver misbehaves: what it did not accept is repeated, unchanged under the same id; nobody else waits
// for it.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Environment } from '../environment/environment.js';
import type { Operator } from '../environment/operator.js';
import {
  type Arrived,
  type Manner,
  type MisbehavingReceiver,
  startMisbehavingReceiver,
  takesIt,
} from '../environment/receiver.js';
import type { Scenario, ScenarioContext } from '../scenario.js';

interface Attempt {
  readonly attempt: number;
  readonly response_status: number | null;
  readonly error: string | null;
  readonly duration_ms: number;
}

interface Misbehaviour {
  readonly name: string;
  readonly manner: Manner;
  /** What the delivery log must say of the first attempt. */
  readonly logged: (first: Attempt) => boolean;
  /** Whether the attempt counts as delivered. */
  readonly isTaken?: true;
}

const MEGABYTE = Buffer.alloc(1024 * 1024, 'x');
const LARGE_MEGABYTES = 10;
/** The contract's 10 s, with room for a machine that has much else to do. */
const tookTheLimit = ({ error, duration_ms }: Attempt) =>
  error === 'timeout' && duration_ms >= 9_900 && duration_ms < 16_000;
const never: Manner = () => undefined;

const MISBEHAVIOURS: readonly Misbehaviour[] = [
  {
    name: 'answers 500',
    manner: (response) => void response.writeHead(500).end(),
    logged: ({ response_status }) => response_status === 500,
  },
  {
    name: 'answers after more than 10 s',
    manner: (response) => void setTimeout(() => takesIt(response, response.req), 12_000),
    logged: tookTheLimit,
  },
  { name: 'never answers', manner: never, logged: tookTheLimit },
  { name: 'lets its headers drip', manner: dripHeaders, logged: tookTheLimit },
  {
    name: 'resets the connection',
    manner: (response) => void response.socket?.resetAndDestroy(),
    logged: ({ response_status, error }) => response_status === null && error !== null,
  },
  {
    name: 'takes it, and its answer is lost',
    manner: (response) => void response.socket?.destroy(),
    logged: ({ response_status, error }) => response_status === null && error !== null,
  },
  {
    name: 'answers 200 with 10 MB',
    manner: answerLarge,
    logged: ({ response_status, duration_ms }) => response_status === 200 && duration_ms < 5_000,
    isTaken: true,
  },
  {
    name: 'answers 200 and lets the body drip',
    manner: dripBody,
    logged: ({ response_status, duration_ms }) => response_status === 200 && duration_ms < 5_000,
    isTaken: true,
  },
];

export const receivers: readonly Scenario[] = [
  ...MISBEHAVIOURS.map((misbehaviour): Scenario => ({
    family: 'receivers',
    name: `a receiver that ${misbehaviour.name}`,
    holds: misbehaviour.isTaken
      ? 'it counts as accepted at its status line; later events come as usual'
      : 'the delivery log says so; the same bytes come again under the same id until they are accepted',
    bounded: misbehaviour.name.startsWith('takes it'),
    play: (context) =>
      withReceiver(context, (operator, receiver) => misbehave(context.environment, operator, receiver, misbehaviour)),
  })),
  {
    family: 'receivers',
    name: 'a receiver that redirects',
    holds: 'no redirect is followed; it is a failed attempt, and the event comes again to the registered address',
    bounded: false,
    play: (context) => withReceiver(context, (operator, receiver) => redirect(context.environment, operator, receiver)),
  },
  {
    family: 'receivers',
    name: 'a receiver that is down',
    holds: 'its events come when it is up again, none missing and none extra',
    bounded: false,
    play: (context) => withReceiver(context, (operator, receiver) => down(context.environment, operator, receiver)),
  },
  {
    family: 'receivers',
    name: 'one receiver that never answers beside nine good ones',
    holds: 'it delays the others’ events by less than 2 s against the same load without it',
    bounded: false,
    play: (context) => oneBadBesideNineGood(context),
  },
];

async function withReceiver(
  { environment }: ScenarioContext,
  task: (operator: Operator, receiver: MisbehavingReceiver) => Promise<void>,
): Promise<void> {
  const receiver = await startMisbehavingReceiver();
  try {
    await task(await environment.newOperator(`receiver ${randomUUID().slice(0, 8)}`, receiver.url), receiver);
  } finally {
    // The rest of its events are accepted: no delivery fails because the server has gone.
    receiver.behave(takesIt);
    await receiver.close();
  }
}

async function misbehave(
  environment: Environment,
  operator: Operator,
  receiver: MisbehavingReceiver,
  { manner, logged, isTaken }: Misbehaviour,
): Promise<void> {
  receiver.behave(manner);
  const { id } = await operator.deposit();
  const [first] = (await receiver.waitFor(({ type }) => type === 'deposit.pending', 1, 30_000)) as [Arrived];
  assert.equal(first.headerId, first.id);
  const attempt = await loggedAttempt(environment, first.id, 1);
  assert.ok(logged(attempt), `the delivery log says ${JSON.stringify(attempt)}`);
  receiver.behave(takesIt);
  if (isTaken !== true) {
    const again = await receiver.waitFor(({ id: eventId }) => eventId === first.id, 2, 60_000);
    assert.deepEqual(
      again.map(({ body }) => body === first.body),
      [true, true],
      'the same bytes',
    );
    assert.equal((await loggedAttempt(environment, first.id, 2)).response_status, 200);
  }
  await operator.pay(id);
  await receiver.waitFor(({ type }) => type === 'deposit.paid', 1, 60_000);
  assert.equal(receiver.arrived.filter(({ id: eventId }) => eventId === first.id).length, isTaken ? 1 : 2);
}

async function redirect(environment: Environment, operator: Operator, receiver: MisbehavingReceiver): Promise<void> {
  const elsewhere = await startMisbehavingReceiver();
  try {
    const statuses = [301, 302, 303, 307, 308];
    receiver.behave((response) => void response.writeHead(statuses.shift() ?? 302, { location: elsewhere.url }).end());
    const payments = await Promise.all(statuses.map(() => operator.deposit()));
    const came = await receiver.waitFor(({ type }) => type === 'deposit.pending', payments.length, 60_000);
    for (const { id } of came.slice(0, payments.length))
      assert.equal(Math.floor(((await loggedAttempt(environment, id, 1)).response_status ?? 0) / 100), 3);
    receiver.behave(takesIt);
    for (const { id } of payments) {
      const copies = await receiver.waitFor(({ objectId }) => objectId === id, 2, 60_000);
      assert.equal(new Set(copies.map(({ id: eventId }) => eventId)).size, 1);
    }
    assert.equal(elsewhere.connections(), 0, 'somebody followed a redirect');
  } finally {
    await elsewhere.close();
  }
}

async function down(environment: Environment, operator: Operator, receiver: MisbehavingReceiver): Promise<void> {
  await receiver.shut();
  const { id } = await operator.deposit();
  await operator.reaches(`/v1/deposits/${id}`, ['pending']);
  const { rows } = await waitForRows<{ id: string }>(environment, 'SELECT id FROM event WHERE object_id = $1', [id]);
  const attempt = await loggedAttempt(environment, rows[0]?.id ?? '', 1);
  assert.ok(attempt.response_status === null && attempt.error !== null, JSON.stringify(attempt));
  await receiver.open();
  await receiver.waitFor(({ objectId }) => objectId === id, 1, 60_000);
  await operator.pay(id);
  await receiver.waitFor(({ type }) => type === 'deposit.paid', 1, 60_000);
  assert.equal(receiver.arrived.length, 2);
}

/** An attempt as the delivery log has it, once it is over. */
async function loggedAttempt(environment: Environment, eventId: string, attempt: number): Promise<Attempt> {
  const { rows } = await waitForRows<Attempt>(
    environment,
    'SELECT attempt, response_status, error, duration_ms FROM webhook_delivery WHERE event_id = $1 AND attempt = $2',
    [eventId, attempt],
  );
  return rows[0] as Attempt;
}

async function waitForRows<Row extends object>({ database }: Environment, sql: string, values: unknown[]) {
  for (const deadline = Date.now() + 30_000; ; await new Promise((resolve) => setTimeout(resolve, 200))) {
    const found = await database.query<Row & Record<string, unknown>>(sql, values);
    if (found.rows.length > 0) return found;
    assert.ok(Date.now() < deadline, `nothing was stored: ${sql}`);
  }
}

const ROUNDS = 2;
const EVENTS_OF_EACH = 2;
/** As many as make it the busiest of the ten. */
const EVENTS_OF_THE_BAD = 24;
const MOST_DELAY_MS = 2_000;

/** Rounds with and without the bad one in turn, because the machine's load may change. */
async function oneBadBesideNineGood({ environment }: ScenarioContext): Promise<void> {
  const servers = await Promise.all(Array.from({ length: 10 }, () => startMisbehavingReceiver()));
  try {
    const operators: Operator[] = [];
    for (const [index, { url }] of servers.entries())
      operators.push(await environment.newOperator(`of ten ${index} ${randomUUID().slice(0, 8)}`, url));
    const [bad, ...good] = servers as [MisbehavingReceiver, ...MisbehavingReceiver[]];
    const [badOperator, ...goodOperators] = operators as [Operator, ...Operator[]];
    const delays = { without: [] as number[], beside: [] as number[] };
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const kind of ['without', 'beside'] as const) {
        bad.behave(kind === 'beside' ? never : takesIt);
        const before = bad.arrived.length;
        await times(EVENTS_OF_THE_BAD, () => badOperator.deposit());
        if (kind === 'beside') await bad.waitFor(() => true, before + EVENTS_OF_THE_BAD / 2, 60_000);
        delays[kind].push(await slowestDelivery(good, goodOperators));
      }
    }
    const added = Math.min(...delays.beside) - Math.min(...delays.without);
    assert.ok(
      added < MOST_DELAY_MS,
      `the bad receiver delays the others by ${Math.round(added)} ms (without ` +
        `${delays.without.map(Math.round).join(', ')}; beside ${delays.beside.map(Math.round).join(', ')})`,
    );
  } finally {
    for (const server of servers) server.behave(takesIt);
    await Promise.all(servers.map((server) => server.close()));
  }
}

/** From the event to its arrival, the slowest of a round. */
async function slowestDelivery(good: readonly MisbehavingReceiver[], operators: readonly Operator[]): Promise<number> {
  const earlier = good.map(({ arrived }) => arrived.length);
  await Promise.all(operators.map((operator) => times(EVENTS_OF_EACH, () => operator.deposit())));
  const rounds = await Promise.all(
    good.map(async (server, index) =>
      (await server.waitFor(() => true, (earlier[index] ?? 0) + EVENTS_OF_EACH, 60_000)).slice(earlier[index]),
    ),
  );
  return Math.max(...rounds.flat().map(({ atMs, createdAtMs }) => atMs - createdAtMs));
}

function times<Value>(count: number, task: () => Promise<Value>): Promise<Value[]> {
  return Promise.all(Array.from({ length: count }, task));
}

function answerLarge(response: Parameters<Manner>[0]): void {
  response.writeHead(200, { 'content-type': 'text/plain' });
  for (let sent = 0; sent < LARGE_MEGABYTES; sent += 1) response.write(MEGABYTE);
  response.end();
}

function dripBody(response: Parameters<Manner>[0]): void {
  response.writeHead(200, { 'content-type': 'text/plain' });
  drip(() => response.destroyed || !response.write('x'));
}

/** A header line each second: there is always something coming, and never an answer. */
function dripHeaders(response: Parameters<Manner>[0]): void {
  const { socket } = response;
  socket?.write('HTTP/1.1 200 OK\r\n');
  drip(() => socket === null || socket.destroyed || !socket.write('x-drip: x\r\n'));
}

function drip(isOver: () => boolean): void {
  const timer = setInterval(() => {
    if (isOver()) clearInterval(timer);
  }, 1_000);
  timer.unref();
}
