// `gateway event`: deliver an event again.
import type { Command } from 'commander';
import type { WebhookDeliveryInput } from '../../contract/temporal/webhook-delivery.js';
import { permittedPerson, recordAct } from '../actor.js';
import { answer, type Registrar } from '../context.js';
import { readId } from '../inputs/identifiers.js';
import { examples, personOption } from '../options.js';
import { refused } from '../problem.js';

export function registerEvent(program: Command, run: Registrar): void {
  const event = program.command('event').description('Deliver events again');
  registerRedeliver(event, run);
}

function registerRedeliver(event: Command, run: Registrar): void {
  event
    .command('redeliver')
    .summary('Deliver an event again')
    .description('Deliver an event to its operator again. The operator recognises the repetition by the event’s id.')
    .argument('<event-id>', 'the event (evt_…); `gateway deposit show` and `withdrawal show` list a payment’s events')
    .addOption(personOption('who has it delivered'))
    .addHelpText('after', examples('event redeliver evt_0123456789abcdef0123456789abcdef'))
    .action(
      run(async (context, id: string, options: { as?: string }) => {
        const eventId = readId('event', 'EVENT_ID', id);
        const person = await permittedPerson(context, options.as, 'event.redeliver');
        const [{ eventById }, { redeliveryOptions, WEBHOOK_DELIVERY_WORKFLOW }] = await Promise.all([
          import('../../store/events/event-delivery.js'),
          import('../../contract/temporal/webhook-delivery.js'),
        ]);
        const row = await context.withDatabase((database) => eventById(database, eventId));
        if (row === null) throw refused(`event ${eventId}: there is no such event`);
        const { operationId, type } = row;
        await context.withTemporal((client) =>
          client.workflow.signalWithStart<(input: WebhookDeliveryInput) => Promise<unknown>, []>(
            WEBHOOK_DELIVERY_WORKFLOW,
            redeliveryOptions(eventId, operationId),
          ),
        );
        await recordAct(context, {
          person,
          action: 'event.redeliver',
          operationId,
          subject: eventId,
          detail: { type },
        });
        return answer({ event_id: eventId, operation_id: operationId, type, redelivery: 'scheduled' });
      }),
    );
}
