// One attempt to deliver an event to its operation's webhook: signed, bounded in time and size, and logged.
import type { Logger } from 'pino';
import { type Dispatcher, request } from 'undici';
import type { Database } from '../../store/database.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import { count, observeSeconds } from '../../platform/telemetry/instruments.js';
import { inSpan } from '../../platform/telemetry/spans.js';
import type { DeliveryResult, WebhookActivities } from '../types.js';
import { raiseAlert } from '../../store/alerts/alerts.js';
import { assertAllowedTarget, type EgressRules, ForbiddenTargetError } from './egress.js';
import { webhookSignature } from './signature.js';

/** The operator answers within 10 s, or the attempt counts as failed. */
export const ANSWER_LIMIT_MS = 10_000;

export interface WebhookDependencies {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly agent: Dispatcher;
  readonly rules: EgressRules;
  readonly logger: Logger;
  readonly now: () => Date;
}

interface Delivery {
  readonly url: string | null;
  readonly body: Buffer;
  readonly secrets: readonly string[];
  readonly createdAt: Date;
}

export function createWebhookActivities(dependencies: WebhookDependencies): WebhookActivities {
  return {
    deliverEvent: (input) => deliverEvent(dependencies, input),
    raiseDeliveryAlert: (alert) => raiseAlert(dependencies.database, dependencies.logger, alert),
  };
}

async function deliverEvent(
  dependencies: WebhookDependencies,
  input: Parameters<WebhookActivities['deliverEvent']>[0],
): Promise<DeliveryResult> {
  const delivery = await readDelivery(dependencies, input.eventId, input.operationId);
  if (delivery.url === null) {
    count('gateway_webhook_attempts_total', { result: 'no_target' });
    return { kind: 'no_target' };
  }
  const sentAt = dependencies.now();
  const result = await tracedAttempt(dependencies, input, delivery, delivery.url, sentAt);
  measure(delivery, sentAt, dependencies.now(), result);
  await logAttempt(dependencies, input, sentAt, result);
  if (result.kind === 'failed' && result.status === 401) await reportRefusal(dependencies, input, sentAt);
  return result;
}

/** The operator does not accept our signature or timestamp: every event of it is refused alike, so one alert stands for all. */
async function reportRefusal(
  { database, logger }: WebhookDependencies,
  { eventId, operationId }: { eventId: string; operationId: string },
  at: Date,
): Promise<void> {
  const detail = `the operator answered 401, first to event ${eventId}`;
  await raiseAlert(database, logger, {
    kind: 'WEBHOOK_REFUSED',
    detail,
    occasion: null,
    operationId,
    objectId: operationId,
    at: at.toISOString(),
  });
}

function measure({ createdAt }: Delivery, sentAt: Date, answeredAt: Date, result: DeliveryResult): void {
  const status = responseStatus(result);
  count('gateway_webhook_attempts_total', { result: status === null ? 'no_answer' : `${Math.floor(status / 100)}xx` });
  observeSeconds('gateway_webhook_attempt_seconds', {}, (answeredAt.getTime() - sentAt.getTime()) / 1_000);
  if (result.kind === 'delivered')
    observeSeconds(
      'gateway_webhook_delay_seconds',
      {},
      Math.max(0, answeredAt.getTime() - createdAt.getTime()) / 1_000,
    );
}

/** The event, its target and the valid secrets (newest first), in one read. */
async function readDelivery(
  { database, sealer }: WebhookDependencies,
  eventId: string,
  operationId: string,
): Promise<Delivery> {
  const [row] = await database.$queryRaw<
    { webhook_url: string | null; body_sealed: Uint8Array; created_at: Date; secrets: Uint8Array[] }[]
  >`
    SELECT operation.webhook_url, event.body_sealed, event.created_at,
      ARRAY(SELECT secret_sealed FROM webhook_secret WHERE operation_id = operation.id AND (expires_at IS NULL OR expires_at > now())
            ORDER BY created_at DESC LIMIT 2) AS secrets
    FROM event JOIN operation ON operation.id = event.operation_id
    WHERE event.id = ${eventId} AND event.operation_id = ${operationId}`;
  if (row === undefined) throw new Error(`event ${eventId} does not exist`);
  return {
    url: row.webhook_url,
    body: sealer.openBytes(row.body_sealed),
    createdAt: row.created_at,
    secrets: row.secrets.map((secret) => sealer.openBytes(secret).toString('utf8')),
  };
}

