// Lists of addresses and networks in configuration: `10.0.0.0/8,::1`.
import { BlockList, isIP } from 'node:net';
import { z } from 'zod';

const MAX_PREFIX = { 4: 32, 6: 128 } as const;

/** Addresses and networks, separated by commas; an empty text is an empty list. */
export const networks = z
  .string()
  .default('')
  .transform((text, context) => {
    const list = new BlockList();
    for (const item of text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')) {
      const network = readNetwork(item);
      if (network === null)
        context.addIssue({ code: 'custom', message: `${item} is neither an address nor a network` });
      else list.addSubnet(network.address, network.prefix, network.family);
    }
    return list;
  });

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
