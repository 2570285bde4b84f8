// `gateway statement`: a provider's statement, compared with the ledger and the payments.
import type { Command } from 'commander';
import { actorOf, notPermitted } from '../actor.js';
import { changeOf } from '../change.js';
import { type Answer, answer, type CommandContext, type Registrar } from '../context.js';
import { readGivenReason } from '../inputs/identifiers.js';
import { ACCOUNT_HELP, readAccount } from '../inputs/provider-account.js';
import { FileArgument } from '../inputs/named-file.js';
import { MOST_STATEMENT_BYTES } from '../inputs/sizes.js';
import { readStatementFile } from '../inputs/statement-file.js';
import { listed } from '../limits.js';
import { examples, limitOption, personOption, wholeNumber } from '../options.js';
import { refused } from '../problem.js';
import { readDay } from './reconcile/day-options.js';

const CLOCK = "Brasília's time";
const DAY = `the statement's day in ${CLOCK}, YYYY-MM-DD`;

export function registerStatement(program: Command, run: Registrar): void {
  const statement = program
    .command('statement')
    .description("Compare a provider's statement with the ledger and the payments");
  statement
    .command('import')
    .summary('Import a day of a statement and compare it')
    .description(
      "Import a day of a provider's statement from a CSV file and compare it with the ledger and the payments. Lines " +
        'that were imported before are left as they are; one that says something else now refuses the file, and so ' +
        'does one that was settled on another day. The days beside it are compared again.\n\n' +
        'Exit code 1 if the day does not agree.',
    )
    .argument('<slot>', ACCOUNT_HELP)
    .argument('<day>', DAY)
    .addArgument(new FileArgument('<file>', 'CSV: id,kind,amount,settled_at,end_to_end_id', MOST_STATEMENT_BYTES))
    .addOption(personOption('who imports it'))
    .addHelpText('after', examples('statement import a 2026-11-23 extrato.csv'))
    .action(run(importDay));
  statement
    .command('remove')
    .summary('Take back an imported day')
    .description(
      'Take back a day that was imported wrongly: what was imported stays on record and counts no more, and the day can ' +
        'be imported again.\n\nIn production this creates a request that a second person approves.',
    )
    .argument('<slot>', ACCOUNT_HELP)
    .argument('<day>', DAY)
    .requiredOption('--reason <text>', 'why; kept with the removal, so no names, documents or addresses')
    .addOption(personOption('who asks for it'))
    .addHelpText('after', examples('statement remove a 2026-11-23 --reason "the file of the day before"'))
    .action(run(remove));
  statement
    .command('show')
    .description('Show what the comparison of a day came to. Exit code 1 if it does not agree.')
    .argument('<slot>', ACCOUNT_HELP)
    .argument('<day>', DAY)
    .option('--revision <n>', 'an earlier comparison (default: the last)', wholeNumber(1, 999_999))
    .addHelpText('after', examples('statement show a 2026-11-23', 'statement show a 2026-11-23 --revision 1'))
    .action(run(show));
  statement
    .command('list')
    .description('List the imported days of a slot, newest first')
    .argument('<slot>', ACCOUNT_HELP)
    .addOption(limitOption(200, 1_000))
    .addHelpText('after', examples('statement list a'))
    .action(run(list));
}

async function importDay(
  context: CommandContext,
  slot: string,
  dayText: string,
  path: string,
  options: { as?: string },
): Promise<Answer> {
  const of = { provider: readAccount('SLOT', slot), day: readDay('DAY', dayText, CLOCK) };
  const lines = await readStatementFile(context, path);
  const actor = await actorOf(context, options.as);
  const { importStatement } = await import('../../staff/acts/statements.js');
  const outcome = await context.withDatabase((database) => importStatement(database, actor, of, lines));
  switch (outcome.kind) {
    case 'not_permitted':
      throw notPermitted(actor.handle, 'statement.import');
    case 'day_not_over':
      throw refused(`${of.provider} ${of.day}: is not over in ${CLOCK}; import it tomorrow`);
    case 'line_of_another_day': {
      const { id, settledAt } = outcome.line;
      throw refused(`line ${id}: was settled at ${settledAt}, which is not ${of.day} in ${CLOCK}`);
    }
    case 'line_changed': {
      const { id, day } = outcome.line;
      throw refused(`line ${id}: was imported with ${day} and says something else now`);
    }
    case 'imported':
      return shown(context, of, null, { imported: outcome.imported });
  }
}

export const STATEMENT_CHANGED = 'other lines are imported for that day by now';

async function remove(
  context: CommandContext,
  slot: string,
  dayText: string,
  options: { reason: string; as?: string },
): Promise<Answer> {
  const of = { provider: readAccount('SLOT', slot), day: readDay('DAY', dayText, CLOCK) };
  const reason = readGivenReason(options.reason);
  const { importedLines } = await import('../../store/statements/removals.js');
  const seen = await context.withDatabase((database) => importedLines(database, of));
  if (seen.lines === 0) throw refused(`${of.provider} ${of.day}: nothing is imported`);
  const payload = { ...of, ...seen, reason };
  const changed = await changeOf(context, options.as, { kind: 'statement_removal', operationId: null, payload });
  const order = { slot: of.provider, day: of.day };
  switch (changed.kind) {
    case 'requested':
      return answer({ ...order, lines_removed: 0, requests: [changed.request] });
    case 'statement_changed':
      throw refused(`${of.provider} ${of.day}: ${STATEMENT_CHANGED}`);
    case 'done':
      return answer({ ...order, lines_removed: changed.lines });
  }
}

function show(context: CommandContext, slot: string, day: string, { revision }: { revision?: number }) {
  return shown(context, { provider: readAccount('SLOT', slot), day: readDay('DAY', day, CLOCK) }, revision ?? null, {});
}

async function shown(
  context: CommandContext,
  of: { readonly provider: ReturnType<typeof readAccount>; readonly day: string },
  revision: number | null,
  more: object,
): Promise<Answer> {
  const { readStatementDay } = await import('../../store/statements/days.js');
  const compared = await context.withDatabase((database) => readStatementDay(database, of, revision));
  if (compared === null) throw refused(`${of.provider} ${of.day}: no such comparison; import the day first`);
  return answer({ slot: of.provider, ...more, ...compared }, compared.ok ? 0 : 1);
}

async function list(context: CommandContext, slot: string, { limit }: { limit: number }): Promise<Answer> {
  const provider = readAccount('SLOT', slot);
  const { readStatementDays } = await import('../../store/statements/days.js');
  const rows = await context.withDatabase((database) => readStatementDays(database, provider, limit + 1));
  return answer({ slot: provider, days: listed(context, 'days', rows, limit) });
}