function tracedAttempt(
  dependencies: WebhookDependencies,
  input: Parameters<WebhookActivities['deliverEvent']>[0],
  delivery: Delivery,
  url: string,
  sentAt: Date,
): Promise<DeliveryResult> {
  const attributes = {
    'gateway.event_id': input.eventId,
    'gateway.operation_id': input.operationId,
    'gateway.attempt': input.attempt,
  };
  return inSpan({ name: 'webhook', kind: 'client', attributes }, async (span) => {
    const result = await attempt(dependencies, input.eventId, delivery, url, sentAt);
    span.set({ 'http.response.status_code': responseStatus(result) ?? undefined });
    if (result.kind === 'failed') span.fail(result.status === null ? result.reason : String(result.status));
    return result;
  });
}

async function attempt(
  { agent, rules }: WebhookDependencies,
  eventId: string,
  { body, secrets }: Delivery,
  url: string,
  sentAt: Date,
): Promise<DeliveryResult> {
  const timestampSeconds = Math.floor(sentAt.getTime() / 1000);
  const signal = AbortSignal.timeout(ANSWER_LIMIT_MS);
  try {
    await assertAllowedTarget(new URL(url), rules, signal);
    const response = await request(url, {
      method: 'POST',
      dispatcher: agent,
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        'User-Agent': 'operator-payments-gateway',
        'Svc-Event-Id': eventId,
        'Svc-Timestamp': timestampSeconds.toString(),
        'Svc-Signature': webhookSignature(secrets, timestampSeconds, eventId, body),
      },
      body,
      signal,
    });
    // The status line is the answer; the body is read only as far as it takes to reuse the connection.
    response.body.on('error', () => undefined);
    void response.body.dump({ limit: 16 * 1024, signal: AbortSignal.timeout(1_000) }).catch(() => undefined);
    if (response.statusCode >= 200 && response.statusCode < 300)
      return { kind: 'delivered', status: response.statusCode };
    return { kind: 'failed', status: response.statusCode, reason: `answered ${response.statusCode}` };
  } catch (error) {
    return { kind: 'failed', status: null, reason: failureReason(error) };
  }
}

/** A short code for the log: never a message that could carry the target's own text. */
function failureReason(error: unknown): string {
  if (error instanceof ForbiddenTargetError) return 'forbidden_target';
  if (error instanceof Error && error.name === 'TimeoutError') return 'timeout';
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code.toLowerCase() : 'connection_failed';
}

async function logAttempt(
  { database, now }: WebhookDependencies,
  input: Parameters<WebhookActivities['deliverEvent']>[0],
  sentAt: Date,
  result: DeliveryResult,
): Promise<void> {
  const failed = result.kind === 'failed';
  const { eventId, operationId, nextPauseSeconds } = input;
  const finishedAt = now();
  const nextAttemptAt =
    failed && nextPauseSeconds !== null ? new Date(finishedAt.getTime() + nextPauseSeconds * 1000).toISOString() : null;
  // The number counts every attempt of the event, redeliveries included.
  await database.$executeRaw`
    INSERT INTO webhook_delivery (operation_id, event_id, attempt, sent_at, response_status, error, duration_ms, next_attempt_at)
    SELECT ${operationId}, ${eventId}, count(*)::int + 1, ${sentAt.toISOString()}::timestamptz, ${responseStatus(result)}::int,
      ${failed && result.status === null ? result.reason : null}, ${finishedAt.getTime() - sentAt.getTime()}::int, ${nextAttemptAt}::timestamptz
    FROM webhook_delivery WHERE event_id = ${eventId}`;
}

function responseStatus(result: DeliveryResult): number | null {
  if (result.kind === 'failed') return result.status;
  return result.kind === 'delivered' ? result.status : null;
}
