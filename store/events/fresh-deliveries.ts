// Where the events go that this process has just stored: the statement that stored an event also answered its target,
// so that the first attempt to deliver it reads nothing.
import type { SealedDelivery } from './deliveries.js';

/** After this time the target is read again: address and secrets may have changed. */
const FRESH_MS = 5_000;
/** More than are ever under way in one process. */
const MOST_DELIVERIES = 1_000;

export class FreshDeliveries {
  private readonly byEvent = new Map<string, { readonly delivery: SealedDelivery; readonly sinceMs: number }>();

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  put(eventId: string, delivery: SealedDelivery): void {
    this.byEvent.set(eventId, { delivery, sinceMs: this.nowMs() });
    const [oldest] = this.byEvent.keys();
    if (this.byEvent.size > MOST_DELIVERIES && oldest !== undefined) this.byEvent.delete(oldest);
  }

  /** Once for each event: a later attempt reads. Null if the event is not of this process, or not fresh any more. */
  take(eventId: string): SealedDelivery | null {
    const kept = this.byEvent.get(eventId);
    this.byEvent.delete(eventId);
    return kept !== undefined && this.nowMs() - kept.sinceMs <= FRESH_MS ? kept.delivery : null;
  }
}
