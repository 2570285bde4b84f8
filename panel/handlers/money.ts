// Money of operations: what people moved, what is disputed, closed days, and how the providers' statements compare.
import { readCashPage } from '../../staff/reads/panel/cash-movements.js';
import { readDayPage, readExceptionsOfDay } from '../../staff/reads/panel/days.js';
import { readDisputePage } from '../../staff/reads/panel/disputes.js';
import { readStatement, readStatements } from '../../staff/reads/panel/statements.js';
import { readSuspensePage } from '../../staff/reads/panel/suspense.js';
import { pagedOf } from '../paged.js';
import { refuse } from '../refusal.js';
import type { Handlers } from '../request.js';
import type { PanelServices } from '../services.js';

type MoneyHandlers = Handlers<
  | 'readCashMovements'
  | 'readSuspense'
  | 'readDisputes'
  | 'readDays'
  | 'readDayExceptions'
  | 'readStatements'
  | 'readStatement'
>;

export function moneyHandlers({ database, sealer }: PanelServices): MoneyHandlers {
  return {
    readCashMovements: async ({ viewer, params: { operation }, query }) =>
      pagedOf(await readCashPage(database, viewer, operation, query)),
    readSuspense: async ({ viewer, params: { operation }, query }) =>
      pagedOf(await readSuspensePage({ database, sealer }, viewer, operation, query)),
    readDisputes: async ({ viewer, params: { operation }, query }) =>
      pagedOf(await readDisputePage(database, viewer, operation, query)),
    readDays: async ({ viewer, params: { operation }, query }) =>
      pagedOf(await readDayPage(database, viewer, operation, query)),
    readDayExceptions: async ({ viewer, params }) =>
      (await readExceptionsOfDay(database, viewer, params)) ?? refuse('not_found'),
    readStatements: ({ viewer }) => readStatements(database, viewer),
    readStatement: async ({ viewer, params }) => (await readStatement(database, viewer, params)) ?? refuse('not_found'),
  };
}
