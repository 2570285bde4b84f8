// Makes one attempt to deliver an event to its operation's webhook: signed, limited in time and size, and logged.
import type { Logger } from 'pino';
import { signedHeaders } from '../../contract/http/webhooks.js';
import { DELIVERY_PAUSES_SECONDS } from '../../contract/temporal/webhook-delivery.js';
import { alertOf } from '../../domain/alert-records.js';
import { count, observeSeconds } from '../../platform/telemetry/instruments.js';
import { inSpan } from '../../platform/telemetry/spans.js';
import type { Database } from '../../store/database.js';
import {
  type AwaitedAttempt,
  awaitedAttempt,
  claimDelivery,
  type Delivery,
  lastAttempt,
  openDelivery,
  type ScheduledAttempt,
  type SealedDelivery,
  storeDeliveryAttempt,
} from '../../store/events/deliveries.js';
import { endDelivery } from '../../store/events/outbox.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import { raiseAlert } from '../alerts.js';
import { forged } from '../forged.js';
import type { Clock } from '../intercepted.js';
import type { OperationClocks } from '../operation-clocks.js';
import { type Answer, type Egress, post } from './egress.js';

export type DeliveryResult =
  | { readonly kind: 'delivered'; readonly status: number }
  /** The operation has no webhook URL. */
  | { readonly kind: 'no_target' }
  /** Nothing was sent: the event was accepted meanwhile, or somebody else made this attempt. */
  | { readonly kind: 'not_due' }
  | {
      readonly kind: 'failed';
      readonly status: number | null;
      readonly reason: string;
      /** Whether the event's schedule goes on from this attempt. */
      readonly isOpen: boolean;
      /** When its next attempt is planned, RFC 3339, by the operation's clock. */
      readonly nextAt?: string | undefined;
    };

export interface WebhookActivities {
  /** When the event's attempt of this number is planned. Not retried, and alerted, if the operation has no such event. */
  awaitsAttempt(input: ScheduledAttempt): Promise<AwaitedAttempt>;
  /** Makes an attempt of an event's schedule and logs it; a 401 raises an alert. Never throws for the receiver's fault. */
  deliverEvent(input: ScheduledAttempt): Promise<DeliveryResult>;
  /** Ends a delivery whose last attempt failed: raises WEBHOOK_EXHAUSTED, if no other attempt is due. */
  endExhausted(input: { eventId: string; operationId: string; at: string }): Promise<void>;
}

export interface WebhookDependencies extends Egress {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly clocks: OperationClocks;
}

/** One attempt: of the event's schedule, or a requested one. */
export interface DeliveryAttemptInput extends ScheduledAttempt {
  /** Empty if the event's schedule makes it. */
  readonly request: string;
}

export function createWebhookActivities(dependencies: WebhookDependencies): WebhookActivities {
  return {
    awaitsAttempt: async ({ eventId, operationId, attempt }) => {
      const awaited = await awaitedAttempt(dependencies.database, { eventId, operationId, attempt });
      if (awaited === null) throw forged(NO_EVENT);
      return awaited;
    },
    deliverEvent: async ({ eventId, operationId, attempt }) => {
      const found = await claimDelivery(dependencies.database, { eventId, operationId, attempt });
      if (found === null) throw forged(NO_EVENT);
      if (found === 'not_due') return { kind: 'not_due' };
      return deliverEvent(dependencies, { eventId, operationId, attempt, request: '' }, found);
    },
    endExhausted: (input) => endExhausted(dependencies, input),
  };
}

const NO_EVENT = 'for an event that does not exist';

/** One attempt to deliver an event that nobody else attempts meanwhile. */
export async function deliverEvent(
  dependencies: WebhookDependencies,
  input: DeliveryAttemptInput,
  found: SealedDelivery,
): Promise<DeliveryResult> {
  const { database, sealer } = dependencies;
  const delivery = openDelivery(sealer, input, found);
  if (delivery.url === null) {
    count('gateway_webhook_attempts_total', { result: 'no_target' });
    await endDelivery(database, input);
    return { kind: 'no_target' };
  }
  dependencies.clocks.note(input.operationId, found.target.clock);
  const beganMs = await dependencies.clock();
  // The signature's time is real time, by which the operator checks it; the log has the operation's.
  const answer = await tracedAttempt(dependencies, input, delivery, delivery.url, new Date(beganMs));
  const durationMs = (await dependencies.clock()) - beganMs;
  const sentAt = new Date(dependencies.clocks.timeOf(input.operationId, beganMs));
  measure(delivery, sentAt, durationMs, answer);
  const { isOpen, nextAt } = await storeAttempt(database, input, { sentAt, durationMs }, answer);
  if (answer.kind === 'delivered') return answer;
  if (answer.status === 401) await reportRefusal(dependencies, input, sentAt);
  return { ...answer, isOpen, nextAt };
}

