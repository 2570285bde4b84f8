// `gateway receipt`: received PIX that the providers' lists had and no deposit showed.
import type { Command } from 'commander';
import { answer, type Registrar } from '../context.js';
import { listed } from '../limits.js';
import { examples, limitOption } from '../options.js';

export function registerReceipt(program: Command, run: Registrar): void {
  const receipt = program.command('receipt').description('See what providers received without a callback');
  receipt
    .command('list')
    .summary('List received PIX that belong to no deposit')
    .description(
      'List received PIX that belong to no deposit, newest first, with their age and who has taken the alert about ' +
        'them. The gateway credits nothing by them, and they are in no ledger. With --all ' +
        'also those whose callbacks were lost and whose deposits were notified since.',
    )
    .option('--all', 'include what reached its deposit', false)
    .addOption(limitOption(200, 10_000))
    .addHelpText('after', examples('receipt list', 'receipt list --all'))
    .action(
      run(async (context, { all, limit }: { all: boolean; limit: number }) => {
        const { readUnexplainedReceipts } = await import('../../store/account-sweep/list-receipts.js');
        const rows = await context.withDatabase((database) =>
          readUnexplainedReceipts(database, { all, limit: limit + 1, now: new Date() }),
        );
        return answer({ receipts: listed(context, 'receipts', rows, limit) });
      }),
    );
}
