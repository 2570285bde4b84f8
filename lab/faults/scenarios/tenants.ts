// One operation asks for everything of another one, on every route of the table: it is answered as if it had made the
// ids up.
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RouteDefinition } from '../../../contract/http/route.js';
import { ROUTES, type RouteName } from '../../../contract/http/routes.js';
import { newPlayer } from '../../harness/payments.js';
import { type Receiver, startReceiver } from '../../harness/receiver.js';
import type { Environment } from '../environment/environment.js';
import type { Operator } from '../environment/operator.js';
import { type Answer, type Call, callOnce } from '../environment/requests.js';
import type { Scenario } from '../scenario.js';

export const tenants: readonly Scenario[] = [
  {
    name: 'another tenant’s ids, cursors, events, references and keys on every route',
    beforeRelease: true,
    holds:
      'answers do not differ from those to ids that do not exist, nothing of the other tenant is in them, ' +
      'nothing of it changes, none of its webhooks goes astray',
    play: (environment) => between(environment, playEveryRoute),
  },
  {
    name: 'the time of an answer about another tenant’s payment',
    holds: 'medians of many do not distinguish a payment of another tenant from one that does not exist',
    play: (environment) => between(environment, playTimes),
  },
];

/** Their cursors are small numbers, which name nothing. */
const NUMBERED: ReadonlySet<string> = new Set(['/request-log', '/webhook-deliveries']);

/** What identifies something, by the names that path, query and body parameters have. */
interface Identifiers {
  readonly deposit: string;
  readonly withdrawal: string;
  readonly event: string;
  readonly externalId: string;
  readonly playerRef: string;
  readonly traceId: string;
  /** By the list's path. */
  readonly cursors: Readonly<Record<string, string>>;
}

interface Meeting {
  readonly environment: Environment;
  readonly victim: Operator;
  readonly attacker: Operator;
  readonly theirs: Identifiers;
  readonly receiver: Receiver;
}

async function between(environment: Environment, play: (meeting: Meeting) => Promise<void>): Promise<void> {
  const receiver = await startReceiver();
  try {
    const attacker = await environment.newOperator(`attacker-${randomBytes(4).toString('hex')}`, receiver.url);
    await play({
      environment,
      victim: environment.operator,
      attacker,
      theirs: await belongings(environment.operator),
      receiver,
    });
  } finally {
    await receiver.close();
  }
}

/** A paid deposit, a withdrawal that waits for review, and everything that names them. */
async function belongings(victim: Operator): Promise<Identifiers> {
  const player = newPlayer();
  const deposit = await victim.deposit({ player, amountMinor: '50000' });
  const read = await ask(victim, { method: 'GET', target: `/v1/deposits/${deposit.id}` });
  await victim.pay(deposit.id);
  await victim.reaches(`/v1/deposits/${deposit.id}`, ['paid']);
  // A second one, so that lists have a next page.
  await victim.deposit({ player });
  const withdrawal = await victim.withdrawal({
    player,
    externalId: deposit.externalId,
    fields: { review_requested: true },
  });
  await victim.withdrawal({ player, fields: { review_requested: true } });
  const events = await json<{ data: { id: string }[] }>(victim, `/v1/events?object_id=${deposit.id}`);
  const lists = ROUTES.filter(
    (route: RouteDefinition) =>
      route.query !== undefined &&
      'cursor' in route.query.shape &&
      !('date' in route.query.shape) &&
      !NUMBERED.has(route.path),
  );
  const cursors: Record<string, string> = {};
  for (const { path } of lists)
    cursors[path] = (await json<{ next_cursor: string | null }>(victim, `/v1${path}?limit=1`)).next_cursor ?? '';
  return {
    deposit: deposit.id,
    withdrawal: withdrawal.id,
    event: events.data[0]?.id ?? '',
    externalId: deposit.externalId,
    playerRef: player.external_ref,
    traceId: String(read.headers['svc-trace-id']),
    cursors,
  };
}

async function json<Body>(operator: Operator, target: string): Promise<Body> {
  return JSON.parse((await ask(operator, { method: 'GET', target })).text) as Body;
}

/** The same kinds of names, of nothing that exists. */
function madeUp({ cursors }: Identifiers): Identifiers {
  const hex = () => randomBytes(16).toString('hex');
  const others = Object.entries(cursors).map(([path, cursor]) => [path, otherCursor(cursor)]);
  return {
    deposit: `dep_${hex()}`,
    withdrawal: `wdr_${hex()}`,
    event: `evt_${hex()}`,
    externalId: randomUUID(),
    playerRef: `player-${randomUUID()}`,
    traceId: hex(),
    cursors: Object.fromEntries(others) as Record<string, string>,
  };
}

