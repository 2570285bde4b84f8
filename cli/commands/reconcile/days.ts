// `gateway reconcile show` and `gateway reconcile close`: a closed day as the service holds it.
import { type Command, Option } from 'commander';
import { enabledCurrency } from '../../../domain/currencies.js';
import { toMoney } from '../../../domain/money.js';
import { dayClosesAt, millisecondsUntilClosed } from '../../../domain/reconciliation.js';
import type { DayException, FrozenDay } from '../../../store/reconciliation/days.js';
import { type Answer, answer, type CommandContext } from '../../context.js';
import { readDay } from './date.js';
import { readId } from '../../inputs/identifiers.js';
import { assertOperation } from '../../inputs/existing.js';
import { listed } from '../../limits.js';
import { examples, limitOption, operationOption } from '../../options.js';
import { badInput, refused } from '../../problem.js';
import type { Registrar } from '../../program.js';

interface Options {
  readonly operation: string;
  readonly date: string;
  readonly currency: string;
}

/** A month of days is one statement; a big day takes its time. */
const STATEMENT_TIMEOUT_MS = 5 * 60_000;

export function registerReconcileShow(parent: Command, run: Registrar): void {
  addDayOptions(parent.command('show'))
    .description(
      'Shows a closed day: totals, digest, and the exceptions that a person has to look at (late payments, items carried over).\nA closed day that nobody has asked for yet is frozen by this.',
    )
    .addOption(limitOption(200, 10_000))
    .addHelpText('after', examples('reconcile show --operation op_0123456789abcdef0123456789abcdef --date 2026-11-20'))
    .action(
      run(async (context, options: Options & { limit: number }) => {
        const { operationId, currency, date } = readOptions(options);
        const { readDay: readFrozenDay, readExceptions } = await import('../../../store/reconciliation/days.js');
        return withOperation(context, operationId, async (database) => {
          const read = await readFrozenDay(database, { operationId, currency }, date, new Date());
          const exceptions = await readExceptions(database, { operationId, currency }, date, options.limit + 1);
          const day = { operation_id: operationId, date, currency };
          const rows = listed(context, 'exceptions', exceptions, options.limit);
          const shown = rows.map((exception) => presentException(exception, currency));
          if (read.kind === 'catching_up')
            throw refused(
              `operation ${operationId}: many days are not frozen yet; use "gateway reconcile close", then try again`,
            );
          if (read.kind === 'day_open')
            return answer({ ...day, status: 'open', closes_at: dayClosesAt(date).toISOString(), exceptions: shown });
          return answer({ ...day, status: 'closed', ...presentDay(read.day, currency), exceptions: shown });
        });
      }),
    );
}

export function registerReconcileClose(parent: Command, run: Registrar): void {
  addDayOptions(parent.command('close'))
    .description(
      'Freezes a closed day, and every earlier one that is not frozen yet. The nightly day close does this by itself at 02:00 UTC.\nDoing it twice changes nothing; a day that is still open is refused.',
    )
    .addHelpText('after', examples('reconcile close --operation op_0123456789abcdef0123456789abcdef --date 2026-11-20'))
    .action(
      run(async (context, options: Options) => {
        const { operationId, currency, date } = readOptions(options);
        if (millisecondsUntilClosed(date, new Date()) > 0)
          throw refused(`${date} is open until ${dayClosesAt(date).toISOString()}`);
        const { freezeDays } = await import('../../../store/reconciliation/freeze.js');
        return withOperation(context, operationId, async (database) => {
          let daysFrozen = 0;
          for (;;) {
            const outcome = await freezeDays(database, { operationId, currency }, date, new Date());
            if (outcome.kind === 'day_open') throw refused(`${date} is open until ${dayClosesAt(date).toISOString()}`);
            daysFrozen += outcome.days;
            if (outcome.caughtUp) return answer({ operation_id: operationId, date, currency, days_frozen: daysFrozen });
          }
        });
      }),
    );
}

/** The options that name a day of an operation. */
function addDayOptions(command: Command): Command {
  return command
    .addOption(operationOption())
    .addOption(new Option('--date <day>', 'the UTC day, YYYY-MM-DD').makeOptionMandatory())
    .addOption(currencyOption());
}

export function currencyOption(): Option {
  return new Option('--currency <code>', 'the currency').default('BRL');
}

function readOptions({ operation, date, currency }: Options) {
  return {
    operationId: readId('operation', '--operation', operation),
    date: readDay('--date', date),
    currency: readCurrency(currency),
  };
}

export function readCurrency(code: string): string {
  if (enabledCurrency(code) === undefined) throw badInput('--currency', 'is not an enabled currency');
  return code;
}

type Database = Parameters<Parameters<CommandContext['withDatabase']>[0]>[0];

async function withOperation(
  context: CommandContext,
  operationId: string,
  work: (database: Database) => Promise<Answer>,
): Promise<Answer> {
  return context.withDatabase(async (database) => {
    await assertOperation(database, operationId);
    return work(database);
  }, STATEMENT_TIMEOUT_MS);
}

function presentDay({ totals, digest, carriedCount, frozenAt }: FrozenDay, currency: string) {
  return {
    frozen_at: frozenAt,
    totals: {
      deposits_paid: toMoney(totals.depositsPaidMinor, currency),
      withdrawals_paid: toMoney(totals.withdrawalsPaidMinor, currency),
      refunds: toMoney(totals.refundsMinor, currency),
      chargebacks: toMoney(totals.chargebacksMinor, currency),
      fees: toMoney(totals.feesMinor, currency),
      count: totals.count,
    },
    digest,
    carried_over: carriedCount,
  };
}

function presentException({ kind, objectId, externalId, amountMinor, at }: DayException, currency: string) {
  return { kind, object_id: objectId, external_id: externalId, amount: toMoney(amountMinor, currency), at };
}
