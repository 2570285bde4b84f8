// A closed day of an operation, with what a person must look at.
import { dayClosesAt } from '../../domain/reconciliation.js';
import type { Database } from '../../store/database.js';
import { type DayException, type FrozenDay, readDay, readExceptions } from '../../store/reconciliation/days.js';
import type { Book } from '../../store/reconciliation/freeze.js';

export type ClosedDay =
  | { readonly kind: 'frozen'; readonly day: FrozenDay; readonly exceptions: readonly DayException[] }
  | { readonly kind: 'day_open'; readonly closesAt: Date; readonly exceptions: readonly DayException[] }
  /** Many days are not frozen yet: close them first. */
  | { readonly kind: 'catching_up' };

/** A day that is closed and not frozen yet is frozen by this. At most `most` exceptions. */
export async function readClosedDay(
  database: Database,
  { operationId, currency, date }: Book & { readonly date: string },
  most: number,
): Promise<ClosedDay> {
  const read = await readDay(database, { operationId, currency }, date, new Date());
  if (read.kind === 'catching_up') return read;
  const exceptions = await readExceptions(database, { operationId, currency }, date, most);
  return read.kind === 'frozen'
    ? { kind: 'frozen', day: read.day, exceptions }
    : { kind: 'day_open', closesAt: dayClosesAt(date), exceptions };
}
