// `gateway balance`: the balances of ledger accounts.
import type { Command } from 'commander';
import { answer, type Registrar } from '../context.js';
import { assertOperation } from '../inputs/existing.js';
import { readOperationFilter } from '../inputs/identifiers.js';
import { cut, sayMore } from '../limits.js';
import { examples, limitOption, operationFilterOption } from '../options.js';

export function registerBalance(program: Command, run: Registrar): void {
  const balance = program.command('balance').description('Read the balances of ledger accounts');
  registerList(balance, run);
}

function registerList(balance: Command, run: Registrar): void {
  balance
    .command('list')
    .summary('List ledger accounts with their balances')
    .description(
      'List ledger accounts with their balances, for each account at a provider ("provider") where an operation\'s ' +
        'money lies. "available" is the cash box; withdrawals are paid from that of the account that they go through. ' +
        '"gateway ledger verify" checks the balances.',
    )
    .addOption(operationFilterOption())
    .addOption(limitOption(200, 10_000))
    .addHelpText('after', examples('balance list --operation op_0123456789abcdef0123456789abcdef'))
    .action(
      run(async (context, { operation, limit }: { operation?: string; limit: number }) => {
        const operationId = readOperationFilter(operation);
        const { readBalances } = await import('../../store/ledger/accounts.js');
        const read = await context.withDatabase(async (database) => {
          await assertOperation(database, operationId);
          return readBalances(database, { operationId, take: limit + 1 });
        });
        const { rows, more } = cut(read, limit);
        if (more) sayMore(context, 'accounts', limit);
        return answer({ balances: rows, more });
      }),
    );
}
