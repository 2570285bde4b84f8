// The operation's own data: ping, currencies, balances, limits of a player (specification, "Operation").
import { z } from 'zod';
import { METHODS } from '../../../domain/currencies.js';
import { currencyCode, money, timestamp } from './fields.js';

export const ping = z
  .object({
    ok: z.literal(true),
    operation_id: z.string(),
    environment: z.enum(['production', 'sandbox']),
    server_time: timestamp,
  })
  .meta({
    id: 'Ping',
    example: { ok: true, operation_id: 'op_1', environment: 'sandbox', server_time: '2026-11-21T12:00:00.000Z' },
  });

const methodDetail = z
  .object({
    method: z.enum(METHODS),
    deposit_requirements: z
      .array(z.string())
      .meta({ description: 'Body fields that this operation must send on POST /deposits.' }),
    psp_notes: z
      .array(z.string().regex(/^[a-z][a-z0-9_]{2,63}$/))
      .meta({ description: 'Informative codes; ignore unknown ones.' }),
  })
  .meta({ id: 'MethodDetail' });

const currency = z
  .object({
    code: z.string(),
    kind: z.enum(['fiat', 'crypto']),
    exponent: z.int().min(0).max(18),
    methods: z.array(z.enum(METHODS)),
    method_details: z.array(methodDetail),
  })
  .meta({
    id: 'Currency',
    example: {
      code: 'BRL',
      kind: 'fiat',
      exponent: 2,
      methods: ['pix'],
      method_details: [
        { method: 'pix', deposit_requirements: ['player.name'], psp_notes: ['payer_identity_unavailable'] },
      ],
    },
  });

export const currencyList = z.object({ data: z.array(currency) }).meta({ id: 'CurrencyList' });

const balance = z
  .object({
    available: money,
    pending_in: money.meta({ description: 'Received and not yet credited (deposits in `under_review`).' }),
    pending_out: money.meta({ description: 'Reserved for withdrawals.' }),
    as_of: timestamp,
  })
  .meta({ id: 'Balance' });

export const balanceList = z.object({ data: z.array(balance) }).meta({ id: 'BalanceList' });

export const playerLimitsQuery = z.object({ currency: currencyCode });

export const playerLimits = z
  .object({
    player_ref: z.string(),
    currency: z.string(),
    total_deposited: money,
    total_withdrawn: money,
    auto_multiplier: z.string().meta({ description: 'The X of the X-times rule, a decimal.', example: '1' }),
    auto_withdrawal_remaining: money.meta({
      description: 'The amount left under the X-times rule. Other rules may still require a review.',
    }),
    blocked: z.boolean(),
  })
  .meta({ id: 'PlayerLimits' });
