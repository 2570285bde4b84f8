// `gateway reconcile verify`: checks a closed day through the API, as the operator would.
import type { Command } from 'commander';
import type { GatewayClient, OperatorRecord, ReconciliationDay } from '../../../client/index.js';
import { type Answer, answer, type CommandContext, type Registrar } from '../../context.js';
import { readOperationFilter } from '../../inputs/identifiers.js';
import { examples } from '../../options.js';
import { badInput, refused } from '../../problem.js';
import { currencyOption, dateOption, readCurrency, readDay } from './day-options.js';

interface Options {
  readonly date: string;
  readonly currency: string;
  readonly operation?: string;
  readonly csv?: string;
  readonly keyId?: string;
  readonly secret?: string;
  readonly webhookSecret?: string;
  readonly baseUrl?: string;
}

/** All differences are counted; only these are printed. */
const MOST_DIFFERENCES = 1_000;
const GIVE_UP_AFTER_MS = 30_000;

export function registerVerify(reconcile: Command, run: Registrar): void {
  reconcile
    .command('verify')
    .summary('Verify a closed day through the API')
    .description(
      'Verify a closed day through the API, as the operator would: read every page, compute the digest again, ' +
        "verify its signature, and add up the totals. With --csv, also compare it with the operator's own " +
        'records.\n\n' +
        'Without --key-id, --secret and --webhook-secret it uses the sandbox operation of "npm start" ' +
        '(var/sandbox.json).\n\n' +
        'Exit code 1 if anything differs.',
    )
    .addOption(dateOption())
    .addOption(currencyOption())
    .option('--operation <id>', 'check that the key belongs to this operation (op_…)')
    .option('--csv <file>', "the operator's records: columns external_id, kind, amount (minor units)")
    .option('--key-id <id>', 'the key (key_test_… or key_live_…)')
    .option('--secret <secret>', 'its secret')
    .option('--webhook-secret <secret>', 'the webhook secret that signs the digest (during a rotation, either one)')
    .option('--base-url <url>', 'the URL of the API, ending in /v1')
    .addHelpText(
      'after',
      examples('reconcile verify --date 2026-11-20', 'reconcile verify --date 2026-11-20 --csv settled.csv'),
    )
    .action(run(verify));
}

async function verify(_context: CommandContext, options: Options): Promise<Answer> {
  const day = { date: readDay('--date', options.date), currency: readCurrency(options.currency) };
  const operationId = readOperationFilter(options.operation);
  const [{ readCredential }, { readOperatorRecords }, client] = await Promise.all([
    import('../../inputs/credential.js'),
    import('./operator-records.js'),
    import('../../../client/index.js'),
  ]);
  const credential = readCredential(options);
  const webhookSecret = options.webhookSecret ?? credential.webhookSecret;
  if (webhookSecret === null || webhookSecret === '')
    throw badInput('--webhook-secret', 'is needed to verify the signature');
  const records = options.csv === undefined ? null : await readOperatorRecords('--csv', options.csv);

  const gateway = client.createGatewayClient({ ...credential, giveUpAfterMs: GIVE_UP_AFTER_MS });
  try {
    if (operationId !== null) await assertOperation(gateway, operationId);
    return check(client, await client.readReconciliationDay(gateway, day), webhookSecret, records);
  } catch (error) {
    throw error instanceof client.ProblemError || error instanceof client.NoAnswerError
      ? refused(error.message)
      : error;
  } finally {
    await gateway.close();
  }
}

/** The checks of a day that was read, and with `records` the differences from the operator's own. */
function check(
  client: typeof import('../../../client/index.js'),
  day: ReconciliationDay,
  webhookSecret: string,
  records: readonly OperatorRecord[] | null,
): Answer {
  const digest = client.reconciliationDigest(day.items);
  const checks = {
    digest: digest === day.digest,
    signature: client.verifyReconciliationSignature({ ...day, digest }, [webhookSecret]),
    order: client.isReconciliationOrdered(day.items),
    totals: sameTotals(client.reconciliationTotals(day.items, day.currency), day.totals),
  };
  const differences = records === null ? null : client.compareReconciliation(day.items, records);
  const ok = Object.values(checks).every(Boolean) && (differences === null || differences.length === 0);
  return answer(
    {
      ok,
      ...presentDay(day, digest),
      checks,
      ...(differences === null ? {} : presentDifferences(records?.length ?? 0, differences)),
    },
    ok ? 0 : 1,
  );
}

async function assertOperation(gateway: GatewayClient, operationId: string): Promise<void> {
  const { body } = await gateway.ping();
  if (body.operation_id !== operationId)
    throw refused(`the key belongs to ${body.operation_id}, not to ${operationId}`);
}

function sameTotals(computed: object, stated: object): boolean {
  const sorted = (totals: object) => JSON.stringify(Object.entries(totals).sort(([a], [b]) => (a < b ? -1 : 1)));
  return sorted(computed) === sorted(stated);
}

function presentDay({ date, currency, items, totals, digest: stated, pages }: ReconciliationDay, computed: string) {
  return { date, currency, pages, items: items.length, totals, digest: { stated, computed } };
}

function presentDifferences(records: number, differences: readonly object[]) {
  return { records, difference_count: differences.length, differences: differences.slice(0, MOST_DIFFERENCES) };
}
