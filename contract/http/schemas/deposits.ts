// Deposits: the creation body, the list filters and the object (specification, "Deposit" and "Deposits").
import { z } from 'zod';
import { METHODS } from '../../../domain/currencies.js';
import { DEPOSIT_STATUSES } from '../../../domain/payments/deposit.js';
import { because } from '../validation.js';
import { money, positiveMoney, pageOf, paymentFilters, externalId, metadata, timestamp } from './fields.js';
import { depositPlayer } from './player.js';

const DEPOSIT_EXPIRY_SECONDS = { min: 300, max: 86_400, default: 1_800 } as const;

/**
 * States of methods that are not available. The contract names them, so they are valid filters; no deposit has them.
 */
const NAMED_ONLY_STATUSES = ['pending_compliance', 'frozen', 'paid_partial'] as const;
const FILTER_STATUSES: readonly string[] = [...DEPOSIT_STATUSES, ...NAMED_ONLY_STATUSES];

export const createDepositBody = z
  .strictObject({
    external_id: externalId,
    player: depositPlayer,
    amount: positiveMoney,
    method: z.enum(METHODS).meta({ description: 'Only `pix` is enabled.', example: 'pix' }),
    expires_in_seconds: z
      .number()
      .int()
      .min(DEPOSIT_EXPIRY_SECONDS.min)
      .max(DEPOSIT_EXPIRY_SECONDS.max)
      .default(DEPOSIT_EXPIRY_SECONDS.default),
    locale: z.string().meta({ example: 'pt-BR' }).optional(),
    metadata: metadata.optional(),
  })
  .meta({
    id: 'CreateDeposit',
    example: {
      external_id: 'order-20261121-0001',
      player: {
        external_ref: 'player-1001',
        document: { type: 'CPF', number: '52998224725', country: 'BR' },
        name: 'Maria da Silva',
        email: 'maria@player.test',
      },
      amount: { amount: '5000', currency: 'BRL' },
      method: 'pix',
      expires_in_seconds: 1_800,
    },
  });
export type CreateDepositBody = z.output<typeof createDepositBody>;

export const listDepositsQuery = z.object({
  ...paymentFilters,
  status: z
    .string()
    .refine((text) => FILTER_STATUSES.includes(text), because('format', `must be one of ${FILTER_STATUSES.join(', ')}`))
    .meta({ enum: FILTER_STATUSES, example: 'paid' })
    .optional(),
});
export type ListDepositsQuery = z.output<typeof listDepositsQuery>;

const payer = z
  .object({
    document: z.object({ type: z.string(), number: z.string(), country: z.string() }).nullable(),
    name: z.string().nullable(),
    matches_player: z.boolean(),
  })
  .meta({ id: 'Payer' });

const pixInstructions = z
  .object({ copy_paste: z.string(), expires_at: timestamp, qr_code_png_base64: z.string().optional() })
  .meta({ id: 'PixInstructions' });

export const deposit = z
  .object({
    id: z.string().regex(/^dep_[A-Za-z0-9]+$/),
    external_id: z.string(),
    status: z
      .enum(DEPOSIT_STATUSES)
      .meta({ description: 'Open list: an unknown status is non-terminal and moves no money.' }),
    version: z.int().min(1),
    amount: money,
    paid_amount: money.nullable(),
    method: z.string(),
    player_ref: z.string(),
    payer: payer.nullable().meta({ description: 'Filled once a payment was recorded; for display and audit only.' }),
    instructions: z.object({ pix: pixInstructions }).nullable(),
    failure_code: z.string().nullable(),
    review_reasons: z.array(z.string()),
    created_at: timestamp,
    updated_at: timestamp,
    paid_at: timestamp.nullable(),
    expires_at: timestamp,
  })
  .meta({
    id: 'Deposit',
    example: {
      id: 'dep_0f6c2f4a9d3b4e5f8a7b6c5d4e3f2a1b',
      external_id: 'order-20261121-0001',
      status: 'pending',
      version: 2,
      amount: { amount: '5000', currency: 'BRL' },
      paid_amount: null,
      method: 'pix',
      player_ref: 'player-1001',
      payer: null,
      instructions: { pix: { copy_paste: '00020101021226…6304CD52', expires_at: '2026-11-21T12:30:00.000Z' } },
      failure_code: null,
      review_reasons: [],
      created_at: '2026-11-21T12:00:00.000Z',
      updated_at: '2026-11-21T12:00:00.400Z',
      paid_at: null,
      expires_at: '2026-11-21T12:30:00.000Z',
    },
  });

export const depositPage = pageOf(deposit, 'DepositPage');

/** What routes about one deposit have in common: the parameter of their path, and their answer. */
export const DEPOSIT_ID = { id: /^dep_[A-Za-z0-9]+$/ };
export const ONE_DEPOSIT = { 200: { description: 'The deposit.', schema: deposit } };
