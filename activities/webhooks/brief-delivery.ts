// The first attempt to deliver the last event of a payment, in the task that ends the payment: it saves an activity and
// a task if the operator answers at once. It is skipped for an operation that was slow lately.
import type { BriefDeliveryActivities } from '../payments/types.js';
import { within } from '../within.js';
import type { WebhookActivities } from './types.js';

const BRIEF_MS = 1_000;
/** How long an operation is skipped after an attempt that took longer. */
const SPARED_MS = 600_000;

type DeliverEvent = WebhookActivities['deliverEvent'];

/**
 * The same `deliverEvent`, with concurrent calls joined: a call for an event whose brief attempt still runs in this
 * process gets its result, so that a slow operator receives the event once.
 */
export function createBriefDelivery(
  deliverEvent: DeliverEvent,
  { isServedHere, nowMs = () => performance.now() }: { isServedHere: boolean; nowMs?: () => number },
): { readonly deliverEvent: DeliverEvent; readonly brief: BriefDeliveryActivities } {
  const underWay = new Map<string, ReturnType<DeliverEvent>>();
  const sparedUntilMs = new Map<string, number>();

  const start: DeliverEvent = (input) => {
    const attempt = deliverEvent(input).finally(() => underWay.delete(input.eventId));
    underWay.set(input.eventId, attempt);
    return attempt;
  };

  async function deliverBriefly(
    input: Parameters<DeliverEvent>[0],
  ): ReturnType<BriefDeliveryActivities['deliverBriefly']> {
    const { operationId } = input;
    if (!isServedHere || nowMs() < (sparedUntilMs.get(operationId) ?? 0)) return null;
    const attempt = start(input);
    attempt.catch(() => undefined);
    const result = await within(BRIEF_MS, attempt);
    if (result === null) sparedUntilMs.set(operationId, nowMs() + SPARED_MS);
    return result;
  }

  return {
    deliverEvent: (input) => underWay.get(input.eventId) ?? deliverEvent(input),
    brief: { deliverBriefly },
  };
}
