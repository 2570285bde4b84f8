// How many tasks a worker runs at once. A configuration whose steps would wait for each other's database connections is
// refused at start.
import { z } from 'zod';
import {
  ALL_PROVIDER_QUEUES,
  ALL_TASK_QUEUES,
  BRIEF_CALLS_AT_ONCE,
  STEP_CONNECTION_MS,
  TASK_QUEUES,
  type TaskQueue,
} from '../../contract/temporal/workers.js';
import { SLOTS } from '../../domain/provider-accounts.js';

/** The name for the queues of all providers. */
export const PROVIDERS = 'providers';

const count = (byDefault: number, { min = 1, max = 2_000 } = {}) =>
  z.coerce.number().int().min(min).max(max).default(byDefault);

/**
 * A brief call of a provider, tried while a caller waits, takes a step's slot. This limit leaves slots for steps that
 * call no provider (activities/provider/brief-calls.ts limits them).
 */
const LEAST_STEP_SLOTS = 8 + BRIEF_CALLS_AT_ONCE * SLOTS.length;

const queueNames = z.enum([PROVIDERS, ...ALL_TASK_QUEUES] as [string, ...string[]]);

export const slotsSchema = z.object({
  /** Which task queues this process serves; `providers` for those of all providers. */
  WORKER_TASK_QUEUES: z
    .string()
    .default([...Object.values(TASK_QUEUES), PROVIDERS].join(','))
    .transform((text) => text.split(',').map((name) => name.trim()))
    .pipe(z.array(queueNames).min(1))
    .transform((names) => [
      ...new Set(names.flatMap((name) => (name === PROVIDERS ? ALL_PROVIDER_QUEUES : [name as TaskQueue]))),
    ]),
  /** The number of workflow tasks of the payments queue at once, and the same number of local and of other steps. */
  WORKER_STEP_SLOTS: count(40, { min: LEAST_STEP_SLOTS }),
  /** The number of rules steps at once. */
  WORKER_RULES_SLOTS: count(40),
  /** The number of calls at once for each provider. */
  WORKER_PROVIDER_SLOTS: count(40),
  /** Calls per second of each provider, over all workers. */
  WORKER_PROVIDER_CALLS_PER_SECOND: z.coerce.number().positive().max(10_000).default(100),
  /**
   * The number of deliveries at once. A delivery waits up to 10 s for a receiver that does not answer: with few slots,
   * one such receiver would delay all other webhooks.
   */
  WORKER_DELIVERY_SLOTS: count(1_000),
  /** Workflows kept in memory between their tasks. */
  WORKER_CACHED_WORKFLOWS: z.coerce.number().int().min(0).max(100_000).default(2_000),
});

export type WorkerSlots = z.output<typeof slotsSchema>;

/** The webhooks worker keeps this part of the cached workflows: its workflows are fewer and shorter. */
export const WEBHOOKS_CACHE_PART = 1 / 4;

/** A statement under pressure, about twenty times its usual time. */
const SLOW_STATEMENT_MS = 100;
/** Steps per connection: even the last in line gets it before its wait times out. */
const STEPS_PER_CONNECTION = STEP_CONNECTION_MS / SLOW_STATEMENT_MS;

/** The part of its time that a step of a queue uses a connection; the rest it waits for a provider or a receiver. */
const PROVIDER_CALL_SHARE = 0.1;
const DELIVERY_SHARE = 0.05;

/** How many connections the slots of this process need at least. */
function connectionsNeeded(slots: WorkerSlots): number {
  const { WORKER_STEP_SLOTS: steps, WORKER_RULES_SLOTS: rules, WORKER_DELIVERY_SLOTS: deliveries } = slots;
  const bySort: readonly [served: boolean, steps: number][] = [
    [serves(slots, TASK_QUEUES.payments), 2 * steps],
    [serves(slots, TASK_QUEUES.rules), rules],
    [serves(slots, TASK_QUEUES.webhooks), deliveries * DELIVERY_SHARE],
    ...ALL_PROVIDER_QUEUES.map((queue): [boolean, number] => [
      serves(slots, queue),
      slots.WORKER_PROVIDER_SLOTS * PROVIDER_CALL_SHARE,
    ]),
  ];
  const atOnce = bySort.reduce((sum, [isServed, number]) => sum + (isServed ? number : 0), 0);
  return Math.ceil(atOnce / STEPS_PER_CONNECTION);
}

/** The limits that contradict each other, by the variable to change. */
export function slotProblems(slots: WorkerSlots & { readonly DATABASE_POOL_SIZE: number }) {
  const problems: { variable: string; message: string }[] = [];
  const needed = connectionsNeeded(slots);
  if (slots.DATABASE_POOL_SIZE < needed)
    problems.push({
      variable: 'DATABASE_POOL_SIZE',
      message: `must be at least ${needed} for the slots of this worker (WORKER_…_SLOTS): its steps would wait too long for a connection`,
    });
  const least = leastCache(slots);
  if (slots.WORKER_CACHED_WORKFLOWS < least)
    problems.push({
      variable: 'WORKER_CACHED_WORKFLOWS',
      message:
        `must be at least ${least} for ${slots.WORKER_STEP_SLOTS} workflow tasks at once (WORKER_STEP_SLOTS): ` +
        'a workflow would be dropped from memory during its own step',
    });
  return problems;
}

/** Each workflow task needs its workflow in memory, in the smallest of this process's caches. */
function leastCache(slots: WorkerSlots): number {
  if (serves(slots, TASK_QUEUES.webhooks)) return slots.WORKER_STEP_SLOTS / WEBHOOKS_CACHE_PART;
  return serves(slots, TASK_QUEUES.payments) ? slots.WORKER_STEP_SLOTS : 0;
}

function serves({ WORKER_TASK_QUEUES: queues }: WorkerSlots, queue: TaskQueue): boolean {
  return queues.includes(queue);
}
