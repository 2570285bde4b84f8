// People who decide: how they are named, when two names are one person, and what a decision must say. Whoever approves twice must not
// count as two.

export const LONGEST_REASON = 500;

/** A name or user name. It is kept in histories and in the audit trail, so it is no e-mail address. */
export function isPersonName(text: string): boolean {
  return /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._'-]{0,63}$/u.test(text);
}

/** One line, or nothing. */
export function isReason(text: string): boolean {
  return text.length <= LONGEST_REASON && !/\p{Cc}/u.test(text);
}

/**
 * Only letters and digits tell people apart: case, accents, spaces, dots and hyphens make no second person. Two people whose
 * names differ in nothing else have to spell them further apart.
 */
export function isSamePerson(one: string, other: string): boolean {
  return fold(one) === fold(other);
}

function fold(person: string): string {
  return person
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}
