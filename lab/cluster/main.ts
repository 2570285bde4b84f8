// `npm run cluster`: starts the cluster, runs the demo through the TLS edge, runs until interrupted.
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { formatDuration, say } from '../../tools/bootstrap/progress.mjs';
import { stopLeftovers } from '../../tools/processes/registry.js';
import { removePlace } from '../../tools/servers/postgres-place.js';
import { panelPlaces } from '../../tools/stack/sandbox.js';
import { demonstrate, inSession, stayWith } from '../../tools/stack/session.js';
import { Cluster, CLUSTER_PATHS } from './cluster.js';
import type { RunningCluster } from './cluster.js';
import { drillRestore } from './restore-drill.js';
import { readClusterSettings } from './settings.js';
import type { ClusterSettings } from './settings.js';

const HELP = `npm run cluster [-- options]

Starts the production shape without containers: Temporal's four roles and its UI on PostgreSQL, api nodes behind an
nginx edge that demands client certificates, a worker per task queue, the provider simulator and the demo operator. Runs
the demo of "npm start" through the edge and stays until Ctrl-C. Keeps its data in var/cluster/.

  --exit      end after the demo; exit code 0 only if all of it ended as it should
  --no-demo   do not run the demo
  --roll      then restart the api nodes one after the other, and run the demo again
  --restore-drill
              instead of the demo: payments, a base backup, more payments; then destroys the data, restores it to an
              instant between them, checks everything and ends
  --reset     start with empty data: remove what earlier starts kept in var/cluster/
  --help      this text

Environment: GATEWAY_CLUSTER_PORT_BASE moves all ports (default 7900); GATEWAY_CLUSTER_API_NODES and
GATEWAY_CLUSTER_PAYMENT_WORKERS say how many of each run (default 2). Needs Go (the Temporal server is built once) and nginx
(taken from the system's packages where it is missing). More: docs/running.md.
`;

/** @returns the exit code; never throws */
export async function main(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  if (typeof options === 'string') {
    say(options);
    return options === HELP ? 0 : 2;
  }
  return inSession({
    settings: () => readClusterSettings(process.env),
    paths: CLUSTER_PATHS,
    stopRunning: options.reset,
    work: async (settings, own) => {
      await stopLeftovers(CLUSTER_PATHS.processes);
      if (options.reset) removeKept();
      const makeCluster = () => own(new Cluster(settings, process.env));
      if (options['restore-drill']) return (await drillRestore(makeCluster)) ? 0 : 1;
      return run(makeCluster(), settings, options);
    },
  });
}

type Flag = 'exit' | 'reset' | 'roll' | 'restore-drill' | 'no-demo';
type ClusterOptions = Readonly<Record<Flag, boolean>>;

/** A text: what to say instead of starting anything. */
function readOptions(args: readonly string[]): ClusterOptions | string {
  const flag = { type: 'boolean', default: false } as const;
  const flags = { exit: flag, reset: flag, roll: flag, 'restore-drill': flag, 'no-demo': flag };
  try {
    const { help, ...values } = parseArgs({
      args: [...args],
      options: { ...flags, help: { ...flag, short: 'h' } },
    }).values;
    return help ? HELP : values;
  } catch (error) {
    return `${(error as Error).message.split('\n')[0]} See "npm run cluster -- --help".`;
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
  let ok = options['no-demo'] || (await demonstrate(running));
  if (options.roll) {
    await cluster.rollFronts();
    ok = (await demonstrate(running)) && ok;
  }
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
