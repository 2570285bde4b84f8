// The events that a payment has published since a version: what a repeated write finds beside its row.
import type { Database } from '../database.js';
import type { PublishedEvent } from '../../activities/types.js';

/** In the order of their versions. */
export function eventsSince(database: Database, objectId: string, version: number): Promise<PublishedEvent[]> {
  return database.event.findMany({
    where: { objectId, objectVersion: { gt: version } },
    orderBy: { objectVersion: 'asc' },
    select: { id: true, type: true },
  });
}
