// An event's body is sealed before its statement runs, and only the statement knows the time of the change. The body
// has the time of the step; if the row has a later one, that is written into it whenever it is opened.
import type { EventEnvelope } from '../../contract/http/presenters.js';

/** The body with the time of the event's row, RFC 3339; the same bytes each time. */
export function datedBody(body: Buffer, createdAt: string): Buffer {
  const text = body.toString('utf8');
  // The envelope's own stands before the object's.
  const at = /"created_at":"([^"]*)"/.exec(text)?.[1];
  if (at === undefined || at === createdAt) return body;
  const envelope = JSON.parse(text) as EventEnvelope;
  const object = { ...(envelope.data.object as object), updated_at: createdAt };
  return Buffer.from(JSON.stringify({ ...envelope, created_at: createdAt, data: { object } }), 'utf8');
}
