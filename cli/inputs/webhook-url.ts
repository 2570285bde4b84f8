// Checks the URL that an operation's webhooks are sent to.
import type { BlockList } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CommandContext } from '../context.js';
import { badInput } from '../problem.js';

const LONGEST_URL = 2_048;
/** How long to wait for the DNS look-up. */
const LOOKUP_LIMIT_MS = 3_000;

/** A sandbox may call loopback addresses, where testers run their receivers. */
const INSIDE = { sandbox: 'private or link-local', production: 'private, loopback or link-local' } as const;

/** A webhook URL that deliveries can reach. A name that does not resolve is accepted: each delivery checks again. */
export async function readWebhookUrl(
  context: CommandContext,
  field: string,
  text: string,
  environment: 'sandbox' | 'production',
): Promise<string> {
  const url = readWebhookUrlForm(field, text, environment);
  const { readEgressConfig } = await import('../../platform/config/cli.js');
  const { WEBHOOK_SANDBOX_NETWORKS: sandboxNetworks } = readEgressConfig(context.environment);
  if (await leadsInside(new URL(url), environment, sandboxNetworks))
    throw badInput(field, `leads to a ${INSIDE[environment]} address; nothing would be delivered`);
  return url;
}

/** https in production, http or https in the sandbox; no credentials, no fragment. Problems never repeat the URL. */
export function readWebhookUrlForm(field: string, text: string, environment: 'sandbox' | 'production'): string {
  if (text.length > LONGEST_URL) throw badInput(field, `must be at most ${LONGEST_URL} characters`);
  if (!URL.canParse(text) || /[\s\p{Cc}]/u.test(text))
    throw badInput(field, 'must be a URL like https://operator.example/webhooks');
  const url = new URL(text);
  if (environment === 'production' && url.protocol !== 'https:') throw badInput(field, 'must be https in production');
  if (!['http:', 'https:'].includes(url.protocol)) throw badInput(field, 'must be http or https');
  if (url.username !== '' || url.password !== '')
    throw badInput(field, 'must not hold a user name or password; deliveries are signed');
  if (url.hash !== '') throw badInput(field, 'must not hold a fragment (#…)');
  return text;
}

async function leadsInside(
  url: URL,
  environment: 'sandbox' | 'production',
  sandboxNetworks: BlockList,
): Promise<boolean> {
  const { assertAllowedTarget, ForbiddenTargetError } = await import('../../activities/webhooks/egress.js');
  const verdict = assertAllowedTarget(url, { environment, sandboxNetworks }).then(
    () => false,
    (error: unknown) => error instanceof ForbiddenTargetError,
  );
  return Promise.race([verdict, sleep(LOOKUP_LIMIT_MS, false, { ref: false })]);
}
