// The list of an operation's payments with its filters, and the same as a file.
import { z } from 'zod';
import { cursor, instant, money, nextPage, operationName, paymentKind } from './common.js';

const minor = z.string().regex(/^\d{1,18}$/);

/** As players are named by operators. */
export const playerRef = z.string().regex(/^[A-Za-z0-9_.:-]{1,64}$/);

export const paymentsQuery = z.strictObject({
  kind: paymentKind.optional(),
  status: z
    .string()
    .regex(/^[a-z_]{1,32}$/)
    .optional(),
  player: playerRef.optional(),
  /** The provider's account. */
  provider: z
    .string()
    .regex(/^[a-z0-9._-]{1,64}$/)
    .optional(),
  /** A rule's code. */
  reason: z
    .string()
    .regex(/^[A-Z0-9_]{1,64}$/)
    .optional(),
  /** In minor units, both included. */
  min_amount: minor.optional(),
  max_amount: minor.optional(),
  /** Days of the last change, both included, in the time zone of the operation's rules. */
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
  cursor: cursor.optional(),
});
/** Every payment that the pages would show, up to a limit. */
export const paymentsExportQuery = paymentsQuery.omit({ cursor: true });

export const listedPayment = z.object({
  id: z.string(),
  kind: paymentKind,
  external_id: z.string(),
  player_ref: z.string(),
  provider: z.string(),
  status: z.string(),
  amount: money,
  reasons: z.array(z.string()),
  created_at: instant,
  updated_at: instant,
});

export const paymentsPage = z.object({
  operation: z.object({ ...operationName.shape, time_zone: z.string() }),
  /** The latest change first. */
  items: z.array(listedPayment),
  /** With no item on a page: so far nothing fits, and the search goes on from there. */
  next: nextPage,
});
