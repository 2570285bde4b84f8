// Networks of an allowlist (specification, "Authentication"): at most /24 wide for IPv4 and /56 for IPv6.
import { networkLookupValue } from './rules/lookup-values.js';

const WIDEST_PREFIX = { IPv4: 24, IPv6: 56 } as const;
export const MOST_NETWORKS = 100;

/**
 * A network in canonical spelling, or what is wrong with the text. A bare address counts as a network of one address.
 */
export function readAllowedNetwork(text: string): { readonly network: string } | { readonly problem: string } {
  const [address, prefix] = partsOf(text) ?? [];
  if (address === undefined || prefix === undefined)
    return { problem: `"${text}" is not a network like 203.0.113.0/24 or 2001:db8:0:ff00::/56` };
  const family = address.includes(':') ? 'IPv6' : 'IPv4';
  if (Number(prefix) < WIDEST_PREFIX[family])
    return { problem: `"${text}" is wider than /${WIDEST_PREFIX[family]}, the widest ${family} network allowed` };
  // Bits beyond the prefix are a mistake: a single host was meant, or another prefix.
  const [host] = partsOf(text.split('/')[0] ?? '') ?? [];
  return host === address
    ? { network: `${shortest(address)}/${prefix}` }
    : { problem: `"${text}" has bits set beyond its prefix; the network is ${shortest(address)}/${prefix}` };
}

/** The network's first address and its prefix length; `null` if the text is not a network. */
function partsOf(text: string): [address: string, prefix: string] | null {
  if (/\s/.test(text)) return null;
  const [address, prefix] = networkLookupValue(text)?.split('/') ?? [];
  return address === undefined || prefix === undefined ? null : [address, prefix];
}

/** IPv6 as RFC 5952 writes it. */
function shortest(address: string): string {
  return address.includes(':') ? new URL(`http://[${address}]/`).hostname.slice(1, -1) : address;
}
