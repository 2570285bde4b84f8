// Fetches payments from the gateway and applies their state. Webhooks only trigger it; money moves only here.
import type { Logger } from 'pino';
import { ProblemError } from '../../client/index.js';
import type { Ledger, PaymentReference } from './ledger.js';
import { paymentSchema } from './records.js';
import type { Payment } from './records.js';
import type { Connection } from './sandbox-file.js';

export interface FetchBackDeps {
  readonly ledger: Ledger;
  readonly connection: () => Promise<Connection | null>;
  readonly log: Logger;
  /** First pause after a failure; doubles up to 60 s. Default 1 s. */
  readonly firstPauseMs?: number;
}

export interface FetchBack {
  /** Asks for one payment; several requests for the same one while it waits are one. Returns at once. */
  request(reference: PaymentReference): void;
  /** Forgets what waits; fetches under way finish. */
  stop(): void;
}

interface Task extends PaymentReference {
  failures: number;
  state: 'queued' | 'running' | 'pausing';
  /** Requested again while running: the running read may be older than the request. */
  again: boolean;
  timer: NodeJS.Timeout | null;
}

const MAX_AT_ONCE = 4;
const LONGEST_PAUSE_MS = 60_000;

/**
 * A queue with at most four fetches at once, one per payment, each repeated until the ledger has what the events told
 * of.
 */
export function createFetchBack({ ledger, connection, log, firstPauseMs = 1_000 }: FetchBackDeps): FetchBack {
  const tasks = new Map<string, Task>();
  let stopped = false;

  function pump(): void {
    const running = [...tasks.values()].filter(({ state }) => state === 'running').length;
    const next = [...tasks.values()]
      .filter(({ state }) => state === 'queued')
      .slice(0, Math.max(0, MAX_AT_ONCE - running));
    for (const task of next) void run(task);
  }

  async function run(task: Task): Promise<void> {
    task.state = 'running';
    const outcome = await fetchOnce(task);
    if (stopped) return;
    if (outcome === 'retry') pauseThenQueue(task);
    else if (task.again) Object.assign(task, { again: false, failures: 0, state: 'queued' });
    else tasks.delete(task.id);
    pump();
  }

  function pauseThenQueue(task: Task): void {
    const pauseMs = Math.min(firstPauseMs * 2 ** task.failures, LONGEST_PAUSE_MS);
    task.failures += 1;
    task.state = 'pausing';
    task.timer = setTimeout(() => {
      task.state = 'queued';
      pump();
    }, pauseMs);
  }

  async function fetchOnce(task: Task): Promise<'done' | 'retry'> {
    try {
      const connected = await connection();
      if (!connected) return 'retry';
      const payment = await read(connected, task);
      const effect = ledger.apply(task.kind, payment);
      log.info({ object_id: task.id, status: payment.status, version: payment.version, effect }, 'fetched back');
      return ledger.isBehind(task.id) ? 'retry' : 'done';
    } catch (error) {
      return afterFailure(task, error);
    }
  }

  function afterFailure(task: Task, error: unknown): 'done' | 'retry' {
    log.warn({ object_id: task.id, problem: describe(error) }, 'fetch-back failed');
    // An answer of something in front of the gateway (`unrecognised_answer`) is not the gateway's.
    const isDenied =
      error instanceof ProblemError && error.verdict !== 'repeat' && error.code !== 'unrecognised_answer';
    if (!isDenied) return 'retry';
    // The gateway denies it (404, 401, …): asking again at once is useless; the recovery job will.
    ledger.raise('fetch_back_refused', task.id);
    return 'done';
  }

  return {
    request(reference) {
      const task = tasks.get(reference.id);
      if (stopped) return;
      if (task?.state === 'running') task.again = true;
      if (task) return;
      tasks.set(reference.id, { ...reference, failures: 0, state: 'queued', again: false, timer: null });
      pump();
    },
    stop() {
      stopped = true;
      for (const { timer } of tasks.values()) if (timer) clearTimeout(timer);
      tasks.clear();
    },
  };
}

/**
 * Reads the payment and keeps only what decides money. Throws if the answer is of another object or of another shape.
 */
async function read({ gateway }: Connection, { kind, id }: PaymentReference): Promise<Payment> {
  const { body } = kind === 'deposit' ? await gateway.getDeposit(id) : await gateway.getWithdrawal(id);
  const payment = paymentSchema.parse(body);
  if (payment.id !== id) throw new Error('the gateway answered with another object');
  return payment;
}

/** A cause without content: bodies and their values stay out of the log. */
export function describe(error: unknown): string {
  if (error instanceof ProblemError) return `${error.status} ${error.code}`;
  return error instanceof Error ? error.name : 'unknown';
}
