// `gateway ledger verify`: proves the books; exit code 1 when they do not hold.
import type { Command } from 'commander';
import { answer } from '../context.js';
import { readId } from '../inputs/identifiers.js';
import { assertOperation } from '../inputs/existing.js';
import { examples } from '../options.js';
import type { Registrar } from '../program.js';

/** Every entry is read; a big ledger takes its time. */
const STATEMENT_TIMEOUT_MS = 10 * 60_000;

export function registerLedgerVerify(parent: Command, run: Registrar): void {
  parent
    .command('verify')
    .description(
      'Proves the ledger: every transfer sums to zero, every balance is the sum of its entries, reservations are the open\n' +
        'withdrawals, held money the deposits under review, and every payment moved the cash box as its state says. Exit code 1 if not.',
    )
    .option('--operation <id>', 'only this operation (op_…)')
    .addHelpText('after', examples('ledger verify', 'ledger verify --operation op_0123456789abcdef0123456789abcdef'))
    .action(
      run(async (context, options: { operation?: string }) => {
        const operationId =
          options.operation === undefined ? null : readId('operation', '--operation', options.operation);
        const { checkLedger, MOST_PROBLEMS } = await import('../../store/ledger/check.js');
        const report = await context.withDatabase(async (database) => {
          await assertOperation(database, operationId);
          return checkLedger(database, operationId);
        }, STATEMENT_TIMEOUT_MS);
        const ok = report.problems.length === 0;
        if (!ok)
          context.explain(
            `gateway: the ledger does not hold: ${report.problems.length}${report.problems.length === MOST_PROBLEMS ? ' or more' : ''} problems`,
          );
        return answer({ ok, ...report }, ok ? 0 : 1);
      }),
    );
}
