// The check of the first attempts that processes make from memory: a delivery that was lost continues in a workflow,
// with a metric.
import { Context } from '@temporalio/activity';
import { ATTEMPTED_AFTER_SECONDS } from '../../contract/temporal/delivery-check.js';
import { count } from '../../platform/telemetry/instruments.js';
import type { Database } from '../../store/database.js';
import { readUnattempted, type UnattemptedEvent } from '../../store/events/unattempted.js';
import { lastOutcome, noteCheck } from '../../store/operations/checks.js';
import type { StartDelivery } from '../webhooks/first-attempts.js';
import type { DeliveryCheckActivities } from './types.js';

const EVENTS_PER_PAGE = 500;
/** Spans overlap: an event has the time of its step, and is stored when the step ends. */
const OVERLAP_MS = 300_000;

export function createDeliveryCheckActivities(
  database: Database,
  startDelivery: StartDelivery,
): DeliveryCheckActivities {
  async function resume(events: readonly UnattemptedEvent[]): Promise<void> {
    for (const { id: eventId, operationId, attemptsMade } of events) {
      Context.current().heartbeat(eventId);
      await startDelivery({ eventId, operationId, attemptsMade });
      count('gateway_webhook_deliveries_resumed_total', {});
    }
  }

  return {
    checkDeliveries: async ({ at }) => {
      const throughMs = Date.parse(at) - ATTEMPTED_AFTER_SECONDS * 1_000;
      const span = { from: await checkedBefore(database), to: new Date(throughMs).toISOString() };
      let resumed = 0;
      let [after, isMore] = ['', true];
      while (isMore) {
        const events = await readUnattempted(database, span, { after, limit: EVENTS_PER_PAGE });
        await resume(events);
        resumed += events.length;
        [after, isMore] = [events.at(-1)?.id ?? after, events.length === EVENTS_PER_PAGE];
      }
      await noteCheck(database, { name: 'deliveries', at, problems: 0, figures: { throughMs, resumed } });
      return { resumed, through: span.to };
    },
  };
}

/** Where the next check begins, RFC 3339; `null` for the first. */
async function checkedBefore(database: Database): Promise<string | null> {
  const figures = (await lastOutcome(database, 'deliveries'))?.figures as { readonly throughMs?: number } | undefined;
  return figures?.throughMs === undefined ? null : new Date(figures.throughMs - OVERLAP_MS).toISOString();
}
