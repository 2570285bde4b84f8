// The schedules of the gateway's own workflows. Every worker converges them to the code's definition at its start.
import { createHash } from 'node:crypto';
import { type Client, ScheduleAlreadyRunning, type ScheduleOptions, ScheduleOverlapPolicy } from '@temporalio/client';
import {
  DAY_CLOSE_HOUR_UTC,
  DAY_CLOSE_SCHEDULE,
  DAY_CLOSE_START,
  DAY_CLOSE_WORKFLOW,
} from '../contract/temporal/day-close.js';
import {
  HOUSEKEEPING_HOUR_UTC,
  HOUSEKEEPING_SCHEDULE,
  HOUSEKEEPING_WORKFLOW,
} from '../contract/temporal/housekeeping.js';
import {
  OPEN_CHECK_MINUTE,
  OPEN_CHECK_SCHEDULE,
  OPEN_CHECK_START,
  OPEN_CHECK_WORKFLOW,
} from '../contract/temporal/open-check.js';
import { TASK_QUEUES } from '../contract/temporal/task-queues.js';
import {
  VERIFICATION_HOUR_UTC,
  VERIFICATION_SCHEDULE,
  VERIFICATION_START,
  VERIFICATION_WORKFLOW,
} from '../contract/temporal/verification.js';

/** A workflow that runs daily, or every hour. One run catches up on missed ones, so runs never overlap. */
export interface OwnSchedule {
  readonly id: string;
  /** Null: every hour. */
  readonly hourUtc: number | null;
  readonly minute: number;
  readonly workflowType: string;
  readonly args: readonly unknown[];
  readonly summary: string;
}

export const SCHEDULES: readonly OwnSchedule[] = [
  {
    id: DAY_CLOSE_SCHEDULE,
    hourUtc: DAY_CLOSE_HOUR_UTC,
    minute: 0,
    workflowType: DAY_CLOSE_WORKFLOW,
    args: [DAY_CLOSE_START],
    summary: 'day close · every operation',
  },
  {
    id: HOUSEKEEPING_SCHEDULE,
    hourUtc: HOUSEKEEPING_HOUR_UTC,
    minute: 0,
    workflowType: HOUSEKEEPING_WORKFLOW,
    args: [],
    summary: 'daily housekeeping · every operation',
  },
  {
    id: VERIFICATION_SCHEDULE,
    hourUtc: VERIFICATION_HOUR_UTC,
    minute: 0,
    workflowType: VERIFICATION_WORKFLOW,
    args: [VERIFICATION_START],
    summary: 'nightly verification · ledger, audit chain, decisions',
  },
  {
    id: OPEN_CHECK_SCHEDULE,
    hourUtc: null,
    minute: OPEN_CHECK_MINUTE,
    workflowType: OPEN_CHECK_WORKFLOW,
    args: [OPEN_CHECK_START],
    summary: 'hourly check · every open payment has its workflow',
  },
];

const EVERY_HOUR = '*';

type Definition = Required<Pick<ScheduleOptions, 'spec' | 'action' | 'policies'>> & { readonly digest: string };

function definitionOf({ id, hourUtc, minute, workflowType, args, summary }: OwnSchedule): Definition {
  const definition = {
    spec: { calendars: [{ hour: hourUtc ?? EVERY_HOUR, minute, second: 0 }], timezone: 'UTC' },
    action: {
      type: 'startWorkflow' as const,
      workflowType,
      workflowId: id,
      taskQueue: TASK_QUEUES.payments,
      args: [...args],
      staticSummary: summary,
    },
    policies: {
      overlap: ScheduleOverlapPolicy.SKIP,
      catchupWindow: hourUtc === null ? ('1 hour' as const) : ('7 days' as const),
    },
  } satisfies Omit<Definition, 'digest'>;
  const digest = createHash('sha256').update(JSON.stringify(definition)).digest('hex');
  // The server rewrites a definition; the digest recognises ours.
  return { digest, ...definition, action: { ...definition.action, memo: { definition: digest } } };
}

/**
 * Creates the schedule, or changes it to this definition. Whether it is paused is people's business and stays as it is.
 */
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
