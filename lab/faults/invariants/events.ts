// E and V: what was published is whole, in order, and a way that the state tables allow.
import { setTimeout as sleep } from 'node:timers/promises';
import { DEPOSIT_TRANSITIONS } from '../../../domain/payments/deposit.js';
import { WITHDRAWAL_TRANSITIONS } from '../../../domain/payments/withdrawal.js';
import type { Operator } from '../environment/operator.js';
import type { Invariant, ScenarioRun } from './invariant.js';

interface StoredEvent {
  readonly id: string;
  readonly operation_id: string;
  readonly object_id: string;
  readonly object_version: number;
  readonly type: string;
  readonly sequence: string;
}

const EVENTS = `
  SELECT id, operation_id, object_id, object_version, type, sequence::text FROM event
  WHERE object_id IN (SELECT id FROM deposit WHERE updated_at >= $1 UNION ALL SELECT id FROM withdrawal
    WHERE updated_at >= $1)
  ORDER BY operation_id, event.sequence`;
const PAYMENTS = `
  SELECT 'deposit' AS kind, id, status, version FROM deposit WHERE updated_at >= $1
  UNION ALL SELECT 'withdrawal', id, status, version FROM withdrawal WHERE updated_at >= $1`;
const NOT_ATTEMPTED = `
  SELECT event.id, event.operation_id, object_id, object_version, event.type, sequence::text
  FROM event JOIN operation ON operation.id = event.operation_id
  WHERE event.id = ANY($1) AND webhook_url IS NOT NULL
    AND NOT EXISTS (SELECT FROM webhook_delivery WHERE event_id = event.id)`;
const ARRIVAL_TIMEOUT_MS = 60_000;
/** A first attempt that was lost with its process is found by a check that runs every minute. */
const ATTEMPT_TIMEOUT_MS = 150_000;

export const events: Invariant = {
  letter: 'E',
  holds:
    'one event per transition that publishes; GET /events lists each in order, the demo operator has it, and each was sent',
  async check(played) {
    const { environment, since } = played;
    const { rows } = await environment.database.query<StoredEvent>(EVENTS, [since]);
    const problems = await Promise.all(
      environment.operators.map((operator) =>
        notListed(
          operator,
          rows.filter((row) => row.operation_id === operator.operation.operation_id),
        ),
      ),
    );
    return [...problems.flat(), ...(await notArrived(environment, rows)), ...(await notSent(environment, rows))];
  },
};

/** What GET /events leaves out, repeats or has in another order. */
async function notListed(operator: Operator, stored: readonly StoredEvent[]): Promise<string[]> {
  const objects = [...new Set(stored.map(({ object_id }) => object_id))];
  const problems: string[] = [];
  for (const object of objects) {
    const { status, text } = await operator.get(`/v1/events?object_id=${object}&limit=200`);
    const listed = status === 200 ? (JSON.parse(text) as { data: { id: string }[] }).data.map(({ id }) => id) : [];
    const expected = stored.filter(({ object_id }) => object_id === object).map(({ id }) => id);
    if (listed.join() !== expected.join())
      problems.push(`GET /events lists ${listed.length} events of ${object}, ${expected.length} are stored`);
  }
  return problems;
}

/** By webhook or by asking for it: within a minute. */
async function notArrived(
  { demoBooks, operator }: ScenarioRun['environment'],
  stored: readonly StoredEvent[],
): Promise<string[]> {
  const expected = stored.filter(({ operation_id }) => operation_id === operator.operation.operation_id);
  const missing = await missingAfter(ARRIVAL_TIMEOUT_MS, async () => {
    const known = new Set((await demoBooks.state()).events.map(({ id }) => id));
    return expected.filter(({ id }) => !known.has(id));
  });
  return missing.map(({ type, object_id }) => `${type} of ${object_id} has not reached the demo operator`);
}

/** However often an operator asks for its events, each is also sent to it. */
async function notSent({ database }: ScenarioRun['environment'], stored: readonly StoredEvent[]): Promise<string[]> {
  const ids = stored.map(({ id }) => id);
  const missing = await missingAfter(
    ATTEMPT_TIMEOUT_MS,
    async () => (await database.query<StoredEvent>(NOT_ATTEMPTED, [ids])).rows,
  );
  return missing.map(({ type, object_id }) => `${type} of ${object_id} was not sent`);
}

/** Looks again until nothing is missing, or the time is over. */
async function missingAfter(timeoutMs: number, look: () => Promise<readonly StoredEvent[]>) {
  let missing: readonly StoredEvent[] = [];
  for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; await sleep(500)) {
    missing = await look();
    if (missing.length === 0) break;
  }
  return missing;
}

export const versions: Invariant = {
  letter: 'V',
  holds: 'the versions of an object are contiguous; its events follow the state table and end in its present state',
  async check({ environment, since }) {
    const [payments, published] = await Promise.all([
      environment.database.query<{ kind: 'deposit' | 'withdrawal'; id: string; status: string; version: number }>(
        PAYMENTS,
        [since],
      ),
      environment.database.query<StoredEvent>(EVENTS, [since]),
    ]);
    return payments.rows.flatMap((payment) =>
      wrongPath(
        payment,
        published.rows.filter(({ object_id }) => object_id === payment.id),
      ),
    );
  },
};

/** The state without an event: every object begins in it. */
const FIRST = { deposit: 'created', withdrawal: 'requested' } as const;

function wrongPath(
  { kind, id, status, version }: { kind: 'deposit' | 'withdrawal'; id: string; status: string; version: number },
  published: readonly StoredEvent[],
): string[] {
  const numbers = published.map(({ object_version }) => object_version);
  const last = published.at(-1)?.type.split('.')[1] ?? FIRST[kind];
  const first = numbers[0] ?? version;
  const problems: string[] = [];
  if (numbers.some((number, index) => number !== first + index) || (numbers.at(-1) ?? version) !== version || first > 2)
    problems.push(`${id} has version ${version} and events ${numbers.join(', ') || 'none'}`);
  if (last !== status) problems.push(`${id} is ${status}, its last event says ${last}`);
  const path = published.map(({ type }) => type.split('.')[1] as string);
  for (const [index, to] of path.entries()) {
    const from = path[index - 1] ?? (first === 1 ? null : FIRST[kind]);
    if (from !== null && !isAllowed(kind, from, to)) problems.push(`${id} went from ${from} to ${to}`);
  }
  return problems;
}

function isAllowed(kind: 'deposit' | 'withdrawal', from: string, to: string): boolean {
  const table: Readonly<Record<string, { readonly from: readonly string[]; readonly to: string }>> =
    kind === 'deposit' ? DEPOSIT_TRANSITIONS : WITHDRAWAL_TRANSITIONS;
  return Object.values(table).some((transition) => transition.to === to && transition.from.includes(from));
}
