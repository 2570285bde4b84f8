// Delivers an event that a command has stored. If that fails, a note says so; the event stays in GET /events.
import { hasTemporalConfig } from '../../../platform/config/cli.js';
import { TASK_QUEUES } from '../../../contract/temporal/task-queues.js';
import { WEBHOOK_DELIVERY_WORKFLOW, type WebhookDeliveryInput } from '../../../contract/temporal/webhook-delivery.js';
import type { CommandContext } from '../../context.js';

const START_TIMEOUT_MS = 5_000;

/** Starts the delivery workflow of a stored event. Never throws: the command's work is done. */
export async function deliverEvent(context: CommandContext, eventId: string, operationId: string): Promise<void> {
  try {
    if (!hasTemporalConfig(context.environment)) throw new Error('no Temporal');
    await context.withTemporal((client) =>
      client.withDeadline(Date.now() + START_TIMEOUT_MS, () =>
        client.workflow.start<(input: WebhookDeliveryInput) => Promise<unknown>>(WEBHOOK_DELIVERY_WORKFLOW, {
          workflowId: eventId,
          taskQueue: TASK_QUEUES.webhooks,
          args: [{ eventId, operationId, attemptsMade: 0 }],
          staticSummary: 'webhook rules.updated',
        }),
      ),
    );
  } catch {
    context.explain(
      `gateway: Temporal does not answer, so event ${eventId} was not sent; the operator finds it in GET /events`,
    );
  }
}
