// The client's address: the socket's, or the one a trusted edge proxy names. X-Forwarded-For is never read.
import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP } from 'node:net';

export interface TrustedEdge {
  readonly proxies: BlockList;
  /** The header in which the proxies write the client's address, in lower case. */
  readonly header: string;
  /** The header in which they write the operation of the client's certificate; undefined: they check none. */
  readonly operationHeader?: string | undefined;
}

/**
 * Whether the client's certificate was issued to this operation, as the edge read it. A request that came around the
 * edge has no certificate.
 */
export function certificateBelongsTo(
  operationId: string,
  request: IncomingMessage,
  edge: TrustedEdge | undefined,
): boolean {
  if (edge?.operationHeader === undefined) return true;
  return isFromEdge(request, edge) && request.headers[edge.operationHeader] === operationId;
}

function isFromEdge({ socket }: IncomingMessage, { proxies }: TrustedEdge): boolean {
  const peer = plainAddress(socket.remoteAddress ?? '') ?? '0.0.0.0';
  return proxies.check(peer, isIP(peer) === 6 ? 'ipv6' : 'ipv4');
}

/**
 * The client's address in plain form (IPv4-mapped IPv6 unwrapped, no zone). When a trusted proxy does not send exactly
 * one valid address, the result is the proxy's address, which no allowlist contains.
 */
export function sourceAddressOf(request: IncomingMessage, edge: TrustedEdge | undefined): string {
  const peer = plainAddress(request.socket.remoteAddress ?? '') ?? '0.0.0.0';
  if (edge === undefined || !isFromEdge(request, edge)) return peer;
  const said = request.headers[edge.header];
  return (typeof said === 'string' ? plainAddress(said.trim()) : undefined) ?? peer;
}

/** `::ffff:10.0.0.1` → `10.0.0.1`, `fe80::1%eth0` → `fe80::1`; undefined when `text` is not an address. */
export function plainAddress(text: string): string | undefined {
  const address = text.replace(/%.*$/, '');
  const version = isIP(address);
  if (version === 0) return undefined;
  if (version === 4) return address;
  // The URL parser gives every IPv6 address one spelling; a mapped one ends in two groups.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical);
  if (mapped === null) return canonical;
  const [high, low] = [Number.parseInt(mapped[1]!, 16), Number.parseInt(mapped[2]!, 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
