// Networks of an allowlist (specification, "Authentication"): at most /24 wide for IPv4 and /56 for IPv6.
import { networkLookupValue } from '../../domain/rules/lookup-values.js';
import { badInput } from '../problem.js';

const WIDEST_PREFIX = { IPv4: 24, IPv6: 56 } as const;
const MOST_NETWORKS = 100;

/** The networks in canonical spelling, without repetitions, in the given order. A bare address is a network of one. */
export function readNetworks(field: string, texts: readonly string[]): string[] {
  const networks = [...new Set(texts.map((text) => readNetwork(field, text)))];
  if (networks.length > MOST_NETWORKS) throw badInput(field, `takes at most ${MOST_NETWORKS} networks`);
  return networks;
}

function readNetwork(field: string, text: string): string {
  const [address, prefix] = partsOf(text) ?? [];
  if (address === undefined || prefix === undefined)
    throw badInput(field, `"${text}" is not a network like 203.0.113.0/24 or 2001:db8:0:ff00::/56`);
  const family = address.includes(':') ? 'IPv6' : 'IPv4';
  if (Number(prefix) < WIDEST_PREFIX[family])
    throw badInput(field, `"${text}" is wider than /${WIDEST_PREFIX[family]}, the widest ${family} network allowed`);
  // Bits beyond the prefix are a mistake: a single host was meant, or another prefix.
  const [host] = partsOf(text.split('/')[0] ?? '') ?? [];
  if (host !== address)
    throw badInput(field, `"${text}" has bits set beyond its prefix; the network is ${shortest(address)}/${prefix}`);
  return `${shortest(address)}/${prefix}`;
}

/** The network's first address and its prefix length; null if the text is no network. */
function partsOf(text: string): [address: string, prefix: string] | null {
  if (/\s/.test(text)) return null;
  const [address, prefix] = networkLookupValue(text)?.split('/') ?? [];
  return address === undefined || prefix === undefined ? null : [address, prefix];
}

/** IPv6 as RFC 5952 writes it. */
function shortest(address: string): string {
  return address.includes(':') ? new URL(`http://[${address}]/`).hostname.slice(1, -1) : address;
}
