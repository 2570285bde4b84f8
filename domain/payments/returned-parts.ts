// The returns of a payment that the provider reports as done, against those in the books: what is new, what is reported
// with another amount, and what people entered before the provider reported it. One return is booked once.
import type { ReturnedPart } from '../bank-movements.js';
import { isReturnId } from './return-conclusion.js';

/** A return as it is reported. */
interface Reported {
  readonly amountMinor: bigint;
  /** The return's id within its payment. */
  readonly reference: string;
  /** Its id in PIX, if that is reported. */
  readonly returnId?: string;
}

export interface ComparedReturns<Return> {
  readonly added: readonly Return[];
  /** In the books with another amount. */
  readonly differing: readonly Return[];
  readonly confirmed: readonly { readonly entered: ReturnedPart; readonly reported: ReturnedPart }[];
}

/** `known`: the parts in the books, of one payment. `done`: what is reported of it, each return once. */
export function comparedReturns<Return extends Reported>(
  known: readonly ReturnedPart[],
  done: readonly Return[],
): ComparedReturns<Return> {
  const named = new Map(done.map((reported) => [reported, known.find((part) => isSame(part, reported))]));
  const taken = new Set(named.values());
  const added: Return[] = [];
  const differing: Return[] = [];
  const confirmed: { entered: ReturnedPart; reported: ReturnedPart }[] = [];
  for (const [reported, same] of named) {
    const entered = same ?? known.find((part) => !taken.has(part) && mayBe(part, reported));
    taken.add(entered);
    if (entered === undefined) added.push(reported);
    else if (entered.amountMinor !== reported.amountMinor) differing.push(reported);
    else if (entered.isUnconfirmed) confirmed.push({ entered, reported: partOf(entered.of, reported) });
  }
  return { added, differing, confirmed };
}

/** The part as it is in the books. */
export function partOf(of: string, { reference, returnId, amountMinor }: Reported): ReturnedPart {
  return { of, reference, ...(returnId === undefined ? {} : { returnId }), amountMinor };
}

/** People know a return by its id in PIX, providers by their own. */
function isSame(part: ReturnedPart, { reference, returnId }: Reported): boolean {
  const ids = [reference, returnId].filter((id) => id !== undefined);
  return ids.includes(part.reference) || (part.returnId !== undefined && ids.includes(part.returnId));
}

/**
 * Whether people may have entered this return, where one of the two sides does not say its id in PIX. Every return that
 * is entered is reported in the end, so of two with one amount it does not matter which is taken for which.
 */
function mayBe(entered: ReturnedPart, { amountMinor, returnId }: Reported): boolean {
  const isUnnamed = returnId === undefined || !isReturnId(entered.reference);
  return entered.isUnconfirmed === true && isUnnamed && entered.amountMinor === amountMinor;
}
