// Generates key ids and secrets. A secret is returned once, when it is made; afterwards only its sealed form exists.
import { randomInt } from 'node:crypto';

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const KEY_ID_LENGTH = 24;
/** 48 alphanumerics: 285 bits. */
const SECRET_LENGTH = 48;

export type Environment = 'sandbox' | 'production';

/** `key_test_…` or `key_live_…`: the prefix shows the environment without a look-up. */
export function newKeyId(environment: Environment): string {
  return `${environment === 'production' ? 'key_live_' : 'key_test_'}${alphanumerics(KEY_ID_LENGTH)}`;
}

/** The secret of an API key; used as the UTF-8 bytes of this text. */
export function newKeySecret(): string {
  return alphanumerics(SECRET_LENGTH);
}

/** The secret that webhooks are signed with. */
export function newWebhookSecret(): string {
  return `whsec_${alphanumerics(SECRET_LENGTH)}`;
}

function alphanumerics(length: number): string {
  return Array.from({ length }, () => ALPHANUMERIC[randomInt(ALPHANUMERIC.length)]).join('');
}
