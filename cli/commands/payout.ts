// `gateway payout`: sent payouts that the providers' lists have and no withdrawal shows.
import type { Command } from 'commander';
import { answer, type Registrar } from '../context.js';
import { listed } from '../limits.js';
import { examples, limitOption } from '../options.js';

export function registerPayout(program: Command, run: Registrar): void {
  const payout = program.command('payout').description('See what left the accounts outside the gateway');
  payout
    .command('list')
    .summary('List payouts that no withdrawal shows')
    .description(
      'List payouts that providers list and no withdrawal shows, newest first, with their age and who has taken the ' +
        'alert about them. They change nothing here. With --all ' +
        'also those that the database showed later.',
    )
    .option('--all', 'include what the database showed later', false)
    .addOption(limitOption(200, 10_000))
    .addHelpText('after', examples('payout list', 'payout list --all'))
    .action(
      run(async (context, { all, limit }: { all: boolean; limit: number }) => {
        const { readUnexplainedPayouts } = await import('../../store/account-sweep/unexplained-payouts.js');
        const rows = await context.withDatabase((database) =>
          readUnexplainedPayouts(database, { all, limit: limit + 1, now: new Date() }),
        );
        return answer({ payouts: listed(context, 'payouts', rows, limit) });
      }),
    );
}
