// The workers: the task queues that they serve, each of which scales and fails independently; how long their steps may
// take and how many run; and the build that a workflow runs on.
import { type AccountName, type SlotName, slotOf, SLOTS } from '../../domain/provider-accounts.js';

export const TASK_QUEUES = {
  /** Payment workflows and the brief steps in PostgreSQL. No step here waits for a provider's answer for long. */
  payments: 'payments',
  /** The rules engine. */
  rules: 'rules',
  /** Webhook deliveries. */
  webhooks: 'webhooks',
} as const;

type ProviderQueue = `provider-${SlotName}`;

/** The calls of one slot, for all its accounts. A provider that hangs fills its own queue's slots only. */
export const PROVIDER_QUEUES = Object.fromEntries(SLOTS.map((name) => [name, `provider-${name}`])) as Readonly<
  Record<SlotName, ProviderQueue>
>;

export type TaskQueue = (typeof TASK_QUEUES)[keyof typeof TASK_QUEUES] | ProviderQueue;

/** The queues of all providers. */
export const ALL_PROVIDER_QUEUES: readonly TaskQueue[] = Object.values(PROVIDER_QUEUES);
export const ALL_TASK_QUEUES: readonly TaskQueue[] = [...Object.values(TASK_QUEUES), ...ALL_PROVIDER_QUEUES];

/** The queue for calls to the provider's account that a payment's order names. */
export function providerQueueOf({ provider }: { readonly provider: string }): TaskQueue {
  return PROVIDER_QUEUES[slotOf(provider as AccountName)];
}

/** One try of a step that runs as a local activity. What slots, pools and time limits elsewhere have must fit. */
export const LOCAL_STEP_MS = 5_000;
/** One try of a question to the rules. */
export const RULES_STEP_MS = 3_000;

/**
 * PostgreSQL ends a step's statement after this time: before the step's own limit, so that no statement of an abandoned
 * try is stored while the next one runs.
 */
export const STEP_STATEMENT_MS = 2_500;
/** How long a step waits for a free connection. With its statement it stays within `LOCAL_STEP_MS`. */
export const STEP_CONNECTION_MS = 2_000;

/** The same for daily work, whose steps have `BATCH_STEP_MS`. */
export const BATCH_STEP_MS = 30_000;
export const BATCH_STATEMENT_MS = 20_000;
export const BATCH_CONNECTION_MS = 5_000;

/** Brief calls of one provider at once, while callers wait; the next ones are left to the provider's queue. */
export const BRIEF_CALLS_AT_ONCE = 8;

/**
 * After this time another worker takes the task of a workflow whose own worker is gone: early enough to answer the
 * caller of an update.
 */
export const STICKY_TASK_MS = 3_000;

export const DEFAULT_DEPLOYMENT_NAME = 'gateway';

/** Pattern of a deployment name. Temporal keeps one current build per deployment. */
export const DEPLOYMENT_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/;
/** Pattern of a build id: a release, a tag or a commit. */
export const BUILD_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

/**
 * A build of a deployment. Workflows stay on the build that they started on (pinned); new ones start on the current
 * build. A deployment has the workers of every task queue, so activities run on the build of their workflow.
 */
export interface WorkerBuild {
  readonly deploymentName: string;
  readonly buildId: string;
}

/** The build in the format of the search attribute `TemporalWorkerDeploymentVersion`. */
export function buildName({ deploymentName, buildId }: WorkerBuild): string {
  return `${deploymentName}:${buildId}`;
}
