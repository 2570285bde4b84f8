// `gateway list add|remove|entries`: the block and review lists of an operation. A value is never printed back.
import { type Command, Option } from 'commander';
import { answer, type CommandContext } from '../context.js';
import { readId, readPerson } from '../inputs/identifiers.js';
import { assertOperation } from '../inputs/existing.js';
import { cut, sayMore } from '../limits.js';
import { examples, limitOption, operationOption, personOption } from '../options.js';
import { badInput, refused } from '../problem.js';
import type { Registrar } from '../program.js';

interface Options {
  readonly operation: string;
  readonly list: string;
  readonly kind: string;
  readonly as?: string;
}

const LISTS = ['block', 'review'];
const KINDS = ['player', 'pix_key', 'document', 'ip', 'device'];

const COMMANDS = {
  add: { description: 'Puts a value on the block or review list of an operation.', changed: 'added' },
  remove: { description: 'Takes a value off the block or review list of an operation.', changed: 'removed' },
} as const;

export function registerListEntries(parent: Command, run: Registrar): void {
  for (const [name, { description, changed }] of Object.entries(COMMANDS)) {
    parent
      .command(name)
      .description(`${description} Nothing to change is no fault: "${changed}" says false then.`)
      .addOption(operationOption())
      .addOption(new Option('--list <list>', 'which list').choices(LISTS).makeOptionMandatory())
      .addOption(new Option('--kind <kind>', 'what the value is').choices(KINDS).makeOptionMandatory())
      .argument('<value>', 'the player reference, PIX key, document number, IP address or network, or device id')
      .addOption(personOption('who changes it'))
      .addHelpText(
        'after',
        examples(
          `list ${name} --operation op_0123456789abcdef0123456789abcdef --list block --kind player player-7`,
          `list ${name} --operation op_0123456789abcdef0123456789abcdef --list review --kind ip 203.0.113.0/24`,
        ),
      )
      .action(
        run(async (context, value: string, options: Options) => {
          const entry = {
            operationId: readId('operation', '--operation', options.operation),
            list: options.list,
            kind: options.kind,
            value,
            person: readPerson(options.as),
          };
          const done = await changeList(context, name as keyof typeof COMMANDS, entry);
          return answer({ operation_id: entry.operationId, list: entry.list, kind: entry.kind, [changed]: done });
        }),
      );
  }
}

export function registerListShow(parent: Command, run: Registrar): void {
  parent
    .command('entries')
    .description(
      'Lists the entries of an operation’s block and review lists, oldest first: who added each and when. ' +
        'Values are not shown: the start of the keyed hash, as in the audit trail, and the last three characters ' +
        'tell entries apart.',
    )
    .addOption(operationOption())
    .addOption(new Option('--list <list>', 'only this list').choices(LISTS))
    .addOption(new Option('--kind <kind>', 'only entries of this kind').choices(KINDS))
    .addOption(limitOption(200, 10_000))
    .addHelpText(
      'after',
      examples(
        'list entries --operation op_0123456789abcdef0123456789abcdef',
        'list entries --operation op_0123456789abcdef0123456789abcdef --list block --kind player',
      ),
    )
    .action(
      run(async (context, options: { operation: string; list?: string; kind?: string; limit: number }) => {
        const operationId = readId('operation', '--operation', options.operation);
        const sealer = await context.sealer();
        const { readListEntries } = await import('../../store/rules/list-entries.js');
        const read = await context.withDatabase(async (database) => {
          await assertOperation(database, operationId);
          return readListEntries(database, sealer, {
            operationId,
            list: options.list ?? null,
            kind: options.kind ?? null,
            take: options.limit + 1,
          });
        });
        const { rows, more } = cut(read, options.limit);
        if (more) sayMore(context, 'entries', options.limit);
        return answer({ operation_id: operationId, entries: rows, more });
      }),
    );
}

async function changeList(
  context: CommandContext,
  name: keyof typeof COMMANDS,
  entry: { operationId: string; list: string; kind: string; value: string; person: string },
) {
  const sealer = await context.sealer();
  const { addToList, ListEntryError, removeFromList } = await import('../../store/rules/lists.js');
  const change = { add: addToList, remove: removeFromList }[name];
  return context.withDatabase(async (database) => {
    const exists = (await database.operation.count({ where: { id: entry.operationId } })) === 1;
    if (!exists) throw refused(`operation ${entry.operationId}: there is no such operation`);
    return change(database, sealer, entry).catch((error: unknown) => {
      throw error instanceof ListEntryError
        ? badInput(error.field === 'value' ? 'VALUE' : `--${error.field}`, error.message.slice(error.field.length + 2))
        : error;
    });
  });
}
