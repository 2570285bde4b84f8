// The event envelope, as delivered by webhook and as replayed (specification, "Event (envelope)").
import { z } from 'zod';
import { cursor, limit, pageOf, timestamp } from './fields.js';

const EVENT_ID = 'evt_5b1a2c3d4e5f60718293a4b5c6d7e8f9';

/** `after` is an event id. A malformed one is `format`; the handler reports an unknown one as `unknown`. */
export const listEventsQuery = z.object({
  after: z
    .string()
    .regex(/^evt_[A-Za-z0-9]{1,96}$/, 'must be an event id')
    .meta({ example: EVENT_ID, description: 'An event of the operation: the later ones are returned.' })
    .optional(),
  object_id: z.string().meta({ description: 'Only events of this object.' }).optional(),
  cursor: cursor
    .regex(/^evt_[A-Za-z0-9]{1,96}$/, 'must be a next_cursor of this list')
    .meta({ example: EVENT_ID, description: 'The same as `after`.' })
    .optional(),
  limit,
});
export type ListEventsQuery = z.output<typeof listEventsQuery>;

export const event = z
  .object({
    id: z.string().regex(/^evt_[A-Za-z0-9]+$/),
    type: z
      .string()
      .meta({ description: 'Open list: answer 200 to an unknown type and move no money.', example: 'deposit.paid' }),
    created_at: timestamp,
    operation_id: z.string(),
    object_id: z.string(),
    object_version: z.int(),
    data: z.object({ object: z.looseObject({}).meta({ description: 'A Deposit, a Withdrawal or a RuleSet.' }) }),
  })
  .meta({ id: 'Event' });

export const eventPage = pageOf(event, 'EventPage');
