// The builds of the workers as Temporal knows them, and the routing of new workflows to them. Open workflows are
// counted by Temporal's index, which lags a little. "drained" is Temporal's own state, which accounts for that lag.
import { type Client, isGrpcServiceError } from '@temporalio/client';
import { ALL_TASK_QUEUES, buildName, type TaskQueue, type WorkerBuild } from '../../contract/temporal/workers.js';

/** In the order of a build's life. A draining build still has workflows pinned to it. */
export type BuildState = 'inactive' | 'ramping' | 'current' | 'draining' | 'drained';

export interface BuildStatus {
  readonly buildId: string;
  readonly state: BuildState;
  /** The share of new workflows that start on it while it is ramping. */
  readonly rampPercent: number | null;
  /** Open workflows that are pinned to this build. */
  readonly openWorkflows: number;
  /** How many workers of this build polled each queue recently. */
  readonly workers: Readonly<Record<TaskQueue, number>>;
}

export interface OpenWorkflow {
  readonly workflowId: string;
  readonly type: string;
  readonly startedAt: string;
}

const CALL_TIMEOUT_MS = 10_000;
/** A poll lasts a minute at most. */
const SEEN_WITHIN_MS = 90_000;
const STATES: readonly (BuildState | undefined)[] = [
  undefined,
  'inactive',
  'current',
  'ramping',
  'draining',
  'drained',
];
const GRPC_NOT_FOUND = 5;
const GRPC_FAILED_PRECONDITION = 9;
/** Values of Temporal's enumerations, for which the client has no names. */
const QUEUE_OF_ACTIVITIES = 2;
const PINNED = 1;
const QUEUES = ALL_TASK_QUEUES;

export class Deployment {
  constructor(
    private readonly client: Client,
    readonly name: string,
  ) {}

  /** Every build that Temporal knows, oldest first; none before the first worker with a build has started. */
  async builds(): Promise<BuildStatus[]> {
    const [known, workers] = [await this.known(), await this.workersByBuild()];
    const builds: BuildStatus[] = [];
    for (const { buildId, state, rampPercent } of known) {
      // A drained build has no open workflows, and there can be many drained builds.
      const openWorkflows = state === 'drained' ? 0 : await this.countOpen(buildId);
      builds.push({ buildId, state, rampPercent, openWorkflows, workers: workers(buildId) });
    }
    return builds;
  }

  /** Starts new workflows on this build; open ones stay on theirs. @returns why Temporal refused, or `null` */
  makeCurrent(buildId: string, identity: string): Promise<string | null> {
    return this.refusal((service, namespace) =>
      service.setWorkerDeploymentCurrentVersion({ namespace, deploymentName: this.name, buildId, identity }),
    );
  }

  /** Starts this share of new workflows on this build; 0 ends the ramp. @returns why Temporal refused, or `null` */
  ramp(buildId: string, percentage: number, identity: string): Promise<string | null> {
    return this.refusal((service, namespace) =>
      service.setWorkerDeploymentRampingVersion({
        namespace,
        deploymentName: this.name,
        buildId: percentage === 0 ? '' : buildId,
        percentage,
        identity,
      }),
    );
  }

  /** The open workflows of a build, newest first. */
  async *open(buildId: string): AsyncIterable<OpenWorkflow> {
    for await (const { workflowId, type, startTime } of this.client.workflow.list({ query: this.openOn(buildId) })) {
      yield { workflowId, type, startedAt: startTime.toISOString() };
    }
  }

  /** Pins an open workflow to another build, where its next task replays its history. `false` if it is closed. */
  async move(workflowId: string, buildId: string): Promise<boolean> {
    const pinned = { behavior: PINNED, version: this.versionOf(buildId) };
    try {
      await this.call((service, namespace) =>
        service.updateWorkflowExecutionOptions({
          namespace,
          workflowExecution: { workflowId },
          workflowExecutionOptions: { versioningOverride: { pinned } },
          updateMask: { paths: ['versioning_override'] },
        }),
      );
      return true;
    } catch (error) {
      if (isGrpcServiceError(error) && (error.code as number) === GRPC_NOT_FOUND) return false;
      throw error;
    }
  }

