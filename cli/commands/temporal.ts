// `gateway temporal`: prepare the Temporal namespace, and renew the credentials of a deployment's Temporal and its
// callers.
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import { type Answer, answer, type CommandContext, type Registrar } from '../context.js';
import { examples, wholeNumber } from '../options.js';
import { isCommandProblem } from '../problem.js';

const DEFAULT_RETENTION_HOURS = 72;
const LEAST_RETENTION_HOURS = 24;
const MOST_RETENTION_HOURS = 24 * 365;
const DEFAULT_WAIT_SECONDS = 60;
const LONGEST_WAIT_SECONDS = 600;
const RETRY_AFTER_MS = 1_000;

export function registerTemporal(program: Command, run: Registrar): void {
  const temporal = program.command('temporal').description('Prepare the Temporal namespace and its access');
  registerPrepare(temporal, run);
  registerRenewAccess(temporal, run);
}

interface Options {
  readonly retentionHours: number;
  readonly wait: number;
}

function registerPrepare(temporal: Command, run: Registrar): void {
  temporal
    .command('prepare')
    .summary('Prepare the Temporal namespace')
    .description(
      'Prepare the namespace (TEMPORAL_NAMESPACE): create it if it is missing, set how long closed workflows ' +
        'are kept, add missing search attributes, and wait until the cluster can query them.\n\n' +
        'Run it before the first start and before each deploy. It can be repeated.',
    )
    .addOption(
      numberOption(
        '--retention-hours <n>',
        'how long closed workflows are kept',
        DEFAULT_RETENTION_HOURS,
        LEAST_RETENTION_HOURS,
        MOST_RETENTION_HOURS,
      ),
    )
    .addOption(
      numberOption('--wait <seconds>', 'how long to wait for Temporal', DEFAULT_WAIT_SECONDS, 0, LONGEST_WAIT_SECONDS),
    )
    .addHelpText('after', examples('temporal prepare', 'temporal prepare --retention-hours 168 --wait 120'))
    .action(run(prepare));
}

function registerRenewAccess(temporal: Command, run: Registrar): void {
  temporal
    .command('renew-access')
    .summary('Renew the certificates and tokens between Temporal and its callers')
    .description(
      "Renew what Temporal in containers and its callers know each other by (gateway setup made the first): the server's " +
        'certificates, and a token for each kind of caller. Run it after a suspected leak.\n\n' +
        'Then replace the containers: docker compose up -d --force-recreate. Until all of them are new, calls fail ' +
        'and payments wait.',
    )
    .argument('<folder>', 'the folder deployment/')
    .addHelpText('after', examples('temporal renew-access deployment'))
    .action(
      run(async (_context, folder: string) => {
        const { renewTemporalAccess } = await import('./setup/deployment.js');
        await renewTemporalAccess(resolve(folder));
        return answer({ folder: resolve(folder) });
      }),
    );
}

async function prepare(context: CommandContext, options: Options): Promise<Answer> {
  const [{ readTemporalConfig }, { prepareNamespace }] = await Promise.all([
    import('../../platform/config/cli.js'),
    import('../../platform/temporal/namespace.js'),
  ]);
  const { namespace } = readTemporalConfig(context.environment);
  const prepared = await retryUntilConnected(context, options.wait, (connection) =>
    prepareNamespace(connection, namespace, options.retentionHours),
  );
  return answer({
    namespace,
    created: prepared.created,
    retention_hours: prepared.retentionHours,
    search_attributes_added: prepared.added,
  });
}

type Connection = import('@temporalio/client').Connection;

/** Retries while Temporal does not answer: a server that just started takes some seconds. */
async function retryUntilConnected<Result>(
  context: CommandContext,
  waitSeconds: number,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  for (const deadline = Date.now() + waitSeconds * 1_000; ; await sleep(RETRY_AFTER_MS)) {
    try {
      return await context.withTemporal((client) => work(client.connection as Connection));
    } catch (error) {
      if (!isCommandProblem(error) || Date.now() >= deadline) throw error;
    }
  }
}

function numberOption(flags: string, what: string, byDefault: number, least: number, most: number): Option {
  return new Option(flags, `${what}, ${least} to ${most}`).default(byDefault).argParser(wholeNumber(least, most));
}
