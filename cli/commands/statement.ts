// `gateway statement`: a provider's statement and balance, compared with the books.
import type { Command } from 'commander';
import { formatBrl } from '../../domain/money.js';
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
  const statement = program.command('statement').description("Compare a provider's statement with the books");
  statement
    .command('import')
    .summary('Import a day of a statement and compare it')
    .description(
      "Import a day of a provider's statement from a CSV file and compare it with the books, line by line. Lines that " +
        'were imported before are left as they are; one that says something else now refuses the file, and so does ' +
        'one that was settled on another day. Every open difference of the account is compared again.\n\n' +
        'Exit code 1 if the day does not agree.',
    )
    .argument('<slot>', ACCOUNT_HELP)
    .argument('<day>', DAY)
    .addArgument(
      new FileArgument('<file>', 'CSV: id,kind,amount,settled_at,end_to_end_id[,return_id]', MOST_STATEMENT_BYTES),
    )
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
    .command('differences')
    .summary('List the open differences of an account')
    .description(
      'List the open differences between the account and the books, oldest first: of its statements, and of the ' +
        'balance that the provider states.\n\nExit code 1 if there is one that nobody has explained.',
    )
    .argument('<slot>', ACCOUNT_HELP)
    .option('--all', 'also those that people have explained')
    .addOption(limitOption(200, 1_000))
    .addHelpText('after', examples('statement differences a', 'statement differences a --all'))
    .action(run(differences));
  statement
    .command('resolve')
    .summary('Explain a difference that stays')
    .description(
      'Explain why a difference needs nothing more. Its alert ends, and no money moves. A difference that a later ' +
        'statement or booking settles ends by itself.\n\n' +
        'In production this creates a request that a second person approves.',
    )
    .argument('<slot>', ACCOUNT_HELP)
    .argument('<id>', 'of the difference (sti_…)')
    .requiredOption('--reason <text>', 'why; kept with the difference, so no names, documents or addresses')
    .addOption(personOption('who asks for it'))
    .addHelpText('after', examples('statement resolve a sti_… --reason "the bank corrected it with line 8817"'))
    .action(run(resolve));
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
export const ITEM_NOT_OPEN = 'the difference is none any more, or was explained';

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

async function differences(
  context: CommandContext,
  slot: string,
  { all = false, limit }: { all?: boolean; limit: number },
): Promise<Answer> {
  const provider = readAccount('SLOT', slot);
  const { readItems } = await import('../../store/statements/items.js');
  const order = { all, take: limit + 1, now: new Date() };
  const items = await context.withDatabase((database) => readItems(database, provider, order));
  const isOpen = items.some(({ explained }) => explained === null);
  return answer({ slot: provider, differences: listed(context, 'differences', items, limit) }, isOpen ? 1 : 0);
}

const inBrl = (minor: string | null) => (minor === null ? null : formatBrl(BigInt(minor)));

async function resolve(
  context: CommandContext,
  slot: string,
  id: string,
  options: { reason: string; as?: string },
): Promise<Answer> {
  const provider = readAccount('SLOT', slot);
  const reason = readGivenReason(options.reason);
  const { readItem } = await import('../../store/statements/items.js');
  const item = await context.withDatabase((database) => readItem(database, provider, id));
  if (item === null) throw refused(`${id}: ${provider} has no such difference; see gateway statement differences`);
  const { day, comparison, reference } = item;
  const [statement, ledger] = [inBrl(item.statement), inBrl(item.ledger)];
  const payload = { item: id, provider, day, comparison, reference, statement, ledger, reason };
  const changed = await changeOf(context, options.as, { kind: 'statement_resolution', operationId: null, payload });
  switch (changed.kind) {
    case 'requested':
      return answer({ slot: provider, resolved: null, requests: [changed.request] });
    case 'item_not_open':
      throw refused(`${id}: ${ITEM_NOT_OPEN}`);
    case 'done':
      return answer({ slot: provider, resolved: changed.item });
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
