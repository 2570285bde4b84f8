// The stream of counters (server-sent events): what waits for each person, as numbers. One poll for the process,
// however many listen, and none without listeners. A session that ends, or loses its roles, ends its streams.
import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Counters } from '../contract/panel/schemas/operations.js';
import type { InboxKind } from '../domain/approvals.js';
import { type HeldRole, isReached, type Reach, reachOf, STAFF_ROLES } from '../domain/staff.js';
import { faultOf } from '../platform/http/faults.js';
import { setGauge } from '../platform/telemetry/instruments.js';
import type { Database } from '../store/database.js';
import { type OperationCounters, readCounters } from '../store/staff/counters.js';
import { openQuestions } from '../store/support/questions.js';
import { inboxReach } from '../staff/viewer.js';
import { liveSessions, type StaffSession } from '../store/staff/sessions.js';
import type { DependencyWatch } from './dependency-watch.js';
import { reachFor } from './middleware/session.js';
import { type Refusal, refuse } from './refusal.js';
import type { RequestContext } from './request.js';

const POLL_MS = 2_000;
/** A comment, so that nothing in between closes a silent connection. */
const BEAT_MS = 20_000;
/** Pages share one connection; a browser without shared workers has one for each tab. */
const MOST_PER_SESSION = 12;
const MOST_QUESTIONS = 1_000;

export interface StreamServices {
  readonly database: Database;
  readonly decideWithinSeconds: number;
  readonly log: Logger;
  readonly pollMs?: number;
  /** Payments' processes run there. Pages are read without it. */
  readonly temporalWatch: DependencyWatch;
}

interface Listener {
  readonly sessionId: string;
  readonly response: ServerResponse;
  /** The last message sent. */
  last: string;
  beatAtMs: number;
}

/** What one poll found. */
interface Counted {
  readonly rows: readonly OperationCounters[];
  readonly asked: readonly string[];
}

export class Streams {
  readonly #listeners = new Set<Listener>();
  readonly #services: StreamServices;
  #timer: NodeJS.Timeout | undefined;

  constructor(services: StreamServices) {
    this.#services = services;
  }

  /** Takes the connection over; or refuses one too many. */
  open(context: RequestContext, { sessionId }: StaffSession): Refusal | null {
    const own = [...this.#listeners].filter((listener) => listener.sessionId === sessionId);
    if (own.length >= MOST_PER_SESSION) return refuse('rate_limited', { retry_after_seconds: 10 });
    context.respond = false;
    const response = context.res;
    response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store' });
    const listener: Listener = { sessionId, response, last: '', beatAtMs: Date.now() };
    this.#listeners.add(listener);
    this.#show();
    response.on('close', () => this.#forget(listener));
    response.write('retry: 3000\n\n');
    this.#poll(0);
    return null;
  }

  /** Ends every stream: the process is going. */
  close(): void {
    clearTimeout(this.#timer);
    for (const { response } of this.#listeners) response.end();
    this.#listeners.clear();
    this.#show();
  }

  #show(): void {
    setGauge('gateway_panel_streams', {}, this.#listeners.size);
  }

  #forget(listener: Listener): void {
    this.#listeners.delete(listener);
    this.#show();
    if (this.#listeners.size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** The next poll. The first listener gets it at once; later ones wait for the poll that is due. */
  #poll(afterMs: number): void {
    this.#timer ??= setTimeout(() => void this.#send(), afterMs);
  }

  async #send(): Promise<void> {
    const { database, decideWithinSeconds, log, pollMs = POLL_MS } = this.#services;
    // A listener that connects during a poll waits for the next one: this poll does not cover its session.
    const listeners = [...this.#listeners];
    try {
      const ids = [...new Set(listeners.map(({ sessionId }) => sessionId))];
      const [rows, live] = await Promise.all([
        readCounters(database, decideWithinSeconds),
        liveSessions(database, ids),
      ]);
      const asked = await this.#askedOf([...live.values()].flat());
      for (const listener of listeners)
        if (this.#listeners.has(listener)) this.#sendTo(listener, { rows, asked }, live.get(listener.sessionId));
    } catch (error) {
      log.warn({ fault: faultOf(error) }, 'the counters could not be read');
      // The shown counters may be out of date, and pages say so until new ones arrive.
      for (const listener of listeners) if (this.#listeners.has(listener)) say(listener, 'event: away\ndata: {}\n\n');
    }
    this.#timer = undefined;
    if (this.#listeners.size > 0) this.#poll(pollMs);
  }

  /** The operation of each open question, if somebody listens who may answer. */
  async #askedOf(held: readonly HeldRole[]): Promise<readonly string[]> {
    const reach = reachFor('readQuestions', { roles: held });
    if (reach !== 'every' && reach.length === 0) return [];
    const open = await openQuestions(this.#services.database, reach, MOST_QUESTIONS);
    return open.map(({ operationId }) => operationId);
  }

  #sendTo(listener: Listener, counted: Counted, roles: readonly HeldRole[] | undefined): void {
    const { response } = listener;
    if (roles === undefined) {
      response.end('event: ended\ndata: {}\n\n');
      return this.#forget(listener);
    }
    const sums = sumOf(counted, roles);
    const counters = JSON.stringify({
      ...sums,
      processes_answer: this.#services.temporalWatch.answers(),
    } satisfies Counters);
    say(listener, `event: counters\ndata: ${counters}\n\n`);
  }
}

/** Once, however often it is still so. */
function say(listener: Listener, event: string): void {
  const { response, last, beatAtMs } = listener;
  if (event !== last) response.write(event);
  else if (Date.now() - beatAtMs > BEAT_MS) response.write(': still here\n\n');
  else return;
  listener.last = event;
  listener.beatAtMs = Date.now();
}

/** The sums over the operations that a person reaches; requests count only if the person may see them. */
function sumOf({ rows, asked }: Counted, roles: readonly HeldRole[]): Omit<Counters, 'processes_answer'> {
  const answerable = reachFor('readQuestions', { roles });
  const within = (reach: Reach) => rows.filter(({ operationId }) => isReached(reach, operationId));
  // What waits for the gateway's staff is not for an operator's people.
  const reached = within(reachOf(roles, STAFF_ROLES));
  const total = (of: 'waiting' | 'overdue' | 'alerts') => reached.reduce((sum, row) => sum + row[of], 0);
  return {
    waiting: total('waiting'),
    overdue: total('overdue'),
    approvals: reached.reduce((sum, row) => sum + approvalsSeen(row, roles), 0),
    alerts: total('alerts'),
    questions: asked.filter((operationId) => isReached(answerable, operationId)).length,
    changes: within(reachFor('stream', { roles }))
      .reduce((sum, { changes }) => sum + BigInt(changes), 0n)
      .toString(),
  };
}

function approvalsSeen({ operationId, approvals }: OperationCounters, roles: readonly HeldRole[]): number {
  const kinds = Object.entries(approvals) as [InboxKind, number][];
  const seen = kinds.filter(([kind]) => isReached(inboxReach({ roles }, kind), operationId));
  return seen.reduce((sum, [, waiting]) => sum + waiting, 0);
}
