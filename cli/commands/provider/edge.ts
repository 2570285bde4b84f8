// Where callbacks come in, and what proves them.
import { Option } from 'commander';
import type { WebhookOrder } from '../../../providers/dialect-entry.js';
import type { AccountName } from '../../../providers/port.js';
import type { CommandContext } from '../../context.js';
import { badInput } from '../../problem.js';

export interface EdgeOptions {
  readonly edge?: string;
  readonly withoutCertificate: boolean;
}

/** `what` completes "the edge that …". */
export function edgeOptions(what: string): readonly Option[] {
  return [
    new Option('--edge <url>', `where the edge takes callbacks, as ${what}`),
    new Option('--without-certificate', 'the edge demands no client certificate of the provider').default(false),
  ];
}

/** With PROVIDER_<SLOT>_CALLBACK_SECRET, as the ingress has it, if that proves the callbacks. */
export async function webhookOrder(
  { environment }: CommandContext,
  slot: string,
  { edge, withoutCertificate }: EdgeOptions & { readonly edge: string },
): Promise<WebhookOrder> {
  const isAddress =
    URL.canParse(edge) && /^https?:$/.test(new URL(edge).protocol) && /^\/?$/.test(new URL(edge).pathname);
  if (!isAddress) throw badInput('--edge', 'must be an address without a path, such as https://edge.example:8443');
  const { readCallbacksConfig } = await import('../../../platform/config/providers.js');
  const callbacks = readCallbacksConfig(environment).callbacks[slot as AccountName];
  return {
    edge: new URL(edge).origin,
    secret: callbacks?.callbackSecret ?? null,
    isCertificateDemanded: !withoutCertificate,
  };
}
