// The schedules of the gateway's own workflows. Every worker converges them to the code's definition at its start.
import { createHash } from 'node:crypto';
import { type Client, ScheduleAlreadyRunning, type ScheduleOptions, ScheduleOverlapPolicy } from '@temporalio/client';
import {
  ACCOUNT_SWEEP_WORKFLOW,
  type AccountSweepInput,
  accountSweepSchedule,
  DAY_CLOSE_HOUR_UTC,
  DAY_CLOSE_SCHEDULE,
  DAY_CLOSE_START,
  DAY_CLOSE_WORKFLOW,
  HOUSEKEEPING_HOUR_UTC,
  HOUSEKEEPING_SCHEDULE,
  HOUSEKEEPING_WORKFLOW,
  OPEN_CHECK_MINUTE,
  OPEN_CHECK_SCHEDULE,
  OPEN_CHECK_START,
  OPEN_CHECK_WORKFLOW,
  SWEEP_MINUTES,
  VERIFICATION_HOUR_UTC,
  VERIFICATION_SCHEDULE,
  VERIFICATION_START,
  VERIFICATION_WORKFLOW,
} from '../contract/temporal/scheduled-work.js';
import { TASK_QUEUES } from '../contract/temporal/workers.js';
import type { Provider } from '../providers/port.js';

/** A workflow that runs again and again. One run catches up on missed ones, so runs never overlap. */
export interface OwnSchedule {
  readonly id: string;
  /** In UTC. */
  readonly at: { readonly hour: number | '*'; readonly minute: number | { start: number; end: number; step: number } };
  /** How late a missed run still starts. */
  readonly catchupWindow: '7 days' | '1 hour' | '1 minute';
  readonly workflowType: string;
  readonly args: readonly unknown[];
  readonly summary: string;
}

export const SCHEDULES: readonly OwnSchedule[] = [
  {
    id: DAY_CLOSE_SCHEDULE,
    at: { hour: DAY_CLOSE_HOUR_UTC, minute: 0 },
    catchupWindow: '7 days',
    workflowType: DAY_CLOSE_WORKFLOW,
    args: [DAY_CLOSE_START],
    summary: 'day close · every operation',
  },
  {
    id: HOUSEKEEPING_SCHEDULE,
    at: { hour: HOUSEKEEPING_HOUR_UTC, minute: 0 },
    catchupWindow: '7 days',
    workflowType: HOUSEKEEPING_WORKFLOW,
    args: [],
    summary: 'daily housekeeping · every operation',
  },
  {
    id: VERIFICATION_SCHEDULE,
    at: { hour: VERIFICATION_HOUR_UTC, minute: 0 },
    catchupWindow: '7 days',
    workflowType: VERIFICATION_WORKFLOW,
    args: [VERIFICATION_START],
    summary: 'nightly verification · ledger, audit chain, decisions',
  },
  {
    id: OPEN_CHECK_SCHEDULE,
    at: { hour: '*', minute: OPEN_CHECK_MINUTE },
    catchupWindow: '1 hour',
    workflowType: OPEN_CHECK_WORKFLOW,
    args: [OPEN_CHECK_START],
    summary: 'hourly check · every open payment has its workflow',
  },
];

/** The sweeps of these slots' accounts. */
export function sweepSchedules(providers: readonly Pick<Provider, 'name' | 'lists'>[]): OwnSchedule[] {
  return providers.flatMap(({ name: provider, lists }) =>
    lists.map((part) => ({
      id: accountSweepSchedule(provider, part),
      at: { hour: '*' as const, minute: SWEEP_MINUTES[part] },
      catchupWindow: '1 minute' as const,
      workflowType: ACCOUNT_SWEEP_WORKFLOW,
      args: [{ provider, part, resumed: null } satisfies AccountSweepInput],
      summary: `sweep of the account’s ${part} · ${provider}`,
    })),
  );
}

type Definition = Required<Pick<ScheduleOptions, 'spec' | 'action' | 'policies'>> & { readonly digest: string };

function definitionOf({ id, at, catchupWindow, workflowType, args, summary }: OwnSchedule): Definition {
  const definition = {
    spec: { calendars: [{ ...at, second: 0 }], timezone: 'UTC' },
    action: {
      type: 'startWorkflow' as const,
      workflowType,
      workflowId: id,
      taskQueue: TASK_QUEUES.payments,
      args: [...args],
      staticSummary: summary,
    },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow },
  } satisfies Omit<Definition, 'digest'>;
  const digest = createHash('sha256').update(JSON.stringify(definition)).digest('hex');
  // The server rewrites a definition; the digest recognises ours.
  return { digest, ...definition, action: { ...definition.action, memo: { definition: digest } } };
}

/** Creates the schedule, or changes it to this definition. A pause by people stays as it is. */
export async function ensureSchedule(client: Client, schedule: OwnSchedule): Promise<'made' | 'changed' | 'kept'> {
  const { digest, spec, action, policies } = definitionOf(schedule);
  try {
    await client.schedule.create({ scheduleId: schedule.id, spec, action, policies });
    return 'made';
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
  const handle = client.schedule.getHandle(schedule.id);
  const found = await handle.describe();
  if (found.action.memo?.['definition'] === digest) return 'kept';
  await handle.update(({ state }) => ({ spec, action, policies, state }));
  return 'changed';
}

export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Creates or changes the schedule in the background, with retries. Payments do not depend on it. */
export function keepSchedule(client: Client, schedule: OwnSchedule, log: Log, pauseMs = 60_000): { stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const attempt = async () => {
    try {
      const outcome = await client.withDeadline(Date.now() + 10_000, () => ensureSchedule(client, schedule));
      log.info({ schedule: schedule.id, outcome }, 'scheduled');
    } catch (error) {
      log.warn(
        { schedule: schedule.id, error: error instanceof Error ? error.name : 'unknown' },
        'a schedule could not be made; trying again',
      );
      if (!stopped) timer = setTimeout(() => void attempt(), pauseMs).unref();
    }
  };
  void attempt();
  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
