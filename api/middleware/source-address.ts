// The client's address: the socket's, or the one a trusted edge proxy names. X-Forwarded-For is never read.
import type { IncomingMessage } from 'node:http';
import type { BlockList } from 'node:net';
import { comesFrom, peerAddressOf, plainAddress } from '../../platform/http/peer-address.js';

export interface TrustedEdge {
  readonly proxies: BlockList;
  /** The header in which the proxies write the client's address, in lower case. */
  readonly header: string;
  /** The header in which they write the operation of the client's certificate; undefined: they check none. */
  readonly operationHeader?: string | undefined;
}

/**
 * Whether the client's certificate was issued to this operation, as the edge read it. A request that bypassed the edge
 * has no certificate.
 */
export function certificateBelongsTo(
  operationId: string,
  request: IncomingMessage,
  edge: TrustedEdge | undefined,
): boolean {
  if (edge?.operationHeader === undefined) return true;
  return comesFrom(request, edge.proxies) && request.headers[edge.operationHeader] === operationId;
}

/**
 * The client's address in plain form (IPv4-mapped IPv6 unwrapped, no zone). When a trusted proxy does not send exactly
 * one valid address, the result is the proxy's address, which no allowlist contains.
 */
export function sourceAddressOf(request: IncomingMessage, edge: TrustedEdge | undefined): string {
  const peer = peerAddressOf(request);
  if (edge === undefined || !comesFrom(request, edge.proxies)) return peer;
  const said = request.headers[edge.header];
  return (typeof said === 'string' ? plainAddress(said.trim()) : undefined) ?? peer;
}
