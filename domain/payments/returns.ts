// Returns of a payment: those that the provider reports as done against those in the books, and how people conclude a
// return to the payer that its provider never finishes.
import type { ReturnedPart } from '../bank-movements.js';

/** A return as it is reported. */
interface Reported {
  readonly amountMinor: bigint;
  /** The return's id within its payment. */
  readonly reference: string;
  /** Its id in PIX, if that is reported. */
  readonly returnId?: string;
}

interface ComparedReturns<Return> {
  readonly added: readonly Return[];
  /** In the books with another amount. */
  readonly differing: readonly Return[];
  readonly confirmed: readonly { readonly entered: ReturnedPart; readonly reported: ReturnedPart }[];
}

/**
 * What is new, what is reported with another amount, and what people entered before the provider reported it. One
 * return is booked once. `known`: the parts in the books, of one payment. `done`: what is reported of it, each return
 * once.
 */
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

/**
 * A provider finishes a return within minutes. People may conclude one this many hours after it was requested.
 * `settleSeconds` after their conclusion it is settled by it, if a look-up then shows neither done nor refused: every
 * call that was under way before has ended by then, and a provider that is silent was asked more than once.
 */
export const RETURN_CONCLUSION_RULES = { hoursAfterRequest: 24, settleSeconds: 15 } as const;

/** Done; or not made, and never going to be. */
export const RETURN_RESULTS = ['done', 'never'] as const;
export type StatedReturnResult = (typeof RETURN_RESULTS)[number];

/**
 * What two people entered, or one in the sandbox, from the provider's statement. The provider's own conclusive answer
 * counts before theirs. No personal data.
 */
export interface ReturnConclusion {
  /** The act by which the return was requested: the conclusion is about this return only. */
  readonly returnActId: string;
  readonly result: StatedReturnResult;
  /** Who asked for it. */
  readonly person: string;
  readonly reason: string;
  /** Where the provider states it: a ticket or letter. */
  readonly evidence: string;
  /** When it took effect, RFC 3339. */
  readonly at: string;
}

/** Whether the text is the id of a return in PIX (`D…`), as providers' statements have it. */
export function isReturnId(text: string): boolean {
  return /^D[0-9A-Za-z]{31}$/.test(text);
}

/** The earliest time at which people may conclude a return that was requested at `requestedAt`, RFC 3339. */
export function concludableFrom(requestedAt: string): string {
  return new Date(Date.parse(requestedAt) + RETURN_CONCLUSION_RULES.hoursAfterRequest * 3_600_000).toISOString();
}

/** Whether the return may be settled by the conclusion at this time, unless the provider's answer is conclusive. */
export function isSettling({ at: since }: ReturnConclusion, at: string): boolean {
  return Date.parse(at) - Date.parse(since) >= RETURN_CONCLUSION_RULES.settleSeconds * 1_000;
}
