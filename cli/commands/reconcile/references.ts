// `gateway reconcile references`: which of a provider's references belong to no payment here. After a restore to an
// earlier moment, the provider's statement has the payments that this database lost.
import type { Command } from 'commander';
import { type Answer, answer, type CommandContext, type Registrar } from '../../context.js';
import { FileOption } from '../../inputs/named-file.js';
import { MOST_REFERENCES_BYTES } from '../../inputs/sizes.js';
import { examples } from '../../options.js';
import { badInput } from '../../problem.js';

interface Options {
  readonly charges?: string;
  readonly payouts?: string;
}

export function registerReferences(reconcile: Command, run: Registrar): void {
  reconcile
    .command('references')
    .summary('Find references of a provider that belong to no payment')
    .description(
      "Find references in a provider's statement that belong to no payment here. The files have one reference " +
        'per line: the txid of a charge, the reference of a payout.\n\n' +
        'Exit code 1 if there are any.',
    )
    .addOption(new FileOption('--charges <file>', 'references of charges', MOST_REFERENCES_BYTES))
    .addOption(new FileOption('--payouts <file>', 'references of payouts', MOST_REFERENCES_BYTES))
    .addHelpText('after', examples('reconcile references --charges charges.txt --payouts payouts.txt'))
    .action(run(findUnknown));
}

async function findUnknown(context: CommandContext, { charges, payouts }: Options): Promise<Answer> {
  if (charges === undefined && payouts === undefined)
    throw badInput('--charges', 'or --payouts: name at least one file');
  const [charged, paidOut] = [
    await readReferences(context, '--charges', charges),
    await readReferences(context, '--payouts', payouts),
  ];
  const { unknownReferences } = await import('../../../staff/reads/references.js');
  const report = await context.withDatabase(async (database) => ({
    charges: { given: charged.length, unknown: await unknownReferences(database, 'deposit', charged) },
    payouts: { given: paidOut.length, unknown: await unknownReferences(database, 'withdrawal', paidOut) },
  }));
  const ok = report.charges.unknown.length + report.payouts.unknown.length === 0;
  return answer({ ok, ...report }, ok ? 0 : 1);
}

async function readReferences(context: CommandContext, field: string, path: string | undefined): Promise<string[]> {
  if (path === undefined) return [];
  const lines = (await context.readFile(field, path, MOST_REFERENCES_BYTES))
    .toString('utf8')
    .split(/\r?\n/)
    .map((line) => line.trim());
  const references = lines.filter((line) => line !== '');
  const wrong = references.findIndex((reference) => !/^[A-Za-z0-9]{1,100}$/.test(reference));
  if (wrong !== -1) throw badInput(field, `reference ${wrong + 1} is no reference: letters and digits, one a line`);
  return [...new Set(references)];
}
