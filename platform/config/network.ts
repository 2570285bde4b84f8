// An address or a network as text: `10.0.0.0/8`, `::1`. It has no dependencies, because the first code that the command
// loads uses it.
import { isIP } from 'node:net';

const MAX_PREFIX = { 4: 32, 6: 128 } as const;

/** An address, or one with a prefix; null for anything else. */
export function readNetwork(item: string): { address: string; prefix: number; family: 'ipv4' | 'ipv6' } | null {
  const [address = '', prefixText] = item.split('/');
  const version = isIP(address);
  if (version !== 4 && version !== 6) return null;
  const longest = MAX_PREFIX[version];
  if (prefixText !== undefined && !/^\d{1,3}$/.test(prefixText)) return null;
  const prefix = prefixText === undefined ? longest : Number(prefixText);
  return prefix > longest ? null : { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6' };
}
