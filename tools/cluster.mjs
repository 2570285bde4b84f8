// `npm run cluster [-- OPTIONS]`: the production shape as processes on this machine.
import { requireSupportedNode } from './bootstrap/node-version.mjs';

requireSupportedNode();
const { parseArgs } = await import('node:util');

const HELP = `npm run cluster [-- options]

Starts the production shape without containers: Temporal's four roles and its UI on PostgreSQL, api nodes behind an
nginx edge that demands client certificates, a worker per task queue, the provider simulator and the demo operator. Runs
the demo of "npm start" through the edge and stays until Ctrl-C. Keeps its data in var/cluster/.

  --exit      end after the demo; exit code 0 only if all of it ended as it should
  --no-demo   do not run the demo
  --roll      then restart the api nodes one after the other, and run the demo again
  --deploy    then start a new build of the workers in the middle of payments, promote it, and end the old one
              one when its payments have ended
  --restore-drill
              instead of the demo: payments, a base backup, more payments; then destroys the data, restores it to an
              instant between them, checks everything and ends
  --reset     start with empty data: remove what earlier starts kept in var/cluster/
  --help      this text

Environment: GATEWAY_CLUSTER_PORT_BASE moves all ports (default 7900); GATEWAY_CLUSTER_API_NODES and
GATEWAY_CLUSTER_PAYMENT_WORKERS say how many of each run (default 2). Needs Go (the Temporal server is built once) and nginx
(taken from the system's packages where it is missing). More: docs/running.md.
`;

/**
 * @returns {{ exit: boolean, reset: boolean, demo: boolean, roll: boolean, deploy: boolean, restoreDrill: boolean,
 * help: boolean }}
 */
function readOptions() {
  const flag = /** @type {const} */ ({ type: 'boolean', default: false });
  try {
    const { values } = parseArgs({
      options: {
        exit: flag,
        reset: flag,
        roll: flag,
        deploy: flag,
        'restore-drill': flag,
        'no-demo': flag,
        help: { ...flag, short: 'h' },
      },
    });
    return {
      exit: values.exit === true,
      reset: values.reset === true,
      roll: values.roll === true,
      deploy: values.deploy === true,
      restoreDrill: values['restore-drill'] === true,
      demo: values['no-demo'] !== true,
      help: values.help === true,
    };
  } catch (error) {
    process.stderr.write(
      `${error instanceof Error ? error.message.split('\n')[0] : error} See "npm run cluster -- --help".\n`,
    );
    process.exit(2);
  }
}

const options = readOptions();
if (options.help) {
  process.stdout.write(HELP);
  process.exit(0);
}

const { runBuilt } = await import('./bootstrap/run-built.mjs');
await runBuilt(['tools', 'cluster', 'start.js'], ({ startCluster }) => startCluster(options));
