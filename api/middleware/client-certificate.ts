// Whose certificate the client presented, as the edge read it.
import type { IncomingMessage } from 'node:http';
import { comesFrom, type TrustedProxies } from '../../platform/http/peer-address.js';

export interface TrustedEdge extends TrustedProxies {
  /** The header in which it writes the operation of the client's certificate; undefined: it checks none. */
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
