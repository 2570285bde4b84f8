// `gateway reconcile verify`: a closed day checked from outside, as the operator would.
import { type Command, Option } from 'commander';
import type { GatewayClient, ReconciliationDay } from '../../../client/index.js';
import { type Answer, answer } from '../../context.js';
import { readDay } from './date.js';
import { readId } from '../../inputs/identifiers.js';
import { examples } from '../../options.js';
import { badInput, refused } from '../../problem.js';
import type { Registrar } from '../../program.js';
import { currencyOption, readCurrency } from './days.js';

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

/** A broken record on either side is seen from a few; they are counted all. */
const MOST_DIFFERENCES = 1_000;
const GIVE_UP_AFTER_MS = 30_000;

export function registerReconcileVerify(parent: Command, run: Registrar): void {
  parent
    .command('verify')
    .description(
      'Reads a closed day through the API as the operator would: every page, the digest computed again, its signature verified, and the\n' +
        "totals added up. With --csv also the difference against the operator's own records. Exit code 1 if anything does not agree.\n" +
        'Without --key-id, --secret and --webhook-secret the sandbox operation of "npm start" reads (var/sandbox.json).',
    )
    .addOption(new Option('--date <day>', 'the UTC day, YYYY-MM-DD').makeOptionMandatory())
    .addOption(currencyOption())
    .option('--operation <id>', "make sure that the key is this operation's (op_…)")
    .option('--csv <file>', "the operator's records: columns external_id, kind, amount (minor units)")
    .option('--key-id <id>', 'the key (key_test_… or key_live_…)')
    .option('--secret <secret>', 'its secret')
    .option('--webhook-secret <secret>', 'the webhook secret that signs the digest (during a rotation either one)')
    .option('--base-url <url>', 'where the API is, ending in /v1')
    .addHelpText(
      'after',
      examples('reconcile verify --date 2026-11-20', 'reconcile verify --date 2026-11-20 --csv settled.csv'),
    )
    .action(run(async (_context, options: Options) => verify(options)));
}

async function verify(options: Options): Promise<Answer> {
  const date = readDay('--date', options.date);
  const currency = readCurrency(options.currency);
  const operationId = options.operation === undefined ? null : readId('operation', '--operation', options.operation);
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
    const day = await client.readReconciliationDay(gateway, { date, currency });
    const digest = client.reconciliationDigest(day.items);
    const checks = {
      digest: digest === day.digest,
      signature: client.verifyReconciliationSignature({ ...day, digest }, [webhookSecret]),
      order: client.isReconciliationOrdered(day.items),
      totals: sameTotals(client.reconciliationTotals(day.items, currency), day.totals),
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
  } catch (error) {
    throw error instanceof client.ProblemError || error instanceof client.NoAnswerError
      ? refused(error.message)
      : error;
  } finally {
    await gateway.close();
  }
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
