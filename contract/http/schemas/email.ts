// E-mail addresses as the interface takes them: local@domain.tld, no display name, bounded.

export const EMAIL_MAX_LENGTH = 254;

/** What an address that is none is told. */
export const EMAIL_FORMAT = 'must be local@domain.tld without a display name, for example maria@player.test';

/** local@domain.tld; labels of at most 63 characters. Also what the contract's document says. */
export const EMAIL =
  /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]$/;

/** Domains that no mail leaves to (RFC 2606): the only ones taken outside production. */
const RESERVED_TOP_LEVELS = ['test', 'invalid', 'example'];

/** Whether the text is `local@domain.tld`; says nothing of its length. */
export function isEmail(text: string): boolean {
  return EMAIL.test(text);
}

/** Whether the address is below `.test`, `.invalid` or `.example`. */
export function hasReservedDomain(email: string): boolean {
  return RESERVED_TOP_LEVELS.includes(email.slice(email.lastIndexOf('.') + 1).toLowerCase());
}
