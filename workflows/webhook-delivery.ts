// Delivers one event until the operator accepts it: fixed pauses over two days, then an alert. Redeliveries run here
// too.
import { continueAsNew, setCurrentDetails, setHandler, workflowInfo } from '@temporalio/workflow';
import type { DeliveryResult } from '../activities/types.js';
import {
  DELIVERY_PAUSES_SECONDS,
  redeliver,
  type WebhookDeliveryInput,
} from '../contract/temporal/webhook-delivery.js';
import { delivery } from './steps/activity-proxies.js';
import { now, secondsAfter } from './steps/clock.js';
import { waitUntil } from './steps/deadline-timer.js';

export async function webhookDelivery(input: WebhookDeliveryInput): Promise<DeliveryResult['kind']> {
  // Each request adds one attempt. A signal, because the sender does not wait for it.
  let requested = input.requested ?? 0;
  setHandler(redeliver, () => {
    requested += 1;
  });

  let attempts = input.attemptsMade;
  let lastFailure = '';
  for (;;) {
    if (workflowInfo().continueAsNewSuggested)
      return continueAsNew<typeof webhookDelivery>({ ...input, attemptsMade: attempts, requested });
    const pauseSeconds = attempts === 0 ? 0 : DELIVERY_PAUSES_SECONDS[attempts - 1];
    if (pauseSeconds === undefined && requested === 0) {
      await raiseExhausted(input);
      // An attempt may have been requested in the meantime.
      if (requested === 0) return 'failed';
    }
    if (pauseSeconds !== undefined && pauseSeconds > 0 && requested === 0) {
      const at = secondsAfter(now(), pauseSeconds);
      setCurrentDetails(`attempt ${attempts + 1} at ${at}, after ${attempts} failed${lastFailure}`);
      await waitUntil(() => requested > 0, at, `send the webhook again (attempt ${attempts + 1})`);
    }
    // A requested attempt does not count against the schedule.
    const isExtra = requested > 0 && attempts > 0;
    requested = Math.max(0, requested - 1);
    if (!isExtra) attempts += 1;
    setCurrentDetails(`attempt ${attempts} is under way since ${now()}${lastFailure}`);
    const result = await delivery.deliverEvent(`send the webhook (attempt ${attempts})`, {
      eventId: input.eventId,
      operationId: input.operationId,
      attempt: attempts,
      nextPauseSeconds: DELIVERY_PAUSES_SECONDS[attempts - 1] ?? null,
    });
    if (result.kind !== 'failed' && requested === 0) {
      setCurrentDetails(`${result.kind.replaceAll('_', ' ')} · attempt ${attempts}`);
      return result.kind;
    }
    if (result.kind === 'failed') lastFailure = ` (the last: ${result.reason})`;
  }
}

/** Every attempt failed. The event stays readable. */
async function raiseExhausted(input: WebhookDeliveryInput): Promise<void> {
  const { eventId, operationId } = input;
  await delivery.raiseDeliveryAlert('raise the alert WEBHOOK_EXHAUSTED', { eventId, operationId });
  setCurrentDetails('exhausted: every attempt failed; the event stays in GET /events');
}
