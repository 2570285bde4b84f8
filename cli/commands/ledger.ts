// `gateway ledger`: check the ledger.
import type { Command } from 'commander';
import { answer, type Registrar } from '../context.js';
import { assertOperation } from '../inputs/existing.js';
import { readOperationFilter } from '../inputs/identifiers.js';
import { examples, operationFilterOption } from '../options.js';

/** The check reads every entry, which takes minutes on a big ledger. */
const STATEMENT_TIMEOUT_MS = 10 * 60_000;

export function registerLedger(program: Command, run: Registrar): void {
  const ledger = program.command('ledger').description('Check the ledger');
  registerVerify(ledger, run);
}

function registerVerify(ledger: Command, run: Registrar): void {
  ledger
    .command('verify')
    .summary('Verify the ledger')
    .description(
      'Verify the ledger: every transfer sums to zero, every balance is the sum of its entries, reservations ' +
        'are the open withdrawals, held money is the deposits under review, and every payment moved the cash box ' +
        'as its status says, each in the account at the provider where it lies. "overdrawn" are accounts where an ' +
        'operation has less than nothing; that is no difference.\n\n' +
        'Exit code 1 if anything differs.',
    )
    .addOption(operationFilterOption())
    .addHelpText('after', examples('ledger verify', 'ledger verify --operation op_0123456789abcdef0123456789abcdef'))
    .action(
      run(async (context, options: { operation?: string }) => {
        const operationId = readOperationFilter(options.operation);
        const { checkLedger, MOST_PROBLEMS } = await import('../../store/ledger/check.js');
        const report = await context.withDatabase(async (database) => {
          await assertOperation(database, operationId);
          return checkLedger(database, operationId);
        }, STATEMENT_TIMEOUT_MS);
        const count = report.problems.length;
        if (count > 0)
          context.explain(
            `gateway: the ledger does not hold: ${count}${count === MOST_PROBLEMS ? ' or more' : ''} problems`,
          );
        return answer({ ok: count === 0, ...report }, count === 0 ? 0 : 1);
      }),
    );
}