/** A cursor of the same form: an id, or base64url of one or of a number. */
function otherCursor(cursor: string): string {
  const id = /^([a-z]+_)[0-9a-f]{32}$/;
  if (cursor === '' || id.test(cursor)) return cursor.replace(id, `$1${randomBytes(16).toString('hex')}`);
  const decoded = Buffer.from(cursor, 'base64url').toString('utf8');
  const other = /^\d+$/.test(decoded)
    ? String(BigInt(decoded) + 1n)
    : decoded.replace(/[0-9a-f]{32}/, randomBytes(16).toString('hex'));
  return Buffer.from(other, 'utf8').toString('base64url');
}

/** By the beginning of the pattern that a path parameter has, or by its name. */
const PATH_VALUES: Readonly<Record<string, (ids: Identifiers) => string>> = {
  '^dep_': ({ deposit }) => deposit,
  '^wdr_': ({ withdrawal }) => withdrawal,
  // Nobody has any: what is asked for is another sort of id that exists.
  '^fxq_': ({ deposit }) => deposit.replace('dep_', 'fxq_'),
  '^rcv_': ({ deposit }) => deposit.replace('dep_', 'rcv_'),
  external_ref: ({ playerRef }) => playerRef,
  action: () => 'approve',
  decision: () => 'approve',
  date: () => '2026-01-02',
};

const QUERY_VALUES: Readonly<Record<string, (ids: Identifiers, path: string) => string>> = {
  external_id: ({ externalId }) => externalId,
  player_ref: ({ playerRef }) => playerRef,
  object_id: ({ deposit }) => deposit,
  event_id: ({ event }) => event,
  after: ({ event }) => event,
  trace_id: ({ traceId }) => traceId,
  cursor: ({ cursors }, path) => cursors[path] ?? '',
};
/** Parameters that name nothing of anybody, with what a request needs of them. */
const PLAIN_QUERY: Readonly<Record<string, string | null>> = {
  limit: null,
  status: null,
  updated_since: null,
  refused: null,
  wait_seconds: null,
  currency: 'BRL',
  date: '2026-01-02',
};

type Body = (ids: Identifiers) => unknown;
const payment: Body = ({ externalId, playerRef }) => ({
  external_id: externalId,
  player: { ...newPlayer(), external_ref: playerRef },
  amount: { amount: '5000', currency: 'BRL' },
  method: 'pix',
});
const BODIES: Partial<Record<RouteName, Body>> = {
  createDeposit: payment,
  createWithdrawal: (ids) => ({
    ...(payment(ids) as object),
    destination: { pix: { key_type: 'cpf', key: newPlayer().document.number } },
  }),
  proposeRuleChange: () => ({ rules: {}, justification: 'none' }),
  recallWithdrawal: () => ({ reason_code: 'other', justification: 'none' }),
  sandboxReceiveTransfer: ({ deposit }) => ({
    amount: { amount: '5000', currency: 'BRL' },
    rail: 'ted',
    reference: deposit,
  }),
  sandboxSetOutage: () => ({ down: false }),
  sandboxRedeliverWebhook: ({ event }) => ({ event_id: event }),
  redeliverWebhook: ({ event }) => ({ event_id: event }),
  sandboxReverseDepositInPart: () => ({ kind: 'refund', amount: { amount: '1', currency: 'BRL' } }),
  // Names nothing of anybody; a clock that is set would change every later answer.
  sandboxSetClock: () => ({}),
};

/**
 * Every request that a route can be asked with somebody's names; throws for a parameter that the campaign does not know
 * yet.
 */
