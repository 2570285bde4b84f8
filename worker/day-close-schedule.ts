// Makes the schedule of the nightly day close, once: every worker tries at its start, and the first one makes it.
import { type Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';
import { DAY_CLOSE_HOUR_UTC, DAY_CLOSE_SCHEDULE, DAY_CLOSE_START, DAY_CLOSE_WORKFLOW, type DayCloseInput } from '../contract/temporal/day-close.js';
import { TASK_QUEUES } from '../contract/temporal/task-queues.js';

type DayCloseWorkflow = (input: DayCloseInput) => Promise<unknown>;

/** Makes the schedule unless it is there; one that operations staff have paused or changed stays as it is. */
export async function ensureDayCloseSchedule(client: Client): Promise<'made' | 'kept'> {
  try {
    await client.schedule.create<DayCloseWorkflow>({
      scheduleId: DAY_CLOSE_SCHEDULE,
      spec: { calendars: [{ hour: DAY_CLOSE_HOUR_UTC, minute: 0, second: 0 }], timezone: 'UTC' },
      action: {
        type: 'startWorkflow',
        workflowType: DAY_CLOSE_WORKFLOW,
        workflowId: DAY_CLOSE_SCHEDULE,
        taskQueue: TASK_QUEUES.payments,
        args: [DAY_CLOSE_START],
        staticSummary: 'day close · every operation',
      },
      // One run catches up every missed day, so runs never pile up.
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

/** Keeps trying, beside the worker: a day that is not closed at night is frozen by its first read, so nothing waits for this. */
export function keepDayCloseSchedule(client: Client, log: Log, pauseMs = 60_000): { stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const attempt = async () => {
    try {
      const outcome = await client.withDeadline(Date.now() + 10_000, () => ensureDayCloseSchedule(client));
      log.info({ schedule: DAY_CLOSE_SCHEDULE, outcome }, 'day close scheduled');
    } catch (error) {
      log.warn({ schedule: DAY_CLOSE_SCHEDULE, error: error instanceof Error ? error.name : 'unknown' }, 'the day close could not be scheduled; trying again');
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
