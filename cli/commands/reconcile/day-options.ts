// The options that name a day: --date and --currency.
import { Option } from 'commander';
import { enabledCurrency } from '../../../domain/currencies.js';
import { isCalendarDay } from '../../../domain/instant.js';
import { badInput } from '../../problem.js';

export function dateOption(): Option {
  return new Option('--date <day>', 'the UTC day, YYYY-MM-DD').makeOptionMandatory();
}

export function currencyOption(): Option {
  return new Option('--currency <code>', 'the currency').default('BRL');
}

/** A day as YYYY-MM-DD that exists in the calendar; `clock`: whose day it is. */
export function readDay(field: string, text: string, clock = 'UTC'): string {
  if (!isCalendarDay(text)) throw badInput(field, `must be a day YYYY-MM-DD (${clock})`);
  return text;
}

export function readCurrency(code: string): string {
  if (enabledCurrency(code) === undefined) throw badInput('--currency', 'is not an enabled currency');
  return code;
}
