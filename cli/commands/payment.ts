// `gateway deposit show` and `gateway withdrawal show`: one payment with its history.
import type { Command } from 'commander';
import { answer, type Registrar } from '../context.js';
import { namedPayment, paymentArgument } from '../inputs/payment.js';
import { examples } from '../options.js';
import { refused } from '../problem.js';

export function registerDeposit(program: Command, run: Registrar): void {
  const deposit = program.command('deposit').description('Show one deposit');
  registerShow(deposit, run, 'deposit');
}

export function registerWithdrawal(program: Command, run: Registrar): void {
  const withdrawal = program.command('withdrawal').description('Show one withdrawal');
  registerShow(withdrawal, run, 'withdrawal');
}

const EXAMPLE_IDS = {
  deposit: 'dep_0123456789abcdef0123456789abcdef',
  withdrawal: 'wdr_0123456789abcdef0123456789abcdef',
} as const;

function registerShow(parent: Command, run: Registrar, kind: 'deposit' | 'withdrawal'): void {
  paymentArgument(parent.command('show'), [kind])
    .summary(`Show a ${kind} with its history`)
    .description(
      `Show a ${kind} with its events, deliveries, ledger movements and alerts. Contains no personal data.\n` +
        `The id of a ${kind} is also its workflow id in the Temporal UI.`,
    )
    .addHelpText(
      'after',
      examples(
        `${kind} show ${EXAMPLE_IDS[kind]}`,
        `${kind} show order-123 --operation op_0123456789abcdef0123456789abcdef`,
      ),
    )
    .action(
      run(async (context, text: string, { operation }: { operation?: string }) => {
        const { id } = await namedPayment(context, { kinds: [kind], text, operation });
        const { readDepositFile, readWithdrawalFile } = await import('../../store/support/payment-file.js');
        const file = await context.withDatabase<object | null>((database) =>
          kind === 'deposit' ? readDepositFile(database, id) : readWithdrawalFile(database, id),
        );
        if (file === null) throw refused(`${kind} ${id}: there is no such ${kind}`);
        return answer(file);
      }),
    );
}
