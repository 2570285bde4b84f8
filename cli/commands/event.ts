// `gateway event`: deliver an event again.
import type { Command } from 'commander';
import { actorOf, notPermitted } from '../actor.js';
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
        const actor = await actorOf(context, options.as);
        const { redeliver } = await import('../../staff/acts/deliveries.js');
        const outcome = await context.withDatabase((database) =>
          redeliver({ database, withTemporal: context.withTemporal }, actor, eventId),
        );
        switch (outcome.kind) {
          case 'unknown_event':
            throw refused(`event ${eventId}: there is no such event`);
          case 'not_permitted':
            throw notPermitted(actor.handle, 'event.redeliver');
          case 'scheduled': {
            const { operationId, type } = outcome;
            return answer({ event_id: eventId, operation_id: operationId, type, redelivery: 'scheduled' });
          }
        }
      }),
    );
}
