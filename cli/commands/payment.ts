// `gateway deposit show` and `gateway withdrawal show`.
import type { Command } from 'commander';
import { answer } from '../context.js';
import { examples } from '../options.js';
import { namedPayment, paymentArgument } from '../inputs/payment.js';
import { refused } from '../problem.js';
import type { Registrar } from '../program.js';

const EXAMPLE_IDS = {
  deposit: 'dep_0123456789abcdef0123456789abcdef',
  withdrawal: 'wdr_0123456789abcdef0123456789abcdef',
} as const;

export function registerDepositShow(parent: Command, run: Registrar): void {
  registerShow(parent, run, 'deposit');
}

export function registerWithdrawalShow(parent: Command, run: Registrar): void {
  registerShow(parent, run, 'withdrawal');
}

function registerShow(parent: Command, run: Registrar, kind: 'deposit' | 'withdrawal'): void {
  paymentArgument(parent.command('show'), [kind])
    .description(
      `Shows a ${kind} with its events, deliveries, ledger movements and alerts; no personal data.\nIts id is also its workflow id in the Temporal UI.`,
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
        const { id: objectId } = await namedPayment(context, { kinds: [kind], text, operation });
        const { readDepositFile, readWithdrawalFile } = await import('../../store/payments/payment-file.js');
        const file = await context.withDatabase<object | null>((database) =>
          kind === 'deposit' ? readDepositFile(database, objectId) : readWithdrawalFile(database, objectId),
        );
        if (file === null) throw refused(`${kind} ${objectId}: there is no such ${kind}`);
        return answer(file);
      }),
    );
}
