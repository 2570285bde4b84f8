// `gateway list add|remove`: the block and review lists of an operation. A value is never printed back.
import { type Command, Option } from 'commander';
import { answer, type CommandContext } from '../context.js';
import { readId, readPerson } from '../inputs/identifiers.js';
import { examples, operationOption, personOption } from '../options.js';
import { badInput, refused } from '../problem.js';
import type { Registrar } from '../program.js';

interface Options {
  readonly operation: string;
  readonly list: string;
  readonly kind: string;
  readonly as?: string;
}

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
      .addOption(new Option('--list <list>', 'which list').choices(['block', 'review']).makeOptionMandatory())
      .addOption(new Option('--kind <kind>', 'what the value is').choices(['player', 'pix_key', 'document', 'ip', 'device']).makeOptionMandatory())
      .argument('<value>', 'the player reference, PIX key, document number, IP address or network, or device id')
      .addOption(personOption('who changes it'))
      .addHelpText('after', examples(
        `list ${name} --operation op_0123456789abcdef0123456789abcdef --list block --kind player player-7`,
        `list ${name} --operation op_0123456789abcdef0123456789abcdef --list review --kind ip 203.0.113.0/24`,
      ))
      .action(run(async (context, value: string, options: Options) => {
        const entry = { operationId: readId('operation', '--operation', options.operation), list: options.list, kind: options.kind, value, person: readPerson(options.as) };
        const done = await changeList(context, name as keyof typeof COMMANDS, entry);
        return answer({ operation_id: entry.operationId, list: entry.list, kind: entry.kind, [changed]: done });
      }));
  }
}

async function changeList(context: CommandContext, name: keyof typeof COMMANDS, entry: { operationId: string; list: string; kind: string; value: string; person: string }) {
  const sealer = await context.sealer();
  const { addToList, ListEntryError, removeFromList } = await import('../../store/lists.js');
  const change = { add: addToList, remove: removeFromList }[name];
  return context.withDatabase(async (database) => {
    const exists = (await database.operation.count({ where: { id: entry.operationId } })) === 1;
    if (!exists) throw refused(`operation ${entry.operationId}: there is no such operation`);
    return change(database, sealer, entry).catch((error: unknown) => {
      throw error instanceof ListEntryError ? badInput(error.field === 'value' ? 'VALUE' : `--${error.field}`, error.message.slice(error.field.length + 2)) : error;
    });
  });
}
