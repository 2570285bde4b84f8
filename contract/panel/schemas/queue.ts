// The review queue: what waits for a person, by money and age.
import { z } from 'zod';
import {
  count,
  cursor,
  instant,
  money,
  nextPage,
  operationId,
  operationName,
  paymentKind,
  paymentParams,
  reason,
} from './common.js';

/** Which cases by the work on them. Without one: all but those that wait. */
const QUEUE_WORK = ['mine', 'escalated', 'asked', 'snoozed'] as const;
const QUEUE_SORTS = ['urgency', 'age', 'amount'] as const;

export const queueQuery = z.strictObject({
  operation: operationId.optional(),
  kind: paymentKind.optional(),
  /** A rule's code. */
  reason: z
    .string()
    .regex(/^[A-Z0-9_]{1,64}$/)
    .optional(),
  /** At least so much, in minor units. */
  min_amount: z
    .string()
    .regex(/^\d{1,18}$/)
    .optional(),
  /** `urgency`: money × age in parts of the time to decide. All: the most of it first. */
  sort: z.enum(QUEUE_SORTS).default('urgency'),
  work: z.enum(QUEUE_WORK).optional(),
  cursor: cursor.optional(),
});

/** Advisory: others may decide as well. */
export const claim = z.object({ person: z.string(), until: instant });

/** What people agreed about a case besides its decision. */
export const caseWork = z.object({
  assigned_to: z.string().nullable(),
  /** The queue does not show it before. Null once that is past. */
  snoozed_until: instant.nullable(),
  is_escalated: z.boolean(),
  /** An answer of the operator is awaited. */
  is_asked: z.boolean(),
});

const queueItem = z.object({
  id: z.string(),
  kind: paymentKind,
  operation: operationName,
  external_id: z.string(),
  player_ref: z.string(),
  version: z.int(),
  amount: money,
  /** Of a deposit: what was paid. */
  paid_amount: money.nullable(),
  reasons: z.array(reason),
  /** Under review since. */
  since: instant,
  decide_by: instant,
  is_overdue: z.boolean(),
  approvals: z.object({ given: z.array(z.string()), needed: count }),
  claim: claim.nullable(),
  work: caseWork,
  /** By what the player stands on the operation's block list: `player`, `document`, `pix_key`, `device`. */
  blocked: z.array(z.string()),
  /** A return of the deposit that people ordered came to nothing. */
  return_undone: z.boolean(),
});

export const queuePage = z.object({
  items: z.array(queueItem),
  next: nextPage,
  /** The instant by which the page was sorted; ages count until then. */
  as_of: instant,
});

/** What colleagues wrote to the viewer, newest first, until the viewer does something about the case. */
export const mentions = z.object({
  items: z.array(
    z.object({
      payment_id: z.string(),
      kind: paymentKind,
      operation: operationName,
      amount: money,
      status: z.string(),
      /** Who wrote it. */
      person: z.string(),
      text: z.string(),
      at: instant,
    }),
  ),
  more: z.boolean(),
});

export const claimParams = paymentParams;
export const claimBody = z.strictObject({ claim: z.boolean() });
/** `null` if no one has claimed it. */
export const claimed = z.object({ claim: claim.nullable() });
