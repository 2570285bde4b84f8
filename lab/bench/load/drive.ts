// Offers the mixed load at a given share of the contract's limits, whether or not the answers keep up, and notes every
// one.
import { setTimeout as sleep } from 'node:timers/promises';
import { ProblemError } from '../../../client/index.js';
import type { TestPlayer } from '../../harness/payments.js';
import type { Operator, Operators } from '../operations.js';
import { type Memory, MIX } from './mix.js';

export interface RouteRecord {
  offered: number;
  served: number;
  /** From the moment it was due, so that waiting for a slow predecessor counts. */
  readonly latencies: number[];
  /** By error code, `no_answer` for none, `not_sent` where too many were under way. */
  readonly errors: Map<string, number>;
}

export type LoadRecord = ReadonlyMap<string, RouteRecord>;

/** Requests under way at once; more are not sent: the service is then far behind. */
const MOST_UNDER_WAY = 400;
const TICK_MS = 10;
/** Of the deposits: the others stay open. */
const PAID_SHARE = 0.6;

/** Offers `share` of the contract to every operation for that long, then waits for the answers. */
export async function drive(operators: Operators, share: number, seconds: number): Promise<LoadRecord> {
  const record: LoadRecord = new Map(
    MIX.map(({ name }) => [name, { offered: 0, served: 0, latencies: [], errors: new Map<string, number>() }]),
  );
  const underWay = new Set<Promise<void>>();
  const schedules = operators.all.flatMap((operator) => scheduleOf(operator, memoryOf(operators, underWay), share));
  const begin = performance.now();
  const end = begin + seconds * 1_000;
  for (let now = begin; now < end; now = performance.now()) {
    for (const schedule of schedules) schedule.sendDue(now - begin, record, underWay);
    await sleep(TICK_MS);
  }
  await Promise.all(underWay);
  return record;
}

interface Schedule {
  /** Sends everything that is due by then. */
  sendDue(elapsedMs: number, record: LoadRecord, underWay: Set<Promise<void>>): void;
}

function scheduleOf({ clients }: Operator, memory: Memory, share: number): Schedule[] {
  return MIX.map((kind) => {
    const intervalMs = 1_000 / (kind.perSecond * share);
    // Not all at the same moment.
    let dueAtMs = Math.random() * intervalMs;
    let turn = 0;
    return {
      sendDue(elapsedMs, record, underWay) {
        for (; dueAtMs <= elapsedMs; dueAtMs += intervalMs) {
          const client = clients[(turn += 1) % clients.length];
          const route = record.get(kind.name);
          if (client === undefined || route === undefined) continue;
          send(() => kind.request(client, memory), route, performance.now() - (elapsedMs - dueAtMs), underWay);
        }
      },
    };
  });
}

function send(
  ask: () => Promise<unknown> | null,
  route: RouteRecord,
  dueAt: number,
  underWay: Set<Promise<void>>,
): void {
  if (underWay.size >= MOST_UNDER_WAY) {
    route.offered += 1;
    count(route, 'not_sent');
    return;
  }
  const asked = ask();
  if (asked === null) return;
  route.offered += 1;
  track(
    underWay,
    asked.then(
      () => {
        route.served += 1;
        route.latencies.push(performance.now() - dueAt);
      },
      (error: unknown) => count(route, error instanceof ProblemError ? error.code : 'no_answer'),
    ),
  );
}

function count({ errors }: RouteRecord, code: string): void {
  errors.set(code, (errors.get(code) ?? 0) + 1);
}

function track(underWay: Set<Promise<void>>, work: Promise<void>): void {
  underWay.add(work);
  void work.finally(() => underWay.delete(work));
}

/** Pays its share of the deposits; their players may withdraw once the operator knows of it. */
function memoryOf({ pay, receiver }: Operators, underWay: Set<Promise<void>>): Memory {
  const funded: TestPlayer[] = [];
  return {
    deposits: [],
    withdrawals: [],
    players: [],
    funded,
    created: (depositId, player) => {
      if (Math.random() >= PAID_SHARE) return;
      const payment = pay(depositId)
        .then(() => receiver.arrival(depositId, 'deposit.paid'))
        .then(() => void funded.push(player));
      // Cancelled in between, or the provider is behind: then this player just does not withdraw.
      track(
        underWay,
        payment.catch(() => undefined),
      );
    },
  };
}
