// Deliveries of events: the log of an operation's attempts, and delivering a span of time again.
import { z } from 'zod';
import { EVENT_SELECTIONS } from '../../../domain/event-range.js';
import { isId } from '../../../domain/identifiers.js';
import { count, cursor, instant, nextPage } from './common.js';

const FAILED = ['yes'] as const;
export const deliveriesQuery = z.strictObject({
  /** Only attempts that the endpoint did not accept. */
  failed: z.enum(FAILED).optional(),
  cursor: cursor.optional(),
});

export const deliveriesPage = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      event_id: z.string(),
      type: z.string(),
      object_id: z.string(),
      attempt: z.int(),
      sent_at: instant,
      response_status: z.int().nullable(),
      error: z.string().nullable(),
      duration_ms: count,
      next_attempt_at: instant.nullable(),
    }),
  ),
  next: nextPage,
});

export const redeliveryBody = z
  .strictObject({ from: z.iso.datetime(), to: z.iso.datetime(), selection: z.enum(EVENT_SELECTIONS) })
  .refine(({ from, to }) => Date.parse(from) < Date.parse(to), { path: ['to'], error: 'must be later than from' });

export const eventParams = z.object({ id: z.string().refine((text) => isId('event', text)) });

/** What was sent, byte for byte but for the personal data, which is masked. */
export const eventAnswer = z.object({ id: z.string(), type: z.string(), body: z.json() });

/** How many events are on their way. */
export const redelivered = z.object({ events: count });
