// Event replay.
import { invalidField } from '../../contract/http/errors.js';
import type { RouteHandlers } from '../../contract/http/routes.js';
import { readEvents } from '../../store/events/events.js';
import { ok } from './answers.js';
import type { ApiDependencies } from './dependencies.js';
import { eventFilter } from './reads.js';

export function eventHandlers({ database, sealer }: ApiDependencies): Pick<RouteHandlers, 'listEvents'> {
  return {
    listEvents: async ({ caller: { operation }, query, found }) => {
      const { after } = query;
      const read = await readEvents(database, sealer, operation.id, eventFilter(query), found);
      if (read.kind === 'unknown_event')
        return invalidField(after === undefined ? 'cursor' : 'after', 'unknown', 'is not an event of this operation');
      return ok(pageOf(read.envelopes, read.hasMore ? read.lastId : null));
    },
  };
}

const COMMA = Buffer.from(',');

/** The page around the stored envelopes' bytes. Parsing and serialising them again would double the request's cost. */
function pageOf(envelopes: readonly Buffer[], nextCursor: string | null): Buffer {
  const data = envelopes.flatMap((envelope, index) => (index === 0 ? [envelope] : [COMMA, envelope]));
  return Buffer.concat([
    Buffer.from('{"data":['),
    ...data,
    Buffer.from(`],"next_cursor":${JSON.stringify(nextCursor)}}`),
  ]);
}
