// The build of the workers that a workflow runs on. Workflows stay on the build that they started on (pinned); new ones
// start on the current build. A deployment has the workers of every task queue, so activities run on the build of their
// workflow.

export const DEFAULT_DEPLOYMENT_NAME = 'gateway';

/** Pattern of a deployment name. Temporal keeps one current build per deployment. */
export const DEPLOYMENT_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/;
/** Pattern of a build id: a release, a tag or a commit. */
export const BUILD_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

/** A build of a deployment. */
export interface WorkerBuild {
  readonly deploymentName: string;
  readonly buildId: string;
}

/** The build in the format of the search attribute `TemporalWorkerDeploymentVersion`. */
export function buildName({ deploymentName, buildId }: WorkerBuild): string {
  return `${deploymentName}:${buildId}`;
}
