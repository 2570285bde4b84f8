// The replay of events.
import { invalidField } from '../../contract/http/errors.js';
import type { RouteHandlers } from '../../contract/http/routes.js';
import { readEvents } from '../../store/reads/events.js';
import { ok } from './answers.js';
import type { ApiDependencies } from './dependencies.js';
import { eventFilter } from './reads.js';

export function eventHandlers({ database, sealer }: ApiDependencies): Pick<RouteHandlers, 'listEvents'> {
  return {
    listEvents: async ({ caller: { operation }, query, found }) => {
      const { after } = query;
      const read = await readEvents(database, sealer, operation.id, eventFilter(query), found);
      if (read.kind === 'unknown_event') return invalidField(after === undefined ? 'cursor' : 'after', 'unknown', 'is not an event of this operation');
      // The texts as they are: taken apart and written again, they would cost as much as the rest of the answer.
      return ok(`{"data":[${read.envelopes.join(',')}],"next_cursor":${JSON.stringify(read.hasMore ? read.lastId : null)}}`);
    },
  };
}
