// Which build of the workers new payments start on, and moving open payments to another build. Temporal does it; the
// audit trail has the person first.
import { setTimeout as sleep } from 'node:timers/promises';
import { isUnanswered } from '../../platform/temporal/calls.js';
import { type Deployment, findBuild, unservedQueues } from '../../platform/temporal/worker-builds.js';
import type { Database } from '../../store/database.js';
import type { Actor } from '../../store/staff/acts.js';
import { mayNow } from '../../store/staff/people.js';
import { auditedFirst } from './audited-first.js';

const RETRY_AFTER_MS = 1_000;

export interface DeploymentServices {
  readonly database: Database;
  /** Runs `work` with the deployment of a connected Temporal: connected only for a person who may. */
  withDeployment<Result>(work: (deployment: Deployment) => Promise<Result>): Promise<Result>;
}

export interface Promotion {
  readonly buildId: string;
  /** The share of new payments, in percent; 0 ends a ramp; `null`: the build becomes the current one. */
  readonly ramp: number | null;
  /** How long to wait for the build's workers. */
  readonly waitSeconds: number;
}

export type PromotionResult =
  /** `before`: the build that was current; `null` if none was. */
  | { readonly kind: 'promoted'; readonly before: string | null }
  /** A task queue has no worker of the build, or Temporal refused. */
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'not_permitted' };

/** Starts new payments on a build, or a share of them. */
export async function promote(
  { database, withDeployment }: DeploymentServices,
  person: Actor,
  { buildId, ramp, waitSeconds }: Promotion,
): Promise<PromotionResult> {
  if (!(await mayNow(database, person, 'deploy.change', null))) return { kind: 'not_permitted' };
  return withDeployment(async (deployment) => {
    const untilMs = Date.now() + waitSeconds * 1_000;
    const missing = () => (ramp === 0 ? Promise.resolve(null) : unserved(deployment, buildId));
    const start = () =>
      ramp === null ? deployment.makeCurrent(buildId, person.handle) : deployment.ramp(buildId, ramp, person.handle);
    let before: string | null = null;
    const absent = await untilPossible(untilMs, async () => {
      before ??= await currentBuild(deployment);
      return missing();
    });
    if (absent !== null) return { kind: 'refused', why: absent };
    const detail = { before, ramp_percent: ramp };
    const act = { person, action: 'deploy.promote', operationId: null, subject: buildId, detail } as const;
    return auditedFirst<PromotionResult>(database, act, ['refused'], async () => {
      const why = await untilPossible(untilMs, async () => (await missing()) ?? (await start()));
      return why === null ? { kind: 'promoted', before } : { kind: 'refused', why };
    });
  });
}

export type MoveResult =
  | { readonly kind: 'moved'; readonly moved: number; readonly notOpenThere: readonly string[] }
  /** `buildId` is not known, or a task queue has no worker of it. */
  | { readonly kind: 'refused'; readonly buildId: string; readonly why: string }
  | { readonly kind: 'not_permitted' };

/** Moves the open workflows of a build to another one: those with these ids, or with none of them all. */
export async function moveOpen(
  { database, withDeployment }: DeploymentServices,
  person: Actor,
  { from, to, ids }: { readonly from: string; readonly to: string; readonly ids: readonly string[] },
): Promise<MoveResult> {
  if (!(await mayNow(database, person, 'deploy.change', null))) return { kind: 'not_permitted' };
  return withDeployment(async (deployment) => {
    const found = await findBuild(deployment, from);
    if (typeof found === 'string') return { kind: 'refused', buildId: from, why: found };
    const why = await unserved(deployment, to);
    if (why !== null) return { kind: 'refused', buildId: to, why };
    const detail = { from, ids: [...ids] };
    const act = { person, action: 'deploy.move', operationId: null, subject: to, detail } as const;
    return auditedFirst<MoveResult>(database, act, [], () => moveAll(deployment, { from, to, only: new Set(ids) }));
  });
}

/** Moves every open workflow that Temporal's index lists, or only some of them. */
async function moveAll(
  deployment: Deployment,
  { from, to, only }: { readonly from: string; readonly to: string; readonly only: ReadonlySet<string> },
): Promise<MoveResult> {
  const moved = new Set<string>();
  const closed = new Set<string>();
  for await (const { workflowId } of deployment.open(from)) {
    if (only.size > 0 && !only.has(workflowId)) continue;
    ((await deployment.move(workflowId, to)) ? moved : closed).add(workflowId);
  }
  const notOpenThere = [...only].filter((id) => !moved.has(id) && !closed.has(id));
  return { kind: 'moved', moved: moved.size, notOpenThere };
}

/** Retries until `attempt` answers null, or the time is over. Answers the last problem; null if it was done. */
async function untilPossible(untilMs: number, attempt: () => Promise<string | null>): Promise<string | null> {
  for (; ; await sleep(RETRY_AFTER_MS)) {
    const isLast = Date.now() >= untilMs;
    const problem = await attempt().catch((error: unknown) => explainUnanswered(error, isLast));
    if (problem === null || isLast) return problem;
  }
}

/**
 * A call that Temporal did not answer can be repeated: a build that is current is made current once more. Throws the
 * error of the last call: whether it was done is unknown.
 */
function explainUnanswered(error: unknown, isLast: boolean): string {
  if (isLast || !isUnanswered(error)) throw error;
  return 'Temporal did not answer in time';
}

async function currentBuild(deployment: Deployment): Promise<string | null> {
  return (await deployment.builds()).find(({ state }) => state === 'current')?.buildId ?? null;
}

/** Why payments cannot start on the build; null if every queue has a worker of it. */
async function unserved(deployment: Deployment, buildId: string): Promise<string | null> {
  const found = await findBuild(deployment, buildId);
  if (typeof found === 'string') return found;
  const queues = unservedQueues(found);
  return queues.length === 0
    ? null
    : `no worker of it serves ${queues.join(', ')}; a payment that starts on it would wait there for ever`;
}
