// E-mail addresses as the interface takes them: local@domain.tld, no display name, bounded.

export const EMAIL_MAX_LENGTH = 254;

/** The message for a malformed address. */
export const EMAIL_FORMAT = 'must be local@domain.tld without a display name, for example maria@player.test';

const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const LABEL = '[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const TOP_LEVEL = '[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]';

/** local@domain.tld, with labels of at most 63 characters. The contract has the same pattern. */
export const EMAIL = new RegExp(`^${ATOM}(\\.${ATOM})*@(${LABEL}\\.)+${TOP_LEVEL}$`);

/** Reserved domains (RFC 2606), which receive no mail: the only ones accepted outside production. */
const RESERVED_TOP_LEVELS = ['test', 'invalid', 'example'];

/** Whether the text is `local@domain.tld`. Does not check its length. */
export function isEmail(text: string): boolean {
  return EMAIL.test(text);
}

/** Whether the address is below `.test`, `.invalid` or `.example`. */
export function hasReservedDomain(email: string): boolean {
  return RESERVED_TOP_LEVELS.includes(email.slice(email.lastIndexOf('.') + 1).toLowerCase());
}
