// `gateway event redeliver`: sends a stored event to its operator once more, in every environment.
import type { Command } from 'commander';
import type { WebhookDeliveryInput } from '../../contract/temporal/webhook-delivery.js';
import { answer } from '../context.js';
import { readId } from '../inputs/identifiers.js';
import { examples } from '../options.js';
import { refused } from '../problem.js';
import type { Registrar } from '../program.js';

export function registerEventRedeliver(parent: Command, run: Registrar): void {
  parent
    .command('redeliver')
    .description('Sends an event to its operator once more. The operator de-duplicates by the event’s id.')
    .argument('<event-id>', 'the event (evt_…); `gateway deposit show` and `withdrawal show` list a payment’s')
    .addHelpText('after', examples('event redeliver evt_0123456789abcdef0123456789abcdef'))
    .action(
      run(async (context, id: string) => {
        const eventId = readId('event', 'EVENT_ID', id);
        const event = await context.withDatabase((database) =>
          database.event.findUnique({ where: { id: eventId }, select: { operationId: true, type: true } }),
        );
        if (event === null) throw refused(`event ${eventId}: there is no such event`);
        const { redeliveryOptions, WEBHOOK_DELIVERY_WORKFLOW } =
          await import('../../contract/temporal/webhook-delivery.js');
        await context.withTemporal((client) =>
          client.workflow.signalWithStart<(input: WebhookDeliveryInput) => Promise<unknown>, []>(
            WEBHOOK_DELIVERY_WORKFLOW,
            redeliveryOptions(eventId, event.operationId),
          ),
        );
        return answer({
          event_id: eventId,
          operation_id: event.operationId,
          type: event.type,
          redelivery: 'scheduled',
        });
      }),
    );
}
