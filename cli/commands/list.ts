// `gateway list`: the block and review lists of an operation. Values are never printed back.
import { type Command, Option } from 'commander';
import type { ListChanged, ListEntry } from '../../staff/acts/lists.js';
import { actorOf, changeServices, notPermitted } from '../actor.js';
import { answer, type CommandContext, type Registrar } from '../context.js';
import { assertOperation, noSuchOperation } from '../inputs/existing.js';
import { readId, readReason } from '../inputs/identifiers.js';
import { cut, sayMore } from '../limits.js';
import { examples, limitOption, operationOption, personOption, reasonOption, wholeNumber } from '../options.js';
import { badInput } from '../problem.js';
import { DAY_MS } from '../../domain/instant.js';

export function registerList(program: Command, run: Registrar): void {
  const list = program.command('list').description('Manage block and review lists');
  registerChange(list, run, 'add');
  registerChange(list, run, 'remove');
  registerEntries(list, run);
}

const LISTS = ['block', 'review'];
const KINDS = ['player', 'pix_key', 'document', 'ip', 'device'];

const CHANGES = {
  add: { summary: 'Add a value to the block or review list', changed: 'added', more: '' },
  remove: {
    summary: 'Remove a value from the block or review list',
    changed: 'removed',
    more:
      '\n\nIn production, removing from the block list creates a request that a second person approves with ' +
      '"gateway request approve".',
  },
} as const;

interface ChangeOptions {
  readonly operation: string;
  readonly list: string;
  readonly kind: string;
  readonly as?: string;
  readonly reason?: string;
  readonly days?: number;
}

function registerChange(list: Command, run: Registrar, name: keyof typeof CHANGES): void {
  const { summary, changed, more } = CHANGES[name];
  const command = list.command(name);
  if (name === 'add')
    command
      .addOption(reasonOption())
      .addOption(new Option('--days <n>', 'the entry counts for so many days').argParser(wholeNumber(1, 3_650)));
  command
    .summary(summary)
    .description(`${summary} of an operation. If there is nothing to change, "${changed}" is false.${more}`)
    .addOption(operationOption())
    .addOption(new Option('--list <list>', 'the list').choices(LISTS).makeOptionMandatory())
    .addOption(new Option('--kind <kind>', 'the kind of the value').choices(KINDS).makeOptionMandatory())
    .argument('<value>', 'the player reference, PIX key, document number, IP address or network, or device id')
    .addOption(personOption('who changes the list'))
    .addHelpText(
      'after',
      examples(
        `list ${name} --operation op_0123456789abcdef0123456789abcdef --list block --kind player player-7`,
        `list ${name} --operation op_0123456789abcdef0123456789abcdef --list review --kind ip 203.0.113.0/24`,
      ),
    )
    .action(
      run(async (context, value: string, options: ChangeOptions) => {
        const operationId = readId('operation', '--operation', options.operation);
        const { list, kind } = options;
        const outcome = await changeList(context, options.as, name, {
          ...{ operationId, list, kind, value },
          reason: readReason(options.reason),
          expiresAt: options.days === undefined ? null : new Date(Date.now() + options.days * DAY_MS),
        });
        const shown = { operation_id: operationId, list, kind };
        switch (outcome.kind) {
          case 'done':
            return answer({ ...shown, [changed]: outcome.isChanged });
          case 'requested':
            return answer({ ...shown, [changed]: false, requests: [outcome.request] });
          case 'no_such_operation':
            throw noSuchOperation(operationId);
        }
      }),
    );
}

/** Throws a CommandProblem for a value that the list cannot hold, or if the person may not. */
async function changeList(
  context: CommandContext,
  person: string | undefined,
  name: keyof typeof CHANGES,
  entry: ListEntry,
): Promise<Exclude<ListChanged, { kind: 'not_permitted' }>> {
  const actor = await actorOf(context, person);
  const [{ addEntry, removeEntryOf }, { ListEntryError }] = await Promise.all([
    import('../../staff/acts/lists.js'),
    import('../../store/rules/lists.js'),
  ]);
  const act = { add: addEntry, remove: removeEntryOf }[name];
  const outcome = await context.withDatabase(async (database) =>
    act(await changeServices(context, database), actor, entry).catch((error: unknown) => {
      throw error instanceof ListEntryError
        ? badInput(error.field === 'value' ? 'VALUE' : `--${error.field}`, error.message.slice(error.field.length + 2))
        : error;
    }),
  );
  if (outcome.kind === 'not_permitted') throw notPermitted(actor.handle, 'list.change');
  return outcome;
}

interface EntriesOptions {
  readonly operation: string;
  readonly list?: string;
  readonly kind?: string;
  readonly limit: number;
}

function registerEntries(list: Command, run: Registrar): void {
  list
    .command('entries')
    .summary('List the entries of the block and review lists')
    .description(
      'List the entries of the block and review lists of an operation, oldest first: who added each one and ' +
        'when. Values are not shown. To tell entries apart, compare the start of the keyed hash, which the audit ' +
        'trail has too, and the last three characters.',
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
      run(async (context, { operation, list: name, kind, limit }: EntriesOptions) => {
        const operationId = readId('operation', '--operation', operation);
        const sealer = await context.sealer();
        const { readListEntries } = await import('../../store/rules/lists.js');
        const read = await context.withDatabase(async (database) => {
          await assertOperation(database, operationId);
          return readListEntries(database, sealer, {
            operationId,
            list: name ?? null,
            kind: kind ?? null,
            take: limit + 1,
          });
        });
        const { rows, more } = cut(read, limit);
        if (more) sayMore(context, 'entries', limit);
        return answer({ operation_id: operationId, entries: rows, more });
      }),
    );
}
