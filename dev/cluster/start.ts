// `npm run cluster`, once everything is built: starts the cluster, runs the demo through its TLS edge, stays until it is asked to end.
import { rmSync } from 'node:fs';
import { printError } from '../bootstrap/failure.mjs';
import { formatDuration, say } from '../bootstrap/progress.mjs';
import { runDemo } from '../demo.js';
import { stopLeftovers } from '../processes/registry.js';
import { onTermination } from '../processes/termination.js';
import { removePlace } from '../servers/postgres-place.js';
import { takeStackLock } from '../stack/lock.js';
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

const EXIT_INTERRUPTED = 130;

/** @returns the exit code; never throws */
export async function startCluster(options: ClusterOptions): Promise<number> {
  let cluster: Cluster | undefined;
  let release: (() => void) | undefined;
  const interrupted = new Promise<number>((resolve) => {
    onTermination((reason, count) => {
      if (count > 1) {
        cluster?.kill();
        process.exit(EXIT_INTERRUPTED);
      }
      say(`\n${reason}: stopping (once more: at once) …`);
      resolve(EXIT_INTERRUPTED);
    });
  });
  try {
    const settings = readClusterSettings(process.env);
    release = await takeStackLock(CLUSTER_PATHS, options.reset);
    await stopLeftovers(CLUSTER_PATHS.processes);
    if (options.reset) removeKept();
    const makeCluster = () => (cluster = new Cluster(settings, process.env));
    const running = options.restoreDrill ? drillRestore(makeCluster).then((ok) => (ok ? 0 : 1)) : run(makeCluster(), settings, options);
    return await Promise.race([running, interrupted]);
  } catch (error) {
    printError(error);
    return 1;
  } finally {
    const startedAt = performance.now();
    await cluster?.stop();
    release?.();
    if (cluster) say(`Everything is stopped (${formatDuration(performance.now() - startedAt)}).`);
  }
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
    await cluster.rollApis();
    ok = (await demonstrate(running)) && ok;
  }
  if (options.deploy) ok = (await drillDeploy(cluster, running)) && ok;
  if (options.exit) return ok ? 0 : 1;
  for (const [name, place] of placesOf(running, settings)) say(`  ${name.padEnd(14)} ${place}`);
  say('\nRunning until Ctrl-C.');
  return new Promise(() => setInterval(() => undefined, 60_000));
}

async function demonstrate({ sandbox, demoOperatorUrl, gateway }: RunningCluster): Promise<boolean> {
  say('');
  const { ok } = await runDemo({ sandbox, demoOperatorUrl, print: say, gateway });
  say(`\n${ok ? '✓ The demo ended as it should.' : '✗ The demo did not end as it should.'}`);
  return ok;
}

function placesOf({ sandbox, demoOperatorUrl }: RunningCluster, settings: ClusterSettings): [string, string][] {
  return [
    ['API', `${sandbox.base_url} (client certificate in var/cluster/demo-client)`],
    ['Temporal UI', sandbox.temporal_ui_url],
    ['Demo operator', `${demoOperatorUrl}/state`],
    ['PostgreSQL', `127.0.0.1:${settings.postgresPort}`],
    ['Credentials', 'var/cluster/sandbox.json'],
    ['Metrics', 'var/cluster/metrics-targets.json names every process’s (for Prometheus’ file_sd_configs)'],
    ['Logs', 'var/cluster/logs/'],
  ];
}
