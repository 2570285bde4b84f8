// `gateway review list` and `gateway review show`.
import type { Command } from 'commander';
import { type Answer, answer, type CommandContext, type Registrar } from '../../context.js';
import { assertOperation } from '../../inputs/existing.js';
import { readOperationFilter } from '../../inputs/identifiers.js';
import { namedPayment, paymentArgument } from '../../inputs/payment.js';
import { listed } from '../../limits.js';
import { examples, limitOption, operationFilterOption } from '../../options.js';
import { refused } from '../../problem.js';

export function registerList(review: Command, run: Registrar): void {
  review
    .command('list')
    .description('List payments under review, longest waiting first')
    .addOption(operationFilterOption())
    .addOption(limitOption(200, 10_000))
    .addHelpText('after', examples('review list'))
    .action(run(list));
}

async function list(context: CommandContext, options: { operation?: string; limit: number }): Promise<Answer> {
  const operationId = readOperationFilter(options.operation);
  const { readReviews } = await import('../../../store/payments/reviews.js');
  const sealer = await context.sealer();
  const { deposits, withdrawals } = await context.withDatabase(async (database) => {
    await assertOperation(database, operationId);
    return readReviews(database, sealer, { operationId, limit: options.limit + 1 });
  });
  return answer({
    deposits: listed(context, 'deposits', deposits, options.limit),
    withdrawals: listed(context, 'withdrawals', withdrawals, options.limit),
  });
}

export function registerShow(review: Command, run: Registrar): void {
  paymentArgument(review.command('show'), ['deposit', 'withdrawal'])
    .summary('Show what is needed to decide a review')
    .description(
      'Show what is needed to decide a review: the payment, why it waits, the facts that the rules used, and who has ' +
        'decided so far. Contains no personal data.',
    )
    .addHelpText('after', examples('review show wdr_0123456789abcdef0123456789abcdef'))
    .action(
      run(async (context, text: string, { operation }: { operation?: string }) => {
        const { kind, id } = await namedPayment(context, { kinds: ['deposit', 'withdrawal'], text, operation });
        const { readReview } = await import('../../../store/support/payment-file.js');
        const sealer = await context.sealer();
        const review = await context.withDatabase((database) => readReview(database, sealer, kind, id));
        if (review === null) throw refused(`${kind} ${id}: there is no such ${kind}`);
        return answer(review);
      }),
    );
}
