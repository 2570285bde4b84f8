// The address that an operation's webhooks are sent to.
import { badInput } from '../problem.js';

const LONGEST_URL = 2_048;

/** https in production, http or https in the sandbox; no credentials and no fragment. Never repeats the URL: it may hold a secret. */
export function readWebhookUrl(field: string, text: string, environment: 'sandbox' | 'production'): string {
  if (text.length > LONGEST_URL) throw badInput(field, `must be at most ${LONGEST_URL} characters`);
  if (!URL.canParse(text) || /[\s\p{Cc}]/u.test(text)) throw badInput(field, 'must be a URL like https://operator.example/webhooks');
  const url = new URL(text);
  if (environment === 'production' && url.protocol !== 'https:') throw badInput(field, 'must be https in production');
  if (!['http:', 'https:'].includes(url.protocol)) throw badInput(field, 'must be http or https');
  if (url.username !== '' || url.password !== '') throw badInput(field, 'must not hold a user name or password; deliveries are signed');
  if (url.hash !== '') throw badInput(field, 'must not hold a fragment (#…)');
  return text;
}
