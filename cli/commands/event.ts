// `gateway event`: deliver events again, one or those of a span of time.
import type { Command } from 'commander';
import { actorOf, notPermitted } from '../actor.js';
import { answer, type Registrar } from '../context.js';
import type { EventRange } from '../../domain/event-range.js';
import { noSuchOperation } from '../inputs/existing.js';
import { readId } from '../inputs/identifiers.js';
import { readInstant } from '../inputs/instants.js';
import { examples, operationOption, personOption } from '../options.js';
import { badInput, refused } from '../problem.js';

export function registerEvent(program: Command, run: Registrar): void {
  const event = program.command('event').description('Deliver events again');
  registerRedeliver(event, run);
  registerRedeliverRange(event, run);
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
        const outcome = await context.withDatabase((database) => redeliver(database, actor, eventId));
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

interface RangeOptions {
  readonly operation: string;
  readonly from: string;
  readonly to?: string;
  readonly all: boolean;
  readonly as?: string;
}

function registerRedeliverRange(event: Command, run: Registrar): void {
  event
    .command('redeliver-range')
    .summary('Deliver the events of a span of time again')
    .description(
      'Deliver to an operation, oldest first, the events of a span of time that its endpoint never accepted: for ' +
        'instance after it was away for longer than its retries. The operator recognises repetitions by the ' +
        'events’ ids.',
    )
    .addOption(operationOption())
    .requiredOption('--from <instant>', 'the first moment of the span, as 2026-11-23T14:00:00Z')
    .option('--to <instant>', 'where the span ends (without it: now)')
    .option('--all', 'also events that were accepted', false)
    .addOption(personOption('who has them delivered'))
    .addHelpText(
      'after',
      examples('event redeliver-range --operation op_0123456789abcdef0123456789abcdef --from 2026-11-23T14:00:00Z'),
    )
    .action(
      run(async (context, options: RangeOptions) => {
        const range = readRange(options);
        const actor = await actorOf(context, options.as);
        const { MOST_REDELIVERED_EVENTS, redeliverRange } = await import('../../staff/acts/deliveries.js');
        const outcome = await context.withDatabase((database) => redeliverRange(database, actor, range));
        const { operationId, from, to } = range;
        switch (outcome.kind) {
          case 'unknown_operation':
            throw noSuchOperation(operationId);
          case 'not_permitted':
            throw notPermitted(actor.handle, 'event.redeliver');
          case 'too_many':
            throw refused(`these are more than ${MOST_REDELIVERED_EVENTS} events: ask for a shorter span`);
          case 'under_way':
            throw refused(`operation ${operationId}: an earlier redelivery is still under way`);
          case 'nothing':
            return answer({ operation_id: operationId, from, to, events: 0, redelivery: 'none' });
          case 'scheduled':
            return answer({ operation_id: operationId, from, to, events: outcome.events, redelivery: 'scheduled' });
        }
      }),
    );
}

function readRange({ operation, from, to, all }: RangeOptions): EventRange {
  const range = {
    operationId: readId('operation', '--operation', operation),
    from: readInstant('--from', from),
    to: to === undefined ? new Date().toISOString() : readInstant('--to', to),
    selection: all ? ('all' as const) : ('undelivered' as const),
  };
  if (range.from >= range.to) throw badInput('--to', 'must be later than --from');
  return range;
}
