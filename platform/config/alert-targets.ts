// Where a worker of the webhooks queue sends alerts on to: a webhook, e-mail, a pager. Each needs all of its variables
// or none.
import { z } from 'zod';
import { type AlertTargets, type EmailTarget } from '../../domain/alert-notices.js';
import { ALERT_CLASSES } from '../../domain/alert-definition.js';

/** PagerDuty's own; others offer the same API under their addresses. */
const PAGERDUTY_URL = 'https://events.pagerduty.com/v2/enqueue';
const DEFAULT_PORTS = { 'smtp:': 587, 'smtps:': 465 } as const;

const address = z.string().regex(/^[^\s@,;<>"]+@[^\s@,;<>"]+$/, 'must be an e-mail address');
const addresses = z
  .string()
  .transform((text) => text.split(',').map((item) => item.trim()))
  .pipe(z.array(address).min(1).max(10));

export const alertTargetsVariables = z.object({
  ALERT_WEBHOOK_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  ALERT_WEBHOOK_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  /** Up to ten addresses, separated by commas. */
  ALERT_EMAIL_TO: addresses.optional(),
  ALERT_EMAIL_FROM: address.optional(),
  /** smtps://USER@HOST:465, or smtp://USER@HOST:587 with STARTTLS. */
  ALERT_SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'must be an smtp or smtps address' })
    .refine((text) => new URL(text).password === '', 'must have no password: ALERT_SMTP_PASSWORD holds it')
    .optional(),
  ALERT_SMTP_PASSWORD: z.string().optional(),
  ALERT_PAGER_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).default(PAGERDUTY_URL),
  ALERT_PAGER_KEY: z.string().optional(),
  /** The least grave class that is sent on (domain/alerts.ts). */
  ALERT_LEAST_CLASS: z.enum(ALERT_CLASSES).default('critical'),
});
type Settings = z.output<typeof alertTargetsVariables>;

/** The targets that are set; all null in a sandbox that names none. */
export const alertTargetsSchema = alertTargetsVariables.transform((settings, context): AlertTargets => {
  const missing = (variable: keyof Settings, because: keyof Settings) => {
    context.addIssue({ code: 'custom', path: [variable], message: `goes with ${because}` });
    return z.NEVER;
  };
  const { ALERT_WEBHOOK_URL: url, ALERT_WEBHOOK_SECRET: secret, ALERT_PAGER_KEY: routingKey } = settings;
  if (url !== undefined && secret === undefined) missing('ALERT_WEBHOOK_SECRET', 'ALERT_WEBHOOK_URL');
  if (url === undefined && secret !== undefined) missing('ALERT_WEBHOOK_URL', 'ALERT_WEBHOOK_SECRET');
  return {
    webhook: url === undefined || secret === undefined ? null : { url, secret },
    email: emailOf(settings, missing),
    pager: routingKey === undefined ? null : { url: settings.ALERT_PAGER_URL, routingKey },
    leastClass: settings.ALERT_LEAST_CLASS,
  };
});

function emailOf(
  settings: Settings,
  missing: (variable: keyof Settings, because: keyof Settings) => void,
): EmailTarget | null {
  const { ALERT_EMAIL_TO: to, ALERT_EMAIL_FROM: from, ALERT_SMTP_URL: url, ALERT_SMTP_PASSWORD: password } = settings;
  if (to === undefined) {
    for (const variable of ['ALERT_EMAIL_FROM', 'ALERT_SMTP_URL', 'ALERT_SMTP_PASSWORD'] as const)
      if (settings[variable] !== undefined) missing('ALERT_EMAIL_TO', variable);
    return null;
  }
  if (from === undefined) missing('ALERT_EMAIL_FROM', 'ALERT_EMAIL_TO');
  if (url === undefined) missing('ALERT_SMTP_URL', 'ALERT_EMAIL_TO');
  if (from === undefined || url === undefined) return null;
  const { protocol, hostname, port, username } = new URL(url);
  if (username !== '' && password === undefined) missing('ALERT_SMTP_PASSWORD', 'ALERT_SMTP_URL');
  if (username === '' && password !== undefined) missing('ALERT_SMTP_URL', 'ALERT_SMTP_PASSWORD');
  return {
    from,
    to,
    server: {
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? DEFAULT_PORTS[protocol as keyof typeof DEFAULT_PORTS] : Number(port),
      isTls: protocol === 'smtps:',
      login: username === '' ? null : { user: decodeURIComponent(username), password: password ?? '' },
    },
  };
}
