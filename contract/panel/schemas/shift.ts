// The figures of a shift: what people decided in the last hours, how long it took, and what waits.
import { z } from 'zod';
import { count, instant, money, operationId, paymentKind } from './common.js';

/** Of the last so many hours. */
const SHIFT_HOURS = ['8', '24', '168'] as const;

export const shiftQuery = z.strictObject({
  hours: z.enum(SHIFT_HOURS).default('8'),
  operation: operationId.optional(),
});

/** From the start of the review to the decision, for half of them; null without any. */
const medianSeconds = z.number().nullable();

export const shiftAnswer = z.object({
  since: instant,
  waiting: count,
  /** Waiting for longer than the time to decide. */
  overdue: count,
  people: z.array(
    z.object({
      person: z.string(),
      approved: count,
      /** Refused or returned. */
      refused: count,
      median_seconds: medianSeconds,
      /** Another person, or the provider, undid it. */
      overturned: count,
      /** Flagged as mistakes by who decided. */
      flagged: count,
    }),
  ),
  /** By the reasons that the rules gave; a payment counts for each of its reasons. */
  reasons: z.array(
    z.object({ code: z.string(), approved: count, refused: count, median_seconds: medianSeconds, waiting: count }),
  ),
  /** The newest flagged decisions. */
  flagged: z.array(
    z.object({ payment_id: z.string(), kind: paymentKind, amount: money, person: z.string(), at: instant }),
  ),
});