function requestsTo(route: RouteDefinition & { readonly name: RouteName }, ids: Identifiers): Call[] {
  const path = route.path.replaceAll(/:(\w+)/g, (_whole, name: string) => pathValue(route, name, ids));
  const names = Object.keys(route.query?.shape ?? {});
  const unknown = names.find((name) => !(name in QUERY_VALUES) && !(name in PLAIN_QUERY));
  assert.equal(
    unknown,
    undefined,
    `teach the campaign what ${unknown} of ${route.name} names (lab/faults/scenarios/tenants.ts)`,
  );
  const plain = names.flatMap((name) =>
    typeof PLAIN_QUERY[name] === 'string' ? [`${name}=${PLAIN_QUERY[name]}`] : [],
  );
  const naming = names
    .filter((name) => name in QUERY_VALUES)
    .map((name) => `${name}=${encodeURIComponent(QUERY_VALUES[name]?.(ids, route.path) ?? '')}`);
  const queries = naming.length === 0 ? [plain] : naming.map((one) => [...plain, one]);
  const body = BODIES[route.name];
  assert.ok(
    body !== undefined || route.method === 'GET' || route.bodyOptional === true,
    `teach the campaign a body of ${route.name}`,
  );
  return queries.map((query) => ({
    method: route.method,
    target: `/v1${path}${query.length === 0 ? '' : `?${query.join('&')}`}`,
    ...(body === undefined ? {} : { body: JSON.stringify(body(ids)) }),
    ...(route.method === 'POST' ? { idempotencyKey: randomUUID() } : {}),
  }));
}

function pathValue({ name: route, params = {} }: RouteDefinition, name: string, ids: Identifiers): string {
  const pattern = params[name]?.source.slice(0, 5) ?? '';
  const value = PATH_VALUES[pattern] ?? PATH_VALUES[name];
  assert.ok(value !== undefined, `teach the campaign what ${name} of ${route} names (lab/faults/scenarios/tenants.ts)`);
  return value(ids);
}

async function playEveryRoute(meeting: Meeting): Promise<void> {
  const { victim, attacker, theirs, receiver } = meeting;
  const before = await stateOf(meeting);
  const invented = madeUp(theirs);
  // What creates comes last: afterwards the attacker has objects under the victim's names, rightly its own.
  const signed: readonly (RouteDefinition & { readonly name: RouteName })[] = ROUTES.filter(
    ({ access }: RouteDefinition) => access !== 'public',
  );
  for (const route of [...signed].sort((a, b) => Number(a.creates !== undefined) - Number(b.creates !== undefined))) {
    const [foreign, unknown] = [requestsTo(route, theirs), requestsTo(route, invented)];
    for (const [index, call] of foreign.entries())
      await assertAlike(meeting, route, call, unknown[index] as Call, invented);
  }
  await useTheirKeys(meeting);
  await useTheirCredential(meeting);
  assert.deepEqual(await stateOf(meeting), before, 'what belongs to the other tenant has changed');
  const ownWebhooks = await json<{ data: { object_id: string }[] }>(attacker, '/v1/events?limit=200');
  const own = new Set(ownWebhooks.data.map(({ object_id }) => object_id));
  assert.deepEqual(
    receiver.events.filter(({ object_id }) => !own.has(object_id)),
    [],
    'a webhook of the other tenant came',
  );
  assert.equal(
    (await ask(victim, { method: 'GET', target: `/v1/deposits/${theirs.deposit}` })).status,
    200,
    'the owner is served',
  );
}

/** The row versions and the number of events of the victim's payments. */
async function stateOf({ environment, victim, theirs }: Meeting): Promise<unknown> {
  const { rows } = await environment.database.query(
    `SELECT id, version, status FROM deposit WHERE id = $1 UNION ALL SELECT id, version, status
      FROM withdrawal WHERE id = $2
     UNION ALL SELECT object_id, count(*)::int, 'events' FROM event WHERE object_id IN ($1, $2) AND operation_id = $3
       GROUP BY object_id ORDER BY 1, 2`,
    [theirs.deposit, theirs.withdrawal, victim.operation.operation_id],
  );
  return rows;
}

async function assertAlike(
  { attacker, victim, theirs }: Meeting,
  route: RouteDefinition,
  call: Call,
  unknown: Call,
  invented: Identifiers,
): Promise<void> {
  const [foreign, other] = [await ask(attacker, call), await ask(attacker, unknown)];
  const what = `${call.method} ${call.target}`;
  assert.equal(
    foreign.status,
    other.status,
    `${what}: ${foreign.text.slice(0, 300)}; with an unknown name: ${other.text.slice(0, 300)}`,
  );
  const sent = `${call.target} ${call.body ?? ''}`;
  const names = [...namesOf(theirs), victim.operation.operation_id, victim.operation.key_id].filter(
    (name) => !sent.includes(name),
  );
  assert.deepEqual(
    names.filter((name) => foreign.text.includes(name)),
    [],
    `${what} reveals something of the other tenant`,
  );
  // What is created is the attacker's own, and new each time.
  if (route.creates !== undefined && foreign.status < 300) return;
  assert.equal(comparable(foreign, theirs), comparable(other, invented), what);
}

