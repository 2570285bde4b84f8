// The form of the URL that an operation's webhooks are sent to. Where it leads is checked before each delivery.

const LONGEST_URL = 2_048;

/**
 * Why the text is no such URL; `null` if it is one: https in production, http or https in the sandbox, without
 * credentials or fragment. The problem never repeats the URL.
 */
export function webhookUrlProblem(text: string, environment: 'sandbox' | 'production'): string | null {
  if (text.length > LONGEST_URL) return `must be at most ${LONGEST_URL} characters`;
  if (!URL.canParse(text) || /[\s\p{Cc}]/u.test(text)) return 'must be a URL like https://operator.example/webhooks';
  const url = new URL(text);
  if (environment === 'production' && url.protocol !== 'https:') return 'must be https in production';
  if (!['http:', 'https:'].includes(url.protocol)) return 'must be http or https';
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password; deliveries are signed';
  return url.hash === '' ? null : 'must not hold a fragment (#…)';
}
