// E-mail addresses as the interface takes them: local@domain.tld, no display name, bounded.

export const EMAIL_MAX_LENGTH = 254;

const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const LABEL = /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;
const TOP_LEVEL = /^[A-Za-z][A-Za-z0-9-]*[A-Za-z0-9]$/;

/** Domains that no mail leaves to (RFC 2606): the only ones taken outside production. */
const RESERVED_TOP_LEVELS = ['test', 'invalid', 'example'];

/** Whether the text is `local@domain.tld`; says nothing of its length. */
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  if (at < 1) return false;
  const labels = text.slice(at + 1).split('.');
  return LOCAL.test(text.slice(0, at)) && labels.length >= 2 && labels.every((label) => LABEL.test(label)) && TOP_LEVEL.test(labels.at(-1) ?? '');
}

/** Whether the address is below `.test`, `.invalid` or `.example`. */
export function hasReservedDomain(email: string): boolean {
  return RESERVED_TOP_LEVELS.includes(email.slice(email.lastIndexOf('.') + 1).toLowerCase());
}
