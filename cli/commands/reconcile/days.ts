// `gateway reconcile show` and `gateway reconcile close`: a closed day as the service stores it.
import type { Command } from 'commander';
import { toMoney } from '../../../domain/money.js';
import { dayClosesAt, millisecondsUntilClosed } from '../../../domain/reconciliation.js';
import type { Database } from '../../../store/database.js';
import type { DayException, FrozenDay } from '../../../store/reconciliation/days.js';
import { permittedPerson, recordAct } from '../../actor.js';
import { type Answer, answer, type CommandContext, type Registrar } from '../../context.js';
import { assertOperation } from '../../inputs/existing.js';
import { readId } from '../../inputs/identifiers.js';
import { listed } from '../../limits.js';
import { examples, limitOption, operationOption, personOption } from '../../options.js';
import { refused } from '../../problem.js';
import { currencyOption, dateOption, readCurrency, readDay } from './day-options.js';

interface DayOptions {
  readonly operation: string;
  readonly date: string;
  readonly currency: string;
}

/** One statement can freeze a month of days. */
const STATEMENT_TIMEOUT_MS = 5 * 60_000;

export function registerShow(reconcile: Command, run: Registrar): void {
  addDayOptions(reconcile.command('show'))
    .summary('Show a closed day')
    .description(
      'Show a closed day: totals, digest, and the exceptions that a person must look at (late payments, items ' +
        'carried over). If the closed day is not frozen yet, this freezes it.',
    )
    .addOption(limitOption(200, 10_000))
    .addHelpText('after', examples('reconcile show --operation op_0123456789abcdef0123456789abcdef --date 2026-11-20'))
    .action(run(show));
}

async function show(context: CommandContext, options: DayOptions & { limit: number }): Promise<Answer> {
  const { operationId, currency, date } = readDayOptions(options);
  const { readDay: readFrozenDay, readExceptions } = await import('../../../store/reconciliation/days.js');
  return withOperation(context, operationId, async (database) => {
    const read = await readFrozenDay(database, { operationId, currency }, date, new Date());
    const rows = await readExceptions(database, { operationId, currency }, date, options.limit + 1);
    const exceptions = listed(context, 'exceptions', rows, options.limit).map((exception) =>
      presentException(exception, currency),
    );
    const day = { operation_id: operationId, date, currency };
    switch (read.kind) {
      case 'catching_up':
        throw refused(
          `operation ${operationId}: many days are not frozen yet; use "gateway reconcile close", then try again`,
        );
      case 'day_open':
        return answer({ ...day, status: 'open', closes_at: dayClosesAt(date).toISOString(), exceptions });
      case 'frozen':
        return answer({ ...day, status: 'closed', ...presentDay(read.day, currency), exceptions });
    }
  });
}

export function registerClose(reconcile: Command, run: Registrar): void {
  addDayOptions(reconcile.command('close'))
    .summary('Freeze a closed day')
    .description(
      'Freeze a closed day and every earlier day that is not frozen yet. The nightly day close does this at ' +
        '02:00 UTC. Repeating it changes nothing. An open day is refused.',
    )
    .addOption(personOption('who closes it'))
    .addHelpText('after', examples('reconcile close --operation op_0123456789abcdef0123456789abcdef --date 2026-11-20'))
    .action(run(close));
}

async function close(context: CommandContext, options: DayOptions & { readonly as?: string }): Promise<Answer> {
  const { operationId, currency, date } = readDayOptions(options);
  if (millisecondsUntilClosed(date, new Date()) > 0) throw stillOpen(date);
  const { freezeDays } = await import('../../../store/reconciliation/freeze.js');
  return withOperation(context, operationId, async (database) => {
    const person = await permittedPerson(context, options.as, 'day.close', operationId);
    let daysFrozen = 0;
    for (;;) {
      const outcome = await freezeDays(database, { operationId, currency }, date, new Date());
      if (outcome.kind === 'day_open') throw stillOpen(date);
      daysFrozen += outcome.days;
      if (!outcome.caughtUp) continue;
      const detail = { date, currency, days_frozen: daysFrozen };
      await recordAct(context, { person, action: 'day.close', operationId, subject: operationId, detail });
      return answer({ operation_id: operationId, date, currency, days_frozen: daysFrozen });
    }
  });
}

function stillOpen(date: string) {
  return refused(`${date} is open until ${dayClosesAt(date).toISOString()}`);
}

/** The options that name a day of an operation. */
function addDayOptions(command: Command): Command {
  return command.addOption(operationOption()).addOption(dateOption()).addOption(currencyOption());
}

function readDayOptions({ operation, date, currency }: DayOptions) {
  return {
    operationId: readId('operation', '--operation', operation),
    date: readDay('--date', date),
    currency: readCurrency(currency),
  };
}

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
