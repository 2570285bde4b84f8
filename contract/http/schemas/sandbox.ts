// The sandbox's control surface (specification, "Sandbox control surface").
import { z } from 'zod';
import {
  document,
  payerDocument,
  money,
  pixMoney,
  cursor,
  limit,
  pageOf,
  country,
  rail,
  textUpTo,
  timestamp,
} from './fields.js';
import { because } from '../validation.js';

/** No fields: an empty body or `{}`. */
export const emptyBody = z.strictObject({}).meta({ id: 'Empty', example: {} });

export const payDepositBody = z
  .strictObject({
    payer_document: payerDocument.meta({ description: 'CPF or CNPJ of the payer; default: the player’s.' }).optional(),
    paid_amount: pixMoney.meta({ description: 'The paid amount; default: the exact amount.' }).optional(),
  })
  .meta({
    id: 'SandboxPayDeposit',
    example: {
      payer_document: { type: 'CPF', number: '11144477735', country: 'BR' },
      paid_amount: { amount: '5000', currency: 'BRL' },
    },
  });
export type PayDepositBody = z.output<typeof payDepositBody>;

export const partialReversalBody = z
  .strictObject({
    kind: z.enum(['refund', 'chargeback']),
    amount: pixMoney.meta({ description: 'What goes back of the payment; what is left of it ends the deposit.' }),
  })
  .meta({
    id: 'SandboxPartialReversal',
    example: { kind: 'chargeback', amount: { amount: '1000', currency: 'BRL' } },
  });

export const outageBody = z.strictObject({ down: z.boolean() }).meta({ id: 'SandboxOutage', example: { down: true } });

export const clockBody = z
  .strictObject({
    advance_seconds: z
      .int()
      .min(1)
      .max(31_622_400)
      .meta({ description: 'Moves the clock ahead by so many seconds, at most 366 days.' })
      .optional(),
    to: timestamp
      .meta({ description: 'Moves the clock to this moment, never back. Instead of `advance_seconds`.' })
      .optional(),
    frozen: z.boolean().meta({ description: 'Whether it stands still then; default: as before.' }).optional(),
  })
  .refine(({ advance_seconds, to }) => advance_seconds === undefined || to === undefined, {
    ...because('one_of', 'only one of advance_seconds and to'),
    path: ['to'],
  })
  .meta({ id: 'SandboxSetClock', example: { advance_seconds: 86_400, frozen: true } });

const clockFields = {
  now: timestamp.meta({ description: 'The operation’s time.' }),
  real_time: timestamp.meta({ description: 'The server’s time, by which requests are signed.' }),
  offset_seconds: z.int().meta({ description: 'By how much `now` is ahead of `real_time`.' }),
  frozen: z.boolean().meta({ description: 'Whether the clock stands still.' }),
  advancing: z.boolean().meta({ description: 'Whether a request is moving it.' }),
};

export const clock = z.object(clockFields).meta({ id: 'SandboxClock' });

export const clockMoved = z
  .object({
    ...clockFields,
    to: timestamp.meta({ description: 'Where you wanted it.' }),
    reached: z.boolean().meta({
      description:
        'Whether it is where you wanted it, with everything done that was due. If not, send the same `to` again.',
    }),
    pending: z
      .array(
        z.object({
          object_id: z.string().meta({ description: 'A payment, or an event that is being delivered.' }),
          state: z.string().meta({ description: '`due` or `under_way`.', example: 'under_way' }),
        }),
      )
      .meta({ description: 'What was due and is not done: a provider or an operator has not answered yet.' }),
  })
  .meta({ id: 'SandboxClockMoved' });

export const redeliverBody = z
  .strictObject({
    event_id: z
      .string()
      .regex(/^evt_[A-Za-z0-9]{1,96}$/, 'must be an event id')
      .meta({ example: 'evt_5b1a2c3d4e5f60718293a4b5c6d7e8f9' }),
  })
  .meta({ id: 'SandboxRedeliver', example: { event_id: 'evt_5b1a2c3d4e5f60718293a4b5c6d7e8f9' } });

export const redelivery = z
  .object({ event_id: z.string(), redelivery: z.literal('scheduled') })
  .meta({ id: 'SandboxRedelivery' });

export const incomingTransferBody = z
  .strictObject({
    amount: money,
    rail,
    reference: textUpTo(140, 'range').optional(),
    payer_name: textUpTo(140, 'range').optional(),
    payer_document: document.optional(),
    payer_country: country.optional(),
    screening: z.enum(['clear', 'hit']).default('clear'),
  })
  .meta({ id: 'SandboxIncomingTransfer', example: { amount: { amount: '5000', currency: 'BRL' }, rail: 'ted' } });

export const listDeliveriesQuery = z.object({
  event_id: z.string().meta({ description: 'Only attempts of this event.' }).optional(),
  cursor: cursor.optional(),
  limit,
});

const delivery = z
  .object({
    event_id: z.string(),
    type: z.string(),
    object_id: z.string(),
    attempt: z.int(),
    sent_at: timestamp,
    response_status: z.int().nullable(),
    error: z.string().nullable(),
    duration_ms: z.int(),
    next_attempt_at: timestamp.nullable(),
  })
  .meta({ id: 'WebhookDelivery' });

export const deliveryPage = pageOf(delivery, 'WebhookDeliveryPage');
