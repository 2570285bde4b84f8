// `gateway suspense`: late and extra payments, one by one, with what is left of each and where the rest went.
import type { Command } from 'commander';
import { answer, type Registrar } from '../context.js';
import { assertOperation } from '../inputs/existing.js';
import { readOperationFilter } from '../inputs/identifiers.js';
import { cut, sayMore } from '../limits.js';
import { examples, limitOption, operationFilterOption } from '../options.js';

interface ListOptions {
  readonly operation?: string;
  readonly all: boolean;
  readonly limit: number;
}

export function registerSuspense(program: Command, run: Registrar): void {
  const suspense = program.command('suspense').description('See late and extra payments that wait in suspense');
  suspense
    .command('list')
    .summary('List payments in suspense')
    .description(
      'List late and extra payments of which something is left in suspense, oldest first, with their age and their ' +
        'exits. "gateway cash return-suspense", "credit-suspense" and "assign-suspense" take them out; what the provider ' +
        'reports as returned leaves by itself. With --all also those of which nothing is left.',
    )
    .option('--all', 'include those of which nothing is left', false)
    .addOption(operationFilterOption())
    .addOption(limitOption(200, 10_000))
    .addHelpText('after', examples('suspense list', 'suspense list --all'))
    .action(
      run(async (context, { operation, all, limit }: ListOptions) => {
        const operationId = readOperationFilter(operation);
        const { presentItem, readItems } = await import('../../store/ledger/suspense.js');
        const read = await context.withDatabase(async (database) => {
          await assertOperation(database, operationId);
          return readItems(database, { operationId, isOpen: !all, take: limit + 1 });
        });
        const { rows, more } = cut(read, limit);
        if (more) sayMore(context, 'payments', limit);
        return answer({ items: rows.map(presentItem), more });
      }),
    );
}
