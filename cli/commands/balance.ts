// `gateway balance list`: what is on an operation's ledger accounts.
import type { Command } from 'commander';
import { answer } from '../context.js';
import { readId } from '../inputs/identifiers.js';
import { assertOperation } from '../inputs/existing.js';
import { cut, sayMore } from '../limits.js';
import { examples, limitOption } from '../options.js';
import type { Registrar } from '../program.js';

export function registerBalanceList(parent: Command, run: Registrar): void {
  parent
    .command('list')
    .description(
      'Lists ledger accounts with their balances: "available" is the cash box that withdrawals draw on. ' +
        '"ledger verify" proves them.',
    )
    .option('--operation <id>', 'only this operation (op_…)')
    .addOption(limitOption(200, 10_000))
    .addHelpText('after', examples('balance list --operation op_0123456789abcdef0123456789abcdef'))
    .action(
      run(async (context, options: { operation?: string; limit: number }) => {
        const operationId =
          options.operation === undefined ? null : readId('operation', '--operation', options.operation);
        const { readBalances } = await import('../../store/ledger/accounts.js');
        const read = await context.withDatabase(async (database) => {
          await assertOperation(database, operationId);
          return readBalances(database, { operationId, take: options.limit + 1 });
        });
        const { rows, more } = cut(read, options.limit);
        if (more) sayMore(context, 'accounts', options.limit);
        return answer({ balances: rows, more });
      }),
    );
}
