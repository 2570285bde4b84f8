// `gateway temporal …`: the Temporal namespace that payments run in.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import { answer, type CommandContext } from '../context.js';
import { examples, wholeNumber } from '../options.js';
import { isCommandProblem } from '../problem.js';
import type { Registrar } from '../program.js';

const LONGEST_WAIT_SECONDS = 600;
const LEAST_RETENTION_HOURS = 24;
const MOST_RETENTION_HOURS = 24 * 365;
const LOOK_AGAIN_MS = 1_000;

interface Options {
  readonly retentionHours: number;
  readonly wait: number;
}

export function registerTemporalPrepare(parent: Command, run: Registrar): void {
  parent
    .command('prepare')
    .summary('make the namespace ready for the gateway')
    .description(
      'Makes the namespace (TEMPORAL_NAMESPACE) if it is not there, sets how long closed workflows are kept, adds the search attributes that\n' +
        'are missing, and waits until the cluster answers by them. Run it before the first start and before each deploy; it may be repeated.',
    )
    .addOption(
      numberOption(
        '--retention-hours <n>',
        'how long closed workflows are kept',
        72,
        LEAST_RETENTION_HOURS,
        MOST_RETENTION_HOURS,
      ),
    )
    .addOption(numberOption('--wait <seconds>', 'wait for Temporal to answer', 60, 0, LONGEST_WAIT_SECONDS))
    .addHelpText('after', examples('temporal prepare', 'temporal prepare --retention-hours 168 --wait 120'))
    .action(
      run(async (context, options: Options) => {
        const [{ readTemporalConfig }, { prepareNamespace }] = await Promise.all([
          import('../../platform/config/cli.js'),
          import('../../platform/temporal/namespace.js'),
        ]);
        const { TEMPORAL_NAMESPACE: namespace } = readTemporalConfig(context.environment);
        const prepared = await whenItAnswers(context, options.wait, (connection) =>
          prepareNamespace(connection, namespace, options.retentionHours),
        );
        return answer({
          namespace,
          created: prepared.created,
          retention_hours: prepared.retentionHours,
          search_attributes_added: prepared.added,
        });
      }),
    );
}

type Connection = import('@temporalio/client').Connection;

/** A server that was started in the same moment takes some seconds to listen. */
async function whenItAnswers<Result>(
  context: CommandContext,
  waitSeconds: number,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  for (const deadline = Date.now() + waitSeconds * 1_000; ; await sleep(LOOK_AGAIN_MS)) {
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
