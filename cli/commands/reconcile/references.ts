// `gateway reconcile references`: which of a provider's references belong to no payment here. A provider's statement has what these books have
// lost, after a restore to an earlier moment.
import type { Command } from 'commander';
import { depositIdOf, withdrawalIdOf } from '../../../domain/identifiers.js';
import type { Database } from '../../../store/database.js';
import { answer } from '../../context.js';
import { readBytes } from '../../inputs/files.js';
import { examples } from '../../options.js';
import { badInput } from '../../problem.js';
import type { Registrar } from '../../program.js';

const MOST_BYTES = 64 * 1024 * 1024;
const PER_STATEMENT = 5_000;

export function registerReconcileReferences(parent: Command, run: Registrar): void {
  parent
    .command('references')
    .description(
      "Reads the references of a provider's statement (one a line: txid of a charge, reference of a payout) and says which of them belong to no\npayment here. Exit code 1 if there are any.",
    )
    .option('--charges <file>', 'references of charges')
    .option('--payouts <file>', 'references of payouts')
    .addHelpText('after', examples('reconcile references --charges charges.txt --payouts payouts.txt'))
    .action(
      run(async (context, { charges, payouts }: { charges?: string; payouts?: string }) => {
        if (charges === undefined && payouts === undefined)
          throw badInput('--charges', 'or --payouts: name at least one file');
        const [charged, paidOut] = [
          await readReferences('--charges', charges),
          await readReferences('--payouts', payouts),
        ];
        const report = await context.withDatabase(async (database) => ({
          charges: { given: charged.length, unknown: await unknownOf(database, 'deposit', charged, depositIdOf) },
          payouts: { given: paidOut.length, unknown: await unknownOf(database, 'withdrawal', paidOut, withdrawalIdOf) },
        }));
        const ok = report.charges.unknown.length + report.payouts.unknown.length === 0;
        return answer({ ok, ...report }, ok ? 0 : 1);
      }),
    );
}

async function readReferences(field: string, path: string | undefined): Promise<string[]> {
  if (path === undefined) return [];
  const lines = (await readBytes(field, path, MOST_BYTES))
    .toString('utf8')
    .split(/\r?\n/)
    .map((line) => line.trim());
  const references = lines.filter((line) => line !== '');
  const wrong = references.findIndex((reference) => !/^[A-Za-z0-9]{1,100}$/.test(reference));
  if (wrong !== -1) throw badInput(field, `reference ${wrong + 1} is no reference: letters and digits, one a line`);
  return [...new Set(references)];
}

async function unknownOf(
  database: Database,
  kind: 'deposit' | 'withdrawal',
  references: readonly string[],
  idOf: (reference: string) => string,
): Promise<string[]> {
  const unknown: string[] = [];
  for (let start = 0; start < references.length; start += PER_STATEMENT) {
    const page = references.slice(start, start + PER_STATEMENT);
    const where = { id: { in: page.map(idOf) } };
    const rows =
      kind === 'deposit'
        ? await database.deposit.findMany({ where, select: { id: true } })
        : await database.withdrawal.findMany({ where, select: { id: true } });
    const known = new Set(rows.map(({ id }) => id));
    unknown.push(...page.filter((reference) => !known.has(idOf(reference))));
  }
  return unknown;
}
