// `npm run cluster`, once everything is built: starts the cluster, runs the demo through the TLS edge, runs until
// interrupted.
import { rmSync } from 'node:fs';
import { formatDuration, say } from '../bootstrap/progress.mjs';
import { stopLeftovers } from '../processes/registry.js';
import { removePlace } from '../servers/postgres-place.js';
import { panelPlaces } from '../stack/sandbox.js';
import { demonstrate, inSession, stayWith } from '../stack/session.js';
import { Cluster, CLUSTER_PATHS } from './cluster.js';
import type { RunningCluster } from './cluster.js';
import { drillDeploy } from './deploy-drill.js';
import { drillRestore } from './restore-drill.js';
import { readClusterSettings } from './settings.js';
import type { ClusterSettings } from './settings.js';

export interface ClusterOptions {
  /** End after the demo, with its result as exit code. */
  readonly exit: boolean;
  readonly demo: boolean;
  /** Restart the api nodes one by one, then run the demo again. */
  readonly roll: boolean;
  /** Then deploy a new build of the workers in the middle of payments. */
  readonly deploy: boolean;
  /** Instead of the demo: lose the data and restore it to an instant. */
  readonly restoreDrill: boolean;
  /** Remove what earlier starts kept. */
  readonly reset: boolean;
}

/** @returns the exit code; never throws */
export function startCluster(options: ClusterOptions): Promise<number> {
  return inSession({
    settings: () => readClusterSettings(process.env),
    paths: CLUSTER_PATHS,
    stopRunning: options.reset,
    work: async (settings, own) => {
      await stopLeftovers(CLUSTER_PATHS.processes);
      if (options.reset) removeKept();
      const makeCluster = () => own(new Cluster(settings, process.env));
      if (options.restoreDrill) return (await drillRestore(makeCluster)) ? 0 : 1;
      return run(makeCluster(), settings, options);
    },
  });
}

function removeKept(): void {
  removePlace(CLUSTER_PATHS.postgres);
  rmSync(CLUSTER_PATHS.folder, { recursive: true, force: true });
}

async function run(cluster: Cluster, settings: ClusterSettings, options: ClusterOptions): Promise<number> {
  const startedAt = performance.now();
  const running = await cluster.start();
  say(`\nThe cluster is up at ${running.sandbox.base_url} (${formatDuration(performance.now() - startedAt)}).`);
  let ok = options.demo ? await demonstrate(running) : true;
  if (options.roll) {
    await cluster.rollFronts();
    ok = (await demonstrate(running)) && ok;
  }
  if (options.deploy) ok = (await drillDeploy(cluster, running)) && ok;
  if (options.exit) return ok ? 0 : 1;
  return stayWith(placesOf(running, settings));
}

function placesOf({ sandbox, demoOperatorUrl }: RunningCluster, settings: ClusterSettings): [string, string][] {
  return [
    ['API', `${sandbox.base_url} (client certificate in var/cluster/demo-client)`],
    ['Temporal UI', sandbox.temporal_ui_url],
    ...panelPlaces(sandbox),
    ['Demo operator', `${demoOperatorUrl}/state`],
    ['PostgreSQL', `127.0.0.1:${settings.postgresPort}`],
    ['Credentials', 'var/cluster/sandbox.json'],
    ['Metrics', 'var/cluster/metrics-targets.json names every process’s (for Prometheus’ file_sd_configs)'],
    ['Logs', 'var/cluster/logs/'],
  ];
}
