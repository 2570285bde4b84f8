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
  // Each request is an attempt of its own. A signal: whoever asks does not wait for it.
  let asked = 0;
  setHandler(redeliver, () => {
    asked += 1;
  });

  let attempts = input.attemptsMade;
  let lastFailure = '';
  for (;;) {
    const pauseSeconds = attempts === 0 ? 0 : DELIVERY_PAUSES_SECONDS[attempts - 1];
    if (pauseSeconds === undefined && asked === 0) return exhausted(input);
    if (pauseSeconds !== undefined && pauseSeconds > 0 && asked === 0) {
      setCurrentDetails(`attempt ${attempts + 1} at ${secondsAfter(now(), pauseSeconds)}, after ${attempts} failed${lastFailure}`);
      await condition(() => asked > 0, pauseSeconds * 1000, { summary: `pause before attempt ${attempts + 1}` });
    }
    // An attempt that somebody asks for stands beside the schedule: it uses none of it up.
    const isExtra = asked > 0 && attempts > 0;
    asked = Math.max(0, asked - 1);
    if (!isExtra) attempts += 1;
    const result = await deliverEvent({
      eventId: input.eventId,
      operationId: input.operationId,
      attempt: attempts,
      nextPauseSeconds: DELIVERY_PAUSES_SECONDS[attempts - 1] ?? null,
    });
    if (result.kind !== 'failed' && asked === 0) return result.kind;
    if (result.kind === 'failed') lastFailure = ` (the last: ${result.reason})`;
  }
}

async function exhausted(input: WebhookDeliveryInput): Promise<'failed'> {
  const detail = `event ${input.eventId}: every attempt failed`;
  const at = now();
  await raiseDeliveryAlert({ ...alertNote('WEBHOOK_EXHAUSTED', detail, at), operationId: input.operationId, objectId: input.eventId, at });
  setCurrentDetails('exhausted: every attempt failed; the event stays in GET /events');
  return 'failed';
}
