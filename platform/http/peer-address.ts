// The address of a request's connection, and whether it is trusted to name another client's address.
import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP } from 'node:net';

/** The peer's address in plain form. */
export function peerAddressOf({ socket }: IncomingMessage): string {
  return plainAddress(socket.remoteAddress ?? '') ?? '0.0.0.0';
}

/** Whether the connection comes from one of these addresses. */
export function comesFrom(request: IncomingMessage, addresses: BlockList): boolean {
  const peer = peerAddressOf(request);
  return addresses.check(peer, isIP(peer) === 6 ? 'ipv6' : 'ipv4');
}

/** `::ffff:10.0.0.1` → `10.0.0.1`, `fe80::1%eth0` → `fe80::1`; `undefined` when `text` is not an address. */
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
