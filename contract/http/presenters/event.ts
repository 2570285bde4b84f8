// The event envelope: the body of a webhook and, with the same bytes, an item of GET /events.

export interface EventEnvelope {
  readonly id: string;
  readonly type: string;
  readonly created_at: string;
  readonly operation_id: string;
  readonly object_id: string;
  readonly object_version: number;
  readonly data: { readonly object: unknown };
}

/** Builds the envelope of an event about an object as served at that version (specification, "Event (envelope)"). */
export function presentEvent(event: {
  id: string;
  type: string;
  createdAt: string;
  operationId: string;
  objectId: string;
  objectVersion: number;
  object: unknown;
}): EventEnvelope {
  return {
    id: event.id,
    type: event.type,
    created_at: event.createdAt,
    operation_id: event.operationId,
    object_id: event.objectId,
    object_version: event.objectVersion,
    data: { object: event.object },
  };
}
