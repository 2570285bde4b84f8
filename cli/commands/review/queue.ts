// `gateway review list` and `gateway review show`.
import type { Command } from 'commander';
import { answer } from '../../context.js';
import { readId } from '../../inputs/identifiers.js';
import { assertOperation } from '../../inputs/existing.js';
import { listed } from '../../limits.js';
import { examples, limitOption } from '../../options.js';
import { namedPayment, paymentArgument } from '../../inputs/payment.js';
import { refused } from '../../problem.js';
import type { Registrar } from '../../program.js';

export function registerReviewList(parent: Command, run: Registrar): void {
  parent
    .command('list')
    .description('Lists the payments that wait for a person, the longest waiting first.')
    .option('--operation <id>', 'only this operation (op_…)')
    .addOption(limitOption(200, 10_000))
    .addHelpText('after', examples('review list'))
    .action(
      run(async (context, options: { operation?: string; limit: number }) => {
        const operationId =
          options.operation === undefined ? null : readId('operation', '--operation', options.operation);
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
      }),
    );
}

export function registerReviewShow(parent: Command, run: Registrar): void {
  paymentArgument(parent.command('show'), ['deposit', 'withdrawal'])
    .description(
      'Shows what a reviewer needs: the payment, why it waits, what the rules saw, and who decided so far; no personal data.',
    )
    .addHelpText('after', examples('review show wdr_0123456789abcdef0123456789abcdef'))
    .action(
      run(async (context, text: string, { operation }: { operation?: string }) => {
        const payment = await namedPayment(context, { kinds: ['deposit', 'withdrawal'], text, operation });
        const { readReview } = await import('../../../store/payments/payment-file.js');
        const sealer = await context.sealer();
        const review = await context.withDatabase((database) => readReview(database, sealer, payment.kind, payment.id));
        if (review === null) throw refused(`${payment.kind} ${payment.id}: there is no such ${payment.kind}`);
        return answer(review);
      }),
    );
}
