// People who decide: valid names and reasons, and when two names are the same person, because two approvals need two
// people.

export const LONGEST_REASON = 500;

/**
 * Whether the text is a name or user name. It is stored in histories and in the audit trail, so e-mail addresses are
 * refused.
 */
export function isPersonName(text: string): boolean {
  return /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._'-]{0,63}$/u.test(text);
}

/** Whether the text is one line of at most 500 characters, or empty. */
export function isReason(text: string): boolean {
  return text.length <= LONGEST_REASON && !/\p{Cc}/u.test(text);
}

/** Compares names by letters and digits only: case, accents, spaces, dots and hyphens do not distinguish people. */
export function isSamePerson(one: string, other: string): boolean {
  return fold(one) === fold(other);
}

function fold(person: string): string {
  return person
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}