/**
 * Every attempt failed. A delivery that is exhausted again is a new incident, even after a person resolved the first.
 */
export async function endExhausted(
  { database, logger }: Pick<WebhookDependencies, 'database' | 'logger'>,
  { eventId, operationId, at }: Parameters<WebhookActivities['endExhausted']>[0],
): Promise<void> {
  const last = await lastAttempt(database, { eventId, operationId });
  if (last === 'no_event') throw forged(NO_EVENT);
  if (last === null || last.isAccepted || last.isRepeated) return;
  await raiseAlert(database, logger, {
    ...alertOf('WEBHOOK_EXHAUSTED', 'exhausted', { event: eventId }),
    occasion: last.id,
    operationId,
    objectId: eventId,
    at,
  });
  await endDelivery(database, { eventId, request: '' });
}

/** The operator rejects our signature or timestamp. That concerns all of its events, so they share one alert. */
async function reportRefusal(
  { database, logger }: WebhookDependencies,
  { eventId, operationId }: { eventId: string; operationId: string },
  at: Date,
): Promise<void> {
  await raiseAlert(database, logger, {
    ...alertOf('WEBHOOK_REFUSED', 'refused', { event: eventId }),
    occasion: null,
    operationId,
    objectId: operationId,
    at: at.toISOString(),
  });
}

function measure({ createdAt }: Delivery, sentAt: Date, durationMs: number, { kind, status }: Answer): void {
  count('gateway_webhook_attempts_total', { result: status === null ? 'no_answer' : `${Math.floor(status / 100)}xx` });
  observeSeconds('gateway_webhook_attempt_seconds', {}, durationMs / 1_000);
  if (kind === 'delivered')
    observeSeconds(
      'gateway_webhook_delay_seconds',
      {},
      Math.max(0, sentAt.getTime() + durationMs - createdAt.getTime()) / 1_000,
    );
}

function tracedAttempt(
  dependencies: WebhookDependencies,
  input: DeliveryAttemptInput,
  delivery: Delivery,
  url: string,
  sentAt: Date,
): Promise<Answer> {
  const attributes = {
    'gateway.event_id': input.eventId,
    'gateway.operation_id': input.operationId,
    'gateway.attempt': input.attempt,
  };
  return inSpan({ name: 'webhook', kind: 'client', attributes }, async (span) => {
    const result = await attempt(dependencies, input.eventId, delivery, url, sentAt);
    span.set({ 'http.response.status_code': result.status ?? undefined });
    if (result.kind === 'failed') span.fail(result.status === null ? result.reason : String(result.status));
    return result;
  });
}

function attempt(
  egress: Egress,
  eventId: string,
  { body, secrets }: Delivery,
  url: string,
  sentAt: Date,
): Promise<Answer> {
  const timestampSeconds = Math.floor(sentAt.getTime() / 1000);
  const headers = signedHeaders({ secrets, timestampSeconds, id: eventId, body });
  return post(egress, { url, headers, body });
}

function storeAttempt(
  database: Database,
  { eventId, operationId, request, attempt }: DeliveryAttemptInput,
  { sentAt, durationMs }: { readonly sentAt: Date; readonly durationMs: number },
  answer: Answer,
): ReturnType<typeof storeDeliveryAttempt> {
  return storeDeliveryAttempt(database, {
    ...{ operationId, eventId, request, attempt, sentAt },
    responseStatus: answer.status,
    error: answer.kind === 'failed' && answer.status === null ? answer.reason : null,
    durationMs,
    isAccepted: answer.kind === 'delivered',
    pauseSeconds: DELIVERY_PAUSES_SECONDS[attempt - 1] ?? null,
  });
}
