// Creates the schedules of the daily workflows. Every worker tries at its start; the first one creates them.
import { type Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';
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
import { TASK_QUEUES } from '../contract/temporal/task-queues.js';

/** A workflow that runs daily at a full hour. One run catches up on missed ones, so runs never overlap. */
export interface DailySchedule {
  readonly id: string;
  readonly hourUtc: number;
  readonly workflowType: string;
  readonly args: readonly unknown[];
  readonly summary: string;
}

export const SCHEDULES: readonly DailySchedule[] = [
  {
    id: DAY_CLOSE_SCHEDULE,
    hourUtc: DAY_CLOSE_HOUR_UTC,
    workflowType: DAY_CLOSE_WORKFLOW,
    args: [DAY_CLOSE_START],
    summary: 'day close · every operation',
  },
  {
    id: HOUSEKEEPING_SCHEDULE,
    hourUtc: HOUSEKEEPING_HOUR_UTC,
    workflowType: HOUSEKEEPING_WORKFLOW,
    args: [],
    summary: 'daily housekeeping · every operation',
  },
];

/** Creates the schedule unless it exists. A schedule that operations staff paused or changed is not touched. */
export async function ensureSchedule(
  client: Client,
  { id, hourUtc, workflowType, args, summary }: DailySchedule,
): Promise<'made' | 'kept'> {
  try {
    await client.schedule.create({
      scheduleId: id,
      spec: { calendars: [{ hour: hourUtc, minute: 0, second: 0 }], timezone: 'UTC' },
      action: {
        type: 'startWorkflow',
        workflowType,
        workflowId: id,
        taskQueue: TASK_QUEUES.payments,
        args: [...args],
        staticSummary: summary,
      },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '7 days' },
    });
    return 'made';
  } catch (error) {
    if (error instanceof ScheduleAlreadyRunning) return 'kept';
    throw error;
  }
}

export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Creates the schedule in the background, with retries. Payments do not depend on it. */
export function keepSchedule(client: Client, schedule: DailySchedule, log: Log, pauseMs = 60_000): { stop(): void } {
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
