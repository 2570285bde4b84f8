// What an operator's own people see of their integration: the log of its calls, and whether it is ready to go live.
import { z } from 'zod';
import { count, cursor, instant, nextPage } from './common.js';

export const callsQuery = z.strictObject({
  /** Only calls that were refused. */
  refused: z.enum(['yes']).optional(),
  trace: z.string().max(64).optional(),
  cursor: cursor.optional(),
});

export const callsPage = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      at: instant,
      trace_id: z.string(),
      key_id: z.string(),
      /** Anybody who knows the key's id can send a call that its secret did not sign. */
      is_signed: z.boolean(),
      method: z.string(),
      /** `null` for a path without a route. */
      route: z.string().nullable(),
      object_id: z.string().nullable(),
      status: z.int(),
      code: z.string().nullable(),
      detail: z.string().nullable(),
      errors: z.array(z.object({ field: z.string().nullable(), reason: z.string() })),
      duration_ms: count,
      address: z.string(),
      /** Of the six signed lines as the gateway reads them, to compare with one's own. */
      canonical_sha256: z.string().nullable(),
    }),
  ),
  next: nextPage,
});

/** What the gateway can see for itself before an operation goes live. */
export const GO_LIVE_STEPS = [
  'conformance',
  'key_used',
  'key_changed',
  'networks',
  'webhook_address',
  'webhook_accepted',
  'no_webhook_waits',
  'day_read',
] as const;
export type GoLiveStep = (typeof GO_LIVE_STEPS)[number];

export const goLiveAnswer = z.object({
  steps: z.array(
    z.object({
      step: z.enum(GO_LIVE_STEPS),
      is_done: z.boolean(),
      /** When it was seen. */
      at: instant.nullable(),
      /** What shows it: a key, an event, the digest of a report. */
      evidence: z.string().nullable(),
    }),
  ),
  /** What waits for a second person at the gateway, and what was decided lately, newest first. */
  requests: z.array(
    z.object({
      id: z.string(),
      kind: z.string(),
      status: z.string(),
      is_yours: z.boolean(),
      requested_at: instant,
    }),
  ),
});
