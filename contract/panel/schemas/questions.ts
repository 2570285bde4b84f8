// What the people of an operator's desk see: the questions about its payments that wait for an answer, and the last
// answers. Nothing of the case besides: no player, no rule, no note, and nobody of the gateway's staff.
import { z } from 'zod';
import { givenReason, instant, money, operationName, paymentKind } from './common.js';

const about = z.object({
  /** The payment. */
  id: z.string(),
  kind: paymentKind,
  operation: z.object({ ...operationName.shape, time_zone: z.string() }),
  external_id: z.string(),
  amount: money,
  /** As staff wrote them, oldest first: several if they asked again before there was an answer. */
  asked: z.array(z.object({ text: z.string(), at: instant })),
});

export const questionsAnswer = z.object({
  /** The longest open first. */
  open: z.array(
    z.object({
      ...about.shape,
      /** The newest one: an answer is sent back with it, and is to what the person saw. */
      question: z.string(),
    }),
  ),
  /** There are more than are shown. */
  more: z.boolean(),
  /** What the operator's people answered, newest first. */
  answered: z.array(z.object({ ...about.shape, answer: z.string(), at: instant, is_yours: z.boolean() })),
});

export const answerBody = z.strictObject({ question: z.string().regex(/^[1-9]\d{0,17}$/), text: givenReason });
export const answered = z.object({ answered: z.literal(true) });
