// Checks the URL that an operation's webhooks are sent to.
import type { BlockList } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { webhookUrlProblem } from '../../domain/webhook-url.js';
import type { CommandContext } from '../context.js';
import { badInput } from '../problem.js';

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

/** Its form alone. Problems never repeat the URL. */
export function readWebhookUrlForm(field: string, text: string, environment: 'sandbox' | 'production'): string {
  const problem = webhookUrlProblem(text, environment);
  if (problem !== null) throw badInput(field, problem);
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
