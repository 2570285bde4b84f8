// The operator's webhook receiver, scriptable per payment; it writes down every attempt with the workflows' own time.
import { alertOf } from '../../../domain/alert-records.js';
import { activityInfo } from '@temporalio/activity';
import type { DeliveryResult, WebhookActivities } from '../../../activities/types.js';
import type { FakeDatabase } from './database.js';
import { Gate } from './gate.js';

/** A status code, or: the operation has no webhook URL; no connection; somebody else made the attempt. */
export type ReceiverAnswer = number | 'no_target' | 'no_connection' | 'not_due';

export interface ReceivedAttempt {
  readonly eventId: string;
  readonly type: string;
  readonly attempt: number;
  readonly atMs: number;
  /** Null for a first attempt, which no workflow makes. */
  readonly workflowId: string | null;
}

export class FakeInbox {
  /** What the next attempts answer, in order; then `answer`. */
  readonly answers: ReceiverAnswer[] = [];
  answer: ReceiverAnswer = 200;
  readonly gate = new Gate();
  readonly attempts: ReceivedAttempt[] = [];
}

export class FakeReceiver {
  /** Every alert that a delivery raised: also those that an open one of the same kind swallows. */
  readonly alertCalls: { kind: string; eventId: string }[] = [];
  private readonly inboxes = new Map<string, FakeInbox>();
  /** The next attempt of each event that was attempted and is not over. */
  private readonly awaited = new Map<string, number>();

  constructor(private readonly database: FakeDatabase) {}

  /** The inbox for events of one payment. */
  of(objectId: string): FakeInbox {
    const inbox = this.inboxes.get(objectId) ?? new FakeInbox();
    this.inboxes.set(objectId, inbox);
    return inbox;
  }

  heal(): void {
    for (const inbox of this.inboxes.values()) {
      inbox.gate.open();
      inbox.answers.splice(0);
      inbox.answer = 200;
    }
  }

  async receive(
    { eventId, attempt }: Parameters<WebhookActivities['deliverEvent']>[0],
    made: Pick<ReceivedAttempt, 'atMs' | 'workflowId'>,
  ): Promise<DeliveryResult> {
    const event = this.database.events.find(({ id }) => id === eventId);
    if (event === undefined) throw new Error(`event ${eventId} was not stored before its delivery`);
    const inbox = this.of(event.objectId);
    inbox.attempts.push({ eventId, type: event.type, attempt, ...made });
    await inbox.gate.passed();
    const answer = result(inbox.answers.shift() ?? inbox.answer);
    if (answer.kind === 'failed') this.awaited.set(eventId, attempt + 1);
    else this.awaited.delete(eventId);
    return answer;
  }

  readonly activities: WebhookActivities = {
    awaitsAttempt: async ({ eventId, attempt }) => ({
      isAwaited: this.awaited.get(eventId) === attempt,
      nextAt: null,
      clock: null,
    }),
    deliverEvent: async (input) => {
      const { currentAttemptScheduledTimestampMs: atMs, workflowExecution } = activityInfo();
      return this.receive(input, { atMs, workflowId: workflowExecution?.workflowId ?? '' });
    },
    endExhausted: async ({ eventId, operationId, at }) => {
      const alert = { ...alertOf('WEBHOOK_EXHAUSTED', 'exhausted', { event: eventId }), occasion: at };
      this.alertCalls.push({ kind: alert.kind, eventId });
      this.database.raise(alert, operationId, eventId);
    },
  };
}

function result(answer: ReceiverAnswer): DeliveryResult {
  if (answer === 'no_target' || answer === 'not_due') return { kind: answer };
  if (answer === 'no_connection') return { kind: 'failed', status: null, reason: 'econnrefused', isOpen: true };
  return answer >= 200 && answer < 300
    ? { kind: 'delivered', status: answer }
    : { kind: 'failed', status: answer, reason: `answered ${answer}`, isOpen: true };
}
