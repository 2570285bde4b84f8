// What is read of a request before any framework: the client's address, which is the connection's or the one that a
// trusted edge names (X-Forwarded-For is never read), and the bytes of its body, up to a limit.
import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP } from 'node:net';

/** The peer's address in plain form. */
function peerAddressOf({ socket }: IncomingMessage): string {
  return plainAddress(socket.remoteAddress ?? '') ?? '0.0.0.0';
}

/** Whether the connection comes from one of these addresses. */
export function comesFrom(request: IncomingMessage, addresses: BlockList): boolean {
  const peer = peerAddressOf(request);
  return addresses.check(peer, isIP(peer) === 6 ? 'ipv6' : 'ipv4');
}

/** The edge, which alone is trusted to name a client. */
export interface TrustedProxies {
  readonly proxies: BlockList;
  /** The header in which it writes the client's address, in lower case. */
  readonly header: string;
}

/**
 * The client's address in plain form (IPv4-mapped IPv6 unwrapped, no zone). When a trusted proxy does not send exactly
 * one valid address, the result is the proxy's address, which no allowlist contains.
 */
export function sourceAddressOf(request: IncomingMessage, edge: TrustedProxies | undefined): string {
  const peer = peerAddressOf(request);
  if (edge === undefined || !comesFrom(request, edge.proxies)) return peer;
  const said = request.headers[edge.header];
  return (typeof said === 'string' ? plainAddress(said.trim()) : undefined) ?? peer;
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

/** The body's bytes. Reading stops at the limit, also if Content-Length is wrong. */
export function readBody(request: IncomingMessage, limitBytes: number): Promise<Buffer | 'too_large' | 'aborted'> {
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) return Promise.resolve('too_large');
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (result: Buffer | 'too_large' | 'aborted') => {
      request.off('data', onData).off('end', onEnd).off('close', onClose);
      resolve(result);
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limitBytes) chunks.push(chunk);
      else {
        request.pause();
        settle('too_large');
      }
    };
    const onEnd = () => settle(Buffer.concat(chunks, size));
    const onClose = () => settle('aborted');
    request
      .on('data', onData)
      .on('end', onEnd)
      .on('close', onClose)
      .on('error', () => undefined);
  });
}
