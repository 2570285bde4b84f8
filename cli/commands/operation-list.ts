// `gateway operation list`.
import type { Command } from 'commander';
import { answer } from '../context.js';
import { listed } from '../limits.js';
import { examples, limitOption } from '../options.js';
import type { Registrar } from '../program.js';

export function registerOperationList(parent: Command, run: Registrar): void {
  parent
    .command('list')
    .description('Lists the operations, newest first, with their active keys.')
    .addOption(limitOption(200, 10_000))
    .addHelpText('after', examples('operation list'))
    .action(
      run(async (context, { limit }: { limit: number }) => {
        const { readOperations } = await import('../../store/operations/operations.js');
        const operations = await context.withDatabase((database) => readOperations(database, limit + 1));
        return answer({ operations: listed(context, 'operations', operations, limit) });
      }),
    );
}
