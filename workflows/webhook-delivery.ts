// Delivers one event until the operator takes it: fixed pauses over two days, then an alert. Also how a redelivery is made.
import { condition, proxyActivities, setCurrentDetails, setHandler } from '@temporalio/workflow';
import type { DeliveryResult, WebhookActivities } from '../activities/types.js';
import { DELIVERY_PAUSES_SECONDS, redeliver, type WebhookDeliveryInput } from '../contract/temporal/webhook-delivery.js';
import { alertNote } from './steps/alert-note.js';
import { now, secondsAfter } from './steps/clock.js';

const { deliverEvent, raiseDeliveryAlert } = proxyActivities<WebhookActivities>({
  startToCloseTimeout: '30s',
  retry: { initialInterval: '1s', maximumInterval: '1m' },
});

export async function webhookDelivery(input: WebhookDeliveryInput): Promise<DeliveryResult['kind']> {
  let sendNow = false;
  // A signal: whoever asks for a redelivery does not wait for it.
  setHandler(redeliver, () => {
    sendNow = true;
  });

  let attempts = input.attemptsMade;
  for (;;) {
    const pauseSeconds = attempts === 0 ? 0 : DELIVERY_PAUSES_SECONDS[attempts - 1];
    if (pauseSeconds === undefined && !sendNow) return exhausted(input);
    if (pauseSeconds !== undefined && pauseSeconds > 0 && !sendNow) {
      setCurrentDetails(`attempt ${attempts + 1} at ${secondsAfter(now(), pauseSeconds)}, after ${attempts} failed`);
      await condition(() => sendNow, pauseSeconds * 1000, { summary: `pause before attempt ${attempts + 1}` });
    }
    // An attempt that somebody asks for stands beside the schedule: it uses none of it up.
    const isExtra = sendNow && attempts > 0;
    sendNow = false;
    if (!isExtra) attempts += 1;
    const result = await deliverEvent({
      eventId: input.eventId,
      operationId: input.operationId,
      attempt: attempts,
      nextPauseSeconds: DELIVERY_PAUSES_SECONDS[attempts - 1] ?? null,
    });
    if (result.kind !== 'failed') return result.kind;
  }
}

async function exhausted(input: WebhookDeliveryInput): Promise<'failed'> {
  const detail = `event ${input.eventId}: every attempt failed`;
  const at = now();
  await raiseDeliveryAlert({ ...alertNote('WEBHOOK_EXHAUSTED', detail, at), operationId: input.operationId, objectId: input.eventId, at });
  setCurrentDetails('exhausted: every attempt failed; the event stays in GET /events');
  return 'failed';
}
