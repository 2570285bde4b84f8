// A player's page: who it is, masked, what they moved, what people decided, and with whom they are linked.
import { z } from 'zod';
import { caseAnswer, linkedPlayers } from './cases.js';
import { count, instant, money, operationId, operationName, paymentKind } from './common.js';
import { listedPayment, playerRef } from './payment-list.js';
import { alertOf } from './payments.js';

export const playerParams = z.object({ operation: operationId, ref: playerRef });

const { fields } = caseAnswer.shape.player.shape;

export const playerAnswer = z.object({
  operation: z.object({ ...operationName.shape, time_zone: z.string() }),
  ref: z.string(),
  known_since: instant.nullable(),
  /** When the personal data was erased. */
  erased_at: instant.nullable(),
  /** By the newest payment, whose fields can be revealed. Null: there is none, or it is erased. */
  identity: z.object({ payment_id: z.string(), fields, told: caseAnswer.shape.told }).nullable(),
  sums: z.array(z.object({ kind: paymentKind, settled: money, settled_count: count, counted: money })),
  /** What still goes out by itself under the X-times rule; other rules may send it to a review. */
  automatic: z.array(z.object({ multiplier: z.string(), remaining: money })),
  lists: caseAnswer.shape.player.shape.lists,
  linked: linkedPlayers,
  /** The newest of each kind. */
  payments: z.array(listedPayment),
  decisions: caseAnswer.shape.earlier_decisions,
  /** Of the payments that are shown. */
  alerts: z.array(alertOf),
});
