// `npm start [-- options]`: prepares everything that is missing, then starts the stack.
import { requireSupportedNode } from './bootstrap/node-version.mjs';

requireSupportedNode();
const { parseArgs } = await import('node:util');

const HELP = `npm start [-- options]

Starts the whole gateway on this machine: PostgreSQL, Temporal with its UI, the provider simulator, worker, API, the
providers' ingress and a demo operator; runs a demo deposit and withdrawal; stays until Ctrl-C. What it keeps lies in var/.
Its Temporal is open to every program of this machine: for sandboxes only.

  --exit      end after the demo; exit code 0 only if all of it ended as it should
  --no-demo   do not run the demo
  --sample-day  make a day with payments of every end, closed, in an operation of its own: var/sample-day.json
  --reset     start with empty data: end a stack that runs from this folder, and remove what is in var/
  --help      this text

Environment: GATEWAY_PORT_BASE moves all ports (default 7800), API_PORT, INGRESS_PORT, SIMULATOR_PORT, DEMO_OPERATOR_PORT,
TEMPORAL_PORT, TEMPORAL_UI_PORT, POSTGRES_PORT, WORKER_HEALTH_PORT each one; DATABASE_URL and TEMPORAL_ADDRESS use servers
that already run; POSTGRES_BIN_DIR and TEMPORAL_CLI_PATH choose programs. More: docs/running.md.
`;

/** @returns {{ exit: boolean, reset: boolean, demo: boolean, sampleDay: boolean, help: boolean }} */
function readOptions() {
  const flag = /** @type {const} */ ({ type: 'boolean', default: false });
  try {
    const { values } = parseArgs({
      options: { exit: flag, reset: flag, 'no-demo': flag, 'sample-day': flag, help: { ...flag, short: 'h' } },
    });
    return {
      exit: values.exit === true,
      reset: values.reset === true,
      demo: values['no-demo'] !== true,
      sampleDay: values['sample-day'] === true,
      help: values.help === true,
    };
  } catch (error) {
    process.stderr.write(
      `${error instanceof Error ? error.message.split('\n')[0] : error} See "npm start -- --help".\n`,
    );
    process.exit(2);
  }
}

const options = readOptions();
if (options.help) {
  process.stdout.write(HELP);
  process.exit(0);
}

const { buildTemporalCliEarly } = await import('./bootstrap/temporal-cli.mjs');
// Beside installing and compiling.
void buildTemporalCliEarly(process.env);
const { runBuilt } = await import('./bootstrap/run-built.mjs');
await runBuilt(['tools', 'stack', 'start.js'], ({ start }) => start(options));
