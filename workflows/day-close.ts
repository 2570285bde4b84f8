// The nightly day close: freezes every operation's closed days, one book (operation and currency) after another, and catches
// up what earlier nights missed. A book that fails is reported and does not hold up the others.
import { ActivityFailure, continueAsNew, isCancellation, setCurrentDetails } from '@temporalio/workflow';
import type { Book } from '../activities/types.js';
import { DAY_CLOSE_START, type DayCloseInput, type DayCloseResult } from '../contract/temporal/day-close.js';
import { lastClosedDay } from '../domain/reconciliation.js';
import { reconciliation } from './steps/activity-proxies.js';
import { now } from './steps/clock.js';

/** Books per run: the history stays short, however many operations there are. */
const BOOKS_PER_RUN = 100;

export async function dayClose({ after, done }: DayCloseInput = DAY_CLOSE_START): Promise<DayCloseResult> {
  const at = now();
  const throughDay = lastClosedDay(new Date(at));
  const page = { at, after, limit: BOOKS_PER_RUN };
  const books = await reconciliation.booksToFreeze('find the operations with a closed day to freeze', page);
  let result = done;
  for (const book of books) {
    result = add(result, await freezeBook(book, throughDay, at));
    setCurrentDetails(
      `through **${throughDay}** · ${result.books} books, ${result.days} days frozen, ${result.failed} failed · last: ${book.operationId}`,
    );
  }
  const last = books.at(-1);
  if (last === undefined || books.length < BOOKS_PER_RUN) return result;
  return continueAsNew<typeof dayClose>({ after: last, done: result });
}

/** Freezes the book's days until none is left; null if it could not be done. */
async function freezeBook(book: Book, throughDay: string, at: string): Promise<number | null> {
  let days = 0;
  try {
    for (;;) {
      const summary = `freeze the days of ${book.operationId} (${book.currency})`;
      const outcome = await reconciliation.freezeDays(summary, { ...book, throughDay, at });
      days += outcome.days;
      if (outcome.caughtUp) return days;
    }
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    await reconciliation.raiseFreezeAlert('raise the alert DAY_NOT_FROZEN', { ...book, throughDay, at });
    return null;
  }
}

function add(result: DayCloseResult, days: number | null): DayCloseResult {
  return { books: result.books + 1, days: result.days + (days ?? 0), failed: result.failed + (days === null ? 1 : 0) };
}
