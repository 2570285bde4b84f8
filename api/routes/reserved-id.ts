// The id of the object that a request creates, reserved with its Idempotency-Key.
import type { RouteRequest } from '../../contract/http/route.js';

/** Throws when there is none: the route table lacks `creates`. */
export function reservedId({ objectId }: Pick<RouteRequest, 'objectId'>): string {
  if (objectId === undefined) throw new Error('the route creates an object and no id was reserved for it');
  return objectId;
}
