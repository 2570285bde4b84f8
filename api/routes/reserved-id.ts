// The id of the object that a request creates: reserved together with its Idempotency-Key (D2).
import type { RouteRequest } from '../../contract/http/route.js';

/** Throws where a route that creates something came without one: a fault of the route table. */
export function reservedId({ objectId }: Pick<RouteRequest, 'objectId'>): string {
  if (objectId === undefined) throw new Error('the route creates an object and no id was reserved for it');
  return objectId;
}
