// Temporal for tests that judge what workflows decide: the lab's model of it (lab/temporal), with the real workflow
// code over given activities, in this process. No server, no worker.
import { readFile } from 'node:fs/promises';
import type { Client, WorkflowClient } from '@temporalio/client';
import type { temporal } from '@temporalio/proto';
import type { GatewayActivities } from '../../activities/index.js';
import { ALL_TASK_QUEUES, TASK_QUEUES, type TaskQueue } from '../../contract/temporal/workers.js';
import { Chance } from '../../lab/machine/chance.js';
import { LabProcess } from '../../lab/machine/processes.js';
import type { HostedRun, Serving, Step } from '../../lab/temporal/host.js';
import { LabTemporal } from '../../lab/temporal/server.js';
import type { Command, Job } from '../../lab/temporal/workflow-code.js';
import type { RunningTemporal } from './temporal.js';
import { workflowCode } from './temporal.js';
import { TestTime } from './test-time.js';

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;

/** The model, and its time. */
export interface ModelledTemporal extends RunningTemporal {
  readonly model: LabTemporal;
  /** For what takes a whole client. */
  readonly wholeClient: Client;
  /** Skips time; everything that falls due meanwhile happens. */
  sleep(milliseconds: number): Promise<void>;
  /** Time waits for it, as for an activity. */
  during<T>(work: Promise<T>): Promise<T>;
  /** The workers of all queues are there, or none is. */
  setWorkers(areThere: boolean): void;
  /** What failed in a way that no retry mends, or was tried again because the workflow's code failed. */
  readonly faults: readonly string[];
}

/** The process whose work time waits for. */
class Worker extends LabProcess {
  constructor(private readonly time: TestTime) {
    super('worker');
  }

  override run<T>(work: () => T): T {
    const result = super.run(work);
    return (result instanceof Promise ? this.time.during(result) : result) as T;
  }
}

export interface ModelSettings {
  /** After so many events a run continues in a new one. */
  readonly longHistoryEvents?: number;
}

/** Starts it. It costs nothing but what happens in it. */
export function modelTemporal(
  activities: GatewayActivities,
  { longHistoryEvents }: ModelSettings = {},
): ModelledTemporal {
  const time = new TestTime(Date.now());
  const histories = new Map<HostedRun, HistoryEvent[]>();
  const faults: string[] = [];
  const model = new LabTemporal({
    clock: time,
    chance: new Chance(Date.now()),
    processorMs: () => 0,
    watch: {
      activated: () => undefined,
      tried: () => undefined,
      taskFailed: ({ workflowId }, message) => void faults.push(`${workflowId}: ${message}`),
      broken: ({ workflowId }, error) => void faults.push(`${workflowId}: ${String(error)}`),
      sometimes: () => undefined,
    },
  });
  model.taskDelayMs = () => 0;
  model.readBundle = bundleText;
  model.onRecorded = (run, recorded) => {
    const history = histories.get(run) ?? [];
    histories.set(run, history);
    history.push(...eventsOf(recorded));
  };
  if (longHistoryEvents !== undefined) model.suggestsContinueAsNew = ({ events }) => events > longHistoryEvents;
  const workers = workersOf(activities, new Worker(time));
  model.serve(workers);
  const wholeClient = clientOf(model, histories);
  return {
    model,
    wholeClient,
    client: wholeClient.workflow,
    faults,
    nowMs: async () => time.nowMs,
    sleep: (milliseconds) => time.sleep(milliseconds),
    during: (work) => time.during(work),
    setWorkers: (areThere) => model.serve(areThere ? workers : new Map()),
    close: async () => {
      time.close();
      for (const run of model.openRuns) run.terminate('the test is over');
    },
  };
}

async function bundleText(): Promise<string> {
  const bundle = await workflowCode();
  return 'code' in bundle ? bundle.code : readFile(bundle.codePath, 'utf8');
}

function workersOf(
  { payments, rules, webhooks, providers }: GatewayActivities,
  process: LabProcess,
): Map<TaskQueue, Serving> {
  const offered = { [TASK_QUEUES.payments]: payments, [TASK_QUEUES.rules]: rules, [TASK_QUEUES.webhooks]: webhooks };
  const serving = (queue: TaskQueue): Serving => {
    const steps: object = queue in offered ? offered[queue as keyof typeof offered] : providers;
    return { process, activities: { ...steps } as Record<string, Step>, steps: Object.keys(steps) };
  };
  return new Map(ALL_TASK_QUEUES.map((queue) => [queue, serving(queue)]));
}

/** As the SDK's, with histories. A test that hangs fails by its own time limit: calls have none. */
function clientOf(model: LabTemporal, histories: ReadonlyMap<HostedRun, readonly HistoryEvent[]>): Client {
  const client = model.client();
  const withDeadline = (_: unknown, call: () => Promise<unknown>) => call();
  const getHandle = (workflowId: string, runId?: string) => ({
    ...client.workflow.getHandle(workflowId, runId),
    fetchHistory: async () => {
      const runs = model.allRuns.filter((run) => run.workflowId === workflowId);
      const run = runId === undefined ? runs.at(-1) : runs.find((one) => one.runId === runId);
      return { events: (run && histories.get(run)) ?? [] };
    },
  });
  const start: WorkflowClient['start'] = async (type, options) => {
    const { firstExecutionRunId } = await client.workflow.start(type, options);
    return { ...getHandle(options.workflowId), firstExecutionRunId } as never;
  };
  const workflow = { ...client.workflow, start, getHandle, withDeadline } as unknown as WorkflowClient;
  return { ...client, workflow, withDeadline } as unknown as Client;
}

/** What of a history tests ask for. */
function eventsOf(recorded: Job | Command): HistoryEvent[] {
  const { userMetadata } = recorded as Command;
  const noted = (event: HistoryEvent): HistoryEvent[] => [{ ...event, ...(userMetadata && { userMetadata }) }];
  if ('updateResponse' in recorded && recorded.updateResponse?.accepted != null)
    return noted({ workflowExecutionUpdateAcceptedEventAttributes: {} });
  if ('doUpdate' in recorded && recorded.doUpdate != null) return [];
  if ('scheduleActivity' in recorded && recorded.scheduleActivity != null) {
    const { activityType, arguments: payloads } = recorded.scheduleActivity;
    const attributes = { activityType: { name: activityType ?? '' }, input: { payloads: payloads ?? [] } };
    return noted({ activityTaskScheduledEventAttributes: attributes });
  }
  if ('startTimer' in recorded && recorded.startTimer != null) return noted({ timerStartedEventAttributes: {} });
  if ('failWorkflowExecution' in recorded && recorded.failWorkflowExecution != null)
    return noted({
      workflowExecutionFailedEventAttributes: { failure: recorded.failWorkflowExecution.failure ?? null },
    });
  if ('cancelTimer' in recorded && recorded.cancelTimer != null) return noted({ timerCanceledEventAttributes: {} });
  return [];
}
