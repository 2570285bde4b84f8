// `gateway reconcile show` and `gateway reconcile close`: a closed day as the service stores it.
import type { Command } from 'commander';
import { toMoney } from '../../../domain/money.js';
import type { Database } from '../../../store/database.js';
import type { DayException, FrozenDay } from '../../../store/reconciliation/days.js';
import { actorOf, notPermitted } from '../../actor.js';
import { type Answer, answer, type CommandContext, type Registrar } from '../../context.js';
import { assertOperation, noSuchOperation } from '../../inputs/existing.js';
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
  const { readClosedDay } = await import('../../../staff/reads/days.js');
  const read = await withOperation(context, operationId, (database) =>
    readClosedDay(database, { operationId, currency, date }, options.limit + 1),
  );
  if (read.kind === 'catching_up')
    throw refused(
      `operation ${operationId}: many days are not frozen yet; use "gateway reconcile close", then try again`,
    );
  const exceptions = listed(context, 'exceptions', read.exceptions, options.limit).map((exception) =>
    presentException(exception, currency),
  );
  const day = { operation_id: operationId, date, currency };
  return read.kind === 'day_open'
    ? answer({ ...day, status: 'open', closes_at: read.closesAt.toISOString(), exceptions })
    : answer({ ...day, status: 'closed', ...presentDay(read.day, currency), exceptions });
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
  const day = readDayOptions(options);
  const { operationId, currency, date } = day;
  const actor = await actorOf(context, options.as);
  const { closeDay } = await import('../../../staff/acts/days.js');
  const closed = await context.withDatabase((database) => closeDay(database, actor, day), STATEMENT_TIMEOUT_MS);
  switch (closed.kind) {
    case 'day_open':
      throw refused(`${date} is open until ${closed.closesAt.toISOString()}`);
    case 'no_such_operation':
      throw noSuchOperation(operationId);
    case 'not_permitted':
      throw notPermitted(actor.handle, 'day.close');
    case 'closed':
      return answer({ operation_id: operationId, date, currency, days_frozen: closed.daysFrozen });
  }
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

async function withOperation<Result>(
  context: CommandContext,
  operationId: string,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
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
