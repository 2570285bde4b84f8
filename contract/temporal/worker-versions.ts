// Which build of the workers a workflow runs on. A workflow stays on the build that it began on (pinned); a new one begins on the
// current build. One deployment holds the workers of every task queue: a workflow's activities are served by its own build.

export const DEFAULT_DEPLOYMENT_NAME = 'gateway';

/** Names the deployment; Temporal keeps one current build for each. */
export const DEPLOYMENT_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/;
/** What the image is called: a release, a tag, a commit. */
export const BUILD_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

/** A build of a deployment. */
export interface WorkerBuild {
  readonly deploymentName: string;
  readonly buildId: string;
}

/** A build as Temporal's search attribute `TemporalWorkerDeploymentVersion` names it. */
export function buildName({ deploymentName, buildId }: WorkerBuild): string {
  return `${deploymentName}:${buildId}`;
}