  /** Temporal refuses to route to a build until it has registered the build's queues, shortly after the first polls. */
  private async refusal(ask: Parameters<Deployment['call']>[0]): Promise<string | null> {
    try {
      await this.call(ask);
      return null;
    } catch (error) {
      if (isGrpcServiceError(error) && (error.code as number) === GRPC_FAILED_PRECONDITION) return error.details;
      throw error;
    }
  }

  private versionOf(buildId: string): WorkerBuild {
    return { deploymentName: this.name, buildId };
  }

  private openOn(buildId: string): string {
    return `TemporalWorkerDeploymentVersion = "${buildName(this.versionOf(buildId))}" AND ExecutionStatus = "Running"`;
  }

  private async countOpen(buildId: string): Promise<number> {
    return (
      await this.client.withDeadline(Date.now() + CALL_TIMEOUT_MS, () =>
        this.client.workflow.count(this.openOn(buildId)),
      )
    ).count;
  }

  private async known(): Promise<Pick<BuildStatus, 'buildId' | 'state' | 'rampPercent'>[]> {
    try {
      const { workerDeploymentInfo: info } = await this.call((service, namespace) =>
        service.describeWorkerDeployment({ namespace, deploymentName: this.name }),
      );
      const summaries = [...(info?.versionSummaries ?? [])].sort(
        (one, other) => Number(one.createTime?.seconds ?? 0) - Number(other.createTime?.seconds ?? 0),
      );
      return summaries.flatMap(({ deploymentVersion, status }) => {
        const [buildId, state] = [deploymentVersion?.buildId, STATES[status ?? 0]];
        if (!buildId || state === undefined) return [];
        return [
          {
            buildId,
            state,
            rampPercent: state === 'ramping' ? (info?.routingConfig?.rampingVersionPercentage ?? null) : null,
          },
        ];
      });
    } catch (error) {
      if (isGrpcServiceError(error) && (error.code as number) === GRPC_NOT_FOUND) return [];
      throw error;
    }
  }

  /** Counts workers by the activity pollers of each queue; every queue has activities. */
  private async workersByBuild(): Promise<(buildId: string) => Record<TaskQueue, number>> {
    const since = Date.now() - SEEN_WITHIN_MS;
    const seen: { queue: TaskQueue; buildId: string | null | undefined }[] = [];
    for (const queue of QUEUES) {
      const { pollers } = await this.call((service, namespace) =>
        service.describeTaskQueue({ namespace, taskQueue: { name: queue }, taskQueueType: QUEUE_OF_ACTIVITIES }),
      );
      for (const { deploymentOptions, lastAccessTime } of pollers ?? []) {
        const isOurs =
          deploymentOptions?.deploymentName === this.name && Number(lastAccessTime?.seconds ?? 0) * 1_000 >= since;
        if (isOurs) seen.push({ queue, buildId: deploymentOptions.buildId });
      }
    }
    return (buildId) =>
      Object.fromEntries(
        QUEUES.map((queue) => [queue, seen.filter((one) => one.queue === queue && one.buildId === buildId).length]),
      ) as Record<TaskQueue, number>;
  }

  private call<Result>(
    ask: (service: Client['workflowService'], namespace: string) => Promise<Result>,
  ): Promise<Result> {
    return this.client.withDeadline(Date.now() + CALL_TIMEOUT_MS, () =>
      ask(this.client.workflowService, this.client.options.namespace),
    );
  }
}

/** Queues without a worker of this build. A pinned workflow would wait for them for ever. */
export function unservedQueues({ workers }: BuildStatus): TaskQueue[] {
  return QUEUES.filter((queue) => workers[queue] === 0);
}

/** The build, or an error text that lists the known builds. */
export async function findBuild(deployment: Deployment, buildId: string): Promise<BuildStatus | string> {
  const builds = await deployment.builds();
  const names = builds.map((build) => build.buildId).join(', ');
  const known = names === '' ? 'no build is known' : `known: ${names}`;
  const unknown = `no worker of it has started in the deployment ${deployment.name} (${known})`;
  return builds.find((build) => build.buildId === buildId) ?? unknown;
}
