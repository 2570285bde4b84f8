// Who is calling, by address: the socket's, or what a trusted edge proxy says; never X-Forwarded-For.
import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP } from 'node:net';

export interface TrustedEdge {
  readonly proxies: BlockList;
  /** The one header, lower case, in which the proxies write the client's address. */
  readonly header: string;
}

/**
 * The client's address in its plain form (IPv4-mapped IPv6 unwrapped, no zone). A trusted proxy that sends no single valid
 * address stands for itself: its own address is on nobody's allowlist.
 */
export function sourceAddressOf(request: IncomingMessage, edge: TrustedEdge | undefined): string {
  const peer = plainAddress(request.socket.remoteAddress ?? '') ?? '0.0.0.0';
  if (edge === undefined || !edge.proxies.check(peer, isIP(peer) === 6 ? 'ipv6' : 'ipv4')) return peer;
  const said = request.headers[edge.header];
  return (typeof said === 'string' ? plainAddress(said.trim()) : undefined) ?? peer;
}

/** `::ffff:10.0.0.1` → `10.0.0.1`, `fe80::1%eth0` → `fe80::1`; undefined for what is no address. */
export function plainAddress(text: string): string | undefined {
  const address = text.replace(/%.*$/, '');
  const version = isIP(address);
  if (version === 0) return undefined;
  if (version === 4) return address;
  // The URL parser writes every spelling of an IPv6 address the same way; mapped ones end in two groups.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical);
  if (mapped === null) return canonical;
  const [high, low] = [Number.parseInt(mapped[1]!, 16), Number.parseInt(mapped[2]!, 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
