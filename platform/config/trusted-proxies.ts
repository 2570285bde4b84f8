// The edge in front of a process: its addresses, and the header in which it names the client's address.
import type { BlockList } from 'node:net';
import { z } from 'zod';
import { networks } from './networks.js';

export const headerName = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,64}$/, 'must be a header name')
  .transform((name) => name.toLowerCase())
  .refine(
    (name) => name !== 'x-forwarded-for' && name !== 'forwarded',
    'must be a header with one address, which the edge overwrites; never X-Forwarded-For',
  );

/** The variables, for a process's schema. */
export const trustedProxies = { TRUSTED_PROXIES: networks, TRUSTED_PROXY_HEADER: headerName.optional() };

interface ProxySettings {
  readonly TRUSTED_PROXIES: BlockList;
  readonly TRUSTED_PROXY_HEADER?: string | undefined;
}

/** For `superRefine`: one without the other trusts nobody, or everybody. */
export function bothOrNeither(
  { TRUSTED_PROXIES, TRUSTED_PROXY_HEADER }: ProxySettings,
  context: z.RefinementCtx,
): void {
  if (TRUSTED_PROXIES.rules.length > 0 === (TRUSTED_PROXY_HEADER !== undefined)) return;
  context.addIssue({
    code: 'custom',
    path: ['TRUSTED_PROXY_HEADER'],
    message: 'goes with TRUSTED_PROXIES: both or neither',
  });
}

/** The edge that the variables name; `undefined` for none. */
export function edgeIn({ TRUSTED_PROXIES, TRUSTED_PROXY_HEADER }: ProxySettings) {
  return TRUSTED_PROXY_HEADER === undefined ? undefined : { proxies: TRUSTED_PROXIES, header: TRUSTED_PROXY_HEADER };
}
