// People who decide: valid names and reasons, and when two names are the same person, because two approvals need two
// people.
import { asLatinLetter } from './look-alikes.js';

export const LONGEST_REASON = 500;

/**
 * Whether the text is a name or user name. It is stored with decisions and in the audit trail, so e-mail addresses are
 * refused.
 */
export function isPersonName(text: string): boolean {
  return /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._'-]{0,63}$/u.test(text);
}

/** A provider as the author of an audit entry, by its slot. No person can have the name (`isPersonName`). */
export function providerAuthor(slot: string): string {
  return `provider:${slot}`;
}

/** Whether an author of the audit trail is a provider. */
export function isProviderAuthor(author: string): boolean {
  return author.startsWith('provider:');
}

/** Whether the text is one line of at most 500 characters, or empty. */
export function isReason(text: string): boolean {
  return text.length <= LONGEST_REASON && !/\p{Cc}/u.test(text);
}

/** End-to-end ids of payments and returns, and ids of the gateway: long runs of digits that identify no person. */
const IDS = /(?<![\p{L}\p{N}])(?:[ED]\d{20}[A-Za-z0-9]{11}|(?:[a-z]+_)?[0-9a-f]{32})(?![\p{L}\p{N}])/gu;

/** Whether the text contains something that looks like an e-mail address, a document or a phone number. */
export function looksPersonal(text: string): boolean {
  const withoutIds = text.replace(IDS, '·');
  return /\S@\S/.test(withoutIds) || /(\d[.\-/ ]?){10}\d/.test(withoutIds);
}

/** Whether two names fold to the same text: then they are one person. */
export function isSamePerson(one: string, other: string): boolean {
  return foldedName(one) === foldedName(other);
}

/**
 * The name by the shapes of its letters and digits: case, accents, spaces, dots and hyphens do not distinguish people,
 * nor do letters of other alphabets that look like Latin ones, nor `1`, `i` and `l`, nor `0` and `o`.
 */
export function foldedName(person: string): string {
  const letters = person.normalize('NFKD').replace(/[^\p{L}\p{N}]/gu, '');
  return [...letters].map((letter) => SHAPES[asLatinLetter(letter)] ?? asLatinLetter(letter)).join('');
}

const SHAPES: Readonly<Record<string, string>> = { i: 'l', '1': 'l', '0': 'o' };
