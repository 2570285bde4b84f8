// `gateway dispute`: received PIX that payers' banks ask back (MED).
import type { Command } from 'commander';
import { answer, type Registrar } from '../context.js';
import { listed } from '../limits.js';
import { examples, limitOption, operationFilterOption } from '../options.js';

export function registerDispute(program: Command, run: Registrar): void {
  const dispute = program.command('dispute').description("See received PIX that payers' banks ask back (MED)");
  dispute
    .command('list')
    .summary('List disputed payments and until when they can be answered')
    .description(
      'List the disputed payments that nobody has answered yet, newest first. They are answered at the provider, ' +
        'before `due_at` if it has a deadline. With --all also those that were answered or have ended.',
    )
    .addOption(operationFilterOption())
    .option('--all', 'include what was answered or has ended', false)
    .addOption(limitOption(200, 10_000))
    .addHelpText('after', examples('dispute list', 'dispute list --all --operation op_1'))
    .action(
      run(async (context, { operation, all, limit }: { operation?: string; all: boolean; limit: number }) => {
        const { readDisputes } = await import('../../store/disputes/list.js');
        const query = { operationId: operation ?? null, all, take: limit + 1 };
        const rows = await context.withDatabase((database) => readDisputes(database, query));
        return answer({ disputes: listed(context, 'disputes', rows, limit) });
      }),
    );
}
