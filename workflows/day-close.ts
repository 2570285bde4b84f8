// The nightly day close: freezes every operation's closed days, one book (operation and currency) after another, and
// catches up on days that earlier nights missed. A book that fails raises an alert and does not stop the others.
import { ActivityFailure, continueAsNew, isCancellation, setCurrentDetails } from '@temporalio/workflow';
import type { Book } from '../activities/types.js';
import { DAY_CLOSE_START, type DayCloseInput, type DayCloseResult } from '../contract/temporal/scheduled-work.js';
import { lastClosedDay } from '../domain/reconciliation.js';
import { now } from './steps/time.js';
import { step } from './steps/step.js';

/** Books per run. It bounds the history; the next run continues with the rest. */
const BOOKS_PER_RUN = 100;

export async function dayClose({ after, done }: DayCloseInput = DAY_CLOSE_START): Promise<DayCloseResult> {
  const throughDay = lastClosedDay(new Date(now()));
  const page = { after, limit: BOOKS_PER_RUN };
  const books = await step.booksToFreeze(page);
  let result = done;
  for (const book of books) {
    result = add(result, await freezeBook(book));
    const progress = `${result.books} books, ${result.days} days frozen, ${result.failed} failed`;
    setCurrentDetails(`through **${throughDay}** · ${progress} · last: ${book.operationId}`);
  }
  const last = books.at(-1);
  if (last === undefined || books.length < BOOKS_PER_RUN) return result;
  return continueAsNew<typeof dayClose>({ after: last, done: result });
}

/** Freezes the book's closed days. Returns their number; null when it failed. */
async function freezeBook(book: Book): Promise<number | null> {
  let days = 0;
  try {
    for (;;) {
      const outcome = await step.freezeDays(book);
      days += outcome.days;
      if (outcome.caughtUp) return days;
    }
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    await step.raiseFreezeAlert(book);
    return null;
  }
}

function add(result: DayCloseResult, days: number | null): DayCloseResult {
  return { books: result.books + 1, days: result.days + (days ?? 0), failed: result.failed + (days === null ? 1 : 0) };
}
