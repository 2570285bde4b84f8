// Repeats the delivery of one event until the operator accepts it: fixed pauses over two days, then an alert. If this
// run is lost, the event's row in the outbox has when the next attempt is due, and a process makes it.
import { setCurrentDetails } from '@temporalio/workflow';
import type { DeliveryResult } from '../activities/types.js';
import { DELIVERY_PAUSES_SECONDS, type WebhookDeliveryInput } from '../contract/temporal/webhook-delivery.js';
import { followClock, goBy, now, secondsAfter } from './steps/time.js';
import { waitForTime } from './steps/time.js';
import { step } from './steps/step.js';

export async function webhookDelivery(input: WebhookDeliveryInput): Promise<DeliveryResult['kind']> {
  const { eventId, operationId, attemptsMade } = input;
  followClock();
  // Whoever reaches Temporal can start this: it waits for nothing that the outbox does not have.
  const awaited = await step.awaitsAttempt({ eventId, operationId, attempt: attemptsMade + 1 });
  if (!awaited.isAwaited) return 'not_due';
  goBy(awaited.clock);
  let nextAt = awaited.nextAt ?? undefined;
  let lastFailure = '';
  for (let attempt = attemptsMade + 1; ; attempt += 1) {
    const pauseSeconds = DELIVERY_PAUSES_SECONDS[attempt - 2];
    if (pauseSeconds === undefined) {
      await step.endExhausted({ eventId, operationId });
      setCurrentDetails('exhausted: every attempt failed; the event stays in GET /events');
      return 'failed';
    }
    const at = nextAt ?? secondsAfter(now(), pauseSeconds);
    setCurrentDetails(`attempt ${attempt} at ${at}, after ${attempt - 1} failed${lastFailure}`);
    await waitForTime(() => false, at, `send the webhook again (attempt ${attempt})`);
    setCurrentDetails(`attempt ${attempt} is under way since ${now()}${lastFailure}`);
    const result = await step.deliverEvent({ eventId, operationId, attempt });
    if (result.kind !== 'failed') {
      setCurrentDetails(`${result.kind.replaceAll('_', ' ')} · attempt ${attempt}`);
      return result.kind;
    }
    // It was accepted meanwhile, or another process has made this attempt.
    if (!result.isOpen) return 'not_due';
    ({ nextAt } = result);
    lastFailure = ` (the last: ${result.reason})`;
  }
}
