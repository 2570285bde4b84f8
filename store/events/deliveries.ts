// The log of webhook deliveries, newest first.
import type { Database } from '../database.js';

export interface DeliveryAttempt {
  readonly id: bigint;
  readonly eventId: string;
  readonly type: string;
  readonly objectId: string;
  readonly attempt: number;
  readonly sentAt: Date;
  readonly responseStatus: number | null;
  readonly error: string | null;
  readonly durationMs: number;
  readonly nextAttemptAt: Date | null;
}

export interface DeliveryFilter {
  readonly operationId: string;
  readonly eventId: string | undefined;
  /** The last attempt of the page before. */
  readonly beforeId: bigint | undefined;
  readonly limit: number;
}

/** A page of the operation's delivery attempts. */
export async function readDeliveries(
  database: Database,
  filter: DeliveryFilter,
): Promise<{ attempts: readonly DeliveryAttempt[]; hasMore: boolean }> {
  const { operationId, eventId, beforeId, limit } = filter;
  const rows = await database.webhookDelivery.findMany({
    where: {
      operationId,
      ...(eventId === undefined ? {} : { eventId }),
      ...(beforeId === undefined ? {} : { id: { lt: beforeId } }),
    },
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  const page = rows.slice(0, limit);
  const events = await database.event.findMany({
    where: { id: { in: [...new Set(page.map((row) => row.eventId))] } },
    select: { id: true, type: true, objectId: true },
  });
  const byId = new Map(events.map((event) => [event.id, event]));
  const attempts = page.map((row) => ({
    ...row,
    type: byId.get(row.eventId)?.type ?? '',
    objectId: byId.get(row.eventId)?.objectId ?? '',
  }));
  return { attempts, hasMore: rows.length > limit };
}