function namesOf({ cursors, ...names }: Identifiers): string[] {
  return [...Object.values(names), ...Object.values(cursors)].filter((name) => name !== '');
}

/** An answer without what differs each time and without the names that were asked for. */
function comparable({ status, text }: Answer, ids: Identifiers): string {
  const named = namesOf(ids).reduce((shortened, name) => shortened.replaceAll(name, '#'), text);
  return `${status} ${named.replaceAll(/"(trace_id|server_time|as_of|now|real_time|to)":"[^"]*"/g, '"$1":"#"')}`;
}

/** The victim's Idempotency-Key with the victim's own bytes makes an object of the attacker's. */
async function useTheirKeys({ environment, victim, attacker }: Meeting): Promise<void> {
  const entry = victim.journal.find(
    ({ target, answers }) => target === '/v1/deposits' && answers.some(({ status }) => status === 201),
  );
  assert.ok(entry !== undefined);
  const body = JSON.stringify({ operation_id: victim.operation.operation_id, ...(JSON.parse(entry.body) as object) });
  for (const sent of [entry.body, body]) {
    const answer = await ask(attacker, {
      method: 'POST',
      target: entry.target,
      body: sent,
      idempotencyKey: sent === entry.body ? entry.key : randomUUID(),
      headers: { 'svc-operation-id': victim.operation.operation_id },
    });
    const { id, existing } = JSON.parse(answer.text) as { id?: string; existing?: { id: string } };
    assert.ok(answer.status === 201 || answer.status === 409, answer.text);
    assert.equal(answer.replayed, false, 'the other tenant’s answer was replayed');
    const { rows } = await environment.database.query<{ operation_id: string }>(
      'SELECT operation_id FROM deposit WHERE id = $1',
      [id ?? existing?.id],
    );
    assert.equal(rows[0]?.operation_id, attacker.operation.operation_id);
  }
}

/** The victim's key id with the attacker's secret gets the same answer as an unknown key, to the letter. */
async function useTheirCredential({ environment, victim, attacker, theirs }: Meeting): Promise<void> {
  const { entrance } = environment;
  const call = { method: 'GET', target: `/v1/deposits/${theirs.deposit}` } as const;
  const { secret } = attacker.signingKey;
  const mixed = await callOnce(entrance, { keyId: victim.signingKey.keyId, secret }, call);
  const unknown = await callOnce(entrance, { keyId: `key_test_${randomBytes(12).toString('hex')}`, secret }, call);
  assert.ok(mixed !== null && unknown !== null);
  assert.equal(mixed.status, 401);
  assert.equal(comparable(mixed, theirs), comparable(unknown, theirs));
}

/** One answer; a rate that is used up is waited for. */
async function ask(operator: Operator, call: Call): Promise<Answer> {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await sleep(250)) {
    const answer = await operator.once(call);
    // A player's hourly limit lasts longer than anybody waits.
    if (answer !== null && (answer.status !== 429 || Number(answer.headers['retry-after']) > 5)) return answer;
  }
  throw new Error(`${call.method} ${call.target} was not answered`);
}

const SAMPLES = 120;
/** Between requests, so that the key's rate is never reached. */
const PAUSE_MS = 12;
const WIDEST_RATIO = 2;

async function playTimes({ attacker, theirs }: Meeting): Promise<void> {
  for (const [path, id] of [
    ['deposits', theirs.deposit],
    ['withdrawals', theirs.withdrawal],
  ] as const) {
    const times: Record<'foreign' | 'unknown', number[]> = { foreign: [], unknown: [] };
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      for (const which of ['foreign', 'unknown'] as const) {
        const asked = which === 'foreign' ? id : `${id.slice(0, 4)}${randomBytes(16).toString('hex')}`;
        const startedMs = performance.now();
        const answer = await attacker.once({ method: 'GET', target: `/v1/${path}/${asked}` });
        times[which].push(performance.now() - startedMs);
        assert.equal(answer?.status, 404);
        await sleep(PAUSE_MS);
      }
    }
    const ratio = median(times.foreign) / median(times.unknown);
    assert.ok(
      ratio < WIDEST_RATIO && ratio > 1 / WIDEST_RATIO,
      `a GET of another tenant’s ${path} takes ${ratio.toFixed(2)} times as long as one of an unknown id`,
    );
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
