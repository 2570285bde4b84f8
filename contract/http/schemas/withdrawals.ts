// Withdrawals: the creation and recall bodies, the list filters and the object (specification, "Withdrawal").
import { z } from 'zod';
import { METHODS } from '../../../domain/currencies.js';
import { PIX_KEY_TYPES } from '../../../domain/pix.js';
import { WITHDRAWAL_STATUSES } from '../../../domain/payments/withdrawal.js';
import { because } from '../validation.js';
import {
  money,
  positiveMoney,
  pageOf,
  paymentFilters,
  calendarDate,
  externalId,
  metadata,
  textUpTo,
  timestamp,
} from './fields.js';
import { withdrawalPlayer } from './player.js';

/**
 * States of methods that are not available. The contract names them, so they are valid filters; no withdrawal has them.
 */
const NAMED_ONLY_STATUSES = ['pending_compliance', 'sent', 'in_transit', 'recall_requested', 'recalled'] as const;

const pixDestination = z
  .strictObject({
    key_type: z.enum(PIX_KEY_TYPES).meta({ example: 'cpf' }),
    key: z.string().min(1).max(140).meta({ example: '52998224725' }),
  })
  .meta({ id: 'PixDestination' });

/** Destinations of methods that are not enabled: any object, because the method is refused next. */
const disabledDestination = z
  .looseObject({})
  .optional()
  .meta({ override: { type: 'object' } });

const destination = z
  .strictObject({
    pix: pixDestination.optional(),
    card: disabledDestination,
    crypto: disabledDestination,
    bank_transfer: disabledDestination,
    boleto: disabledDestination,
    wire: disabledDestination,
    swift: disabledDestination,
  })
  .refine((methods) => Object.keys(methods).length === 1, because('one_of', 'must name exactly one method'))
  .meta({
    description: 'Exactly one destination, keyed by the same name as `method`.',
    minProperties: 1,
    maxProperties: 1,
    example: { pix: { key_type: 'cpf', key: '52998224725' } },
  });

const SIGNED_AMOUNT = /^(0|-?[1-9][0-9]{0,37})$/;

/** An informative amount: `Money`, or the bare string of the smallest unit (the net result may be negative). */
const contextAmount = z
  .union([
    z.string().regex(SIGNED_AMOUNT, 'must be a string of a whole number of the smallest unit, for example "-10000"'),
    money,
  ])
  .meta({ example: { amount: '10000', currency: 'BRL' } });

const playerContext = z
  .strictObject({
    total_deposited: contextAmount.optional(),
    total_withdrawn: contextAmount.optional(),
    account_created_at: timestamp.optional(),
    net_gaming_result: contextAmount.optional(),
  })
  .meta({ description: 'Informative; never enables the automatic path.' });

export const createWithdrawalBody = z
  .strictObject({
    external_id: externalId,
    player: withdrawalPlayer,
    amount: positiveMoney,
    method: z.enum(METHODS).meta({ description: 'Only `pix` is enabled.', example: 'pix' }),
    destination,
    review_requested: z.boolean().optional(),
    review_reasons: z
      .array(textUpTo(200, 'range'))
      .max(20)
      .meta({ description: 'The operator’s own reasons, shown with the prefix `OP:`.', example: ['large win'] })
      .optional(),
    player_context: playerContext.optional(),
    metadata: metadata.optional(),
  })
  // No or several destinations are `one_of`, and nothing else.
  .refine(({ method, destination: { ...methods } }) => Object.keys(methods).length !== 1 || method in methods, {
    ...because('method_mismatch', 'must be keyed by the same name as `method`'),
    path: ['destination'],
  })
  .meta({
    id: 'CreateWithdrawal',
    example: {
      external_id: 'payout-20261121-0001',
      player: {
        external_ref: 'player-1001',
        document: { type: 'CPF', number: '52998224725', country: 'BR' },
        name: 'Maria da Silva',
        ip: '203.0.113.10',
      },
      amount: { amount: '3000', currency: 'BRL' },
      method: 'pix',
      destination: { pix: { key_type: 'cpf', key: '52998224725' } },
    },
  });
export type CreateWithdrawalBody = z.output<typeof createWithdrawalBody>;

export const recallBody = z
  .strictObject({
    reason_code: z
      .enum(['duplicate', 'wrong_beneficiary', 'wrong_amount', 'fraud_suspected', 'other'])
      .meta({ example: 'duplicate' }),
    justification: textUpTo(1_000, 'range').optional(),
  })
  .meta({ id: 'RecallWithdrawal', example: { reason_code: 'duplicate', justification: 'Sent twice by mistake.' } });

export const listWithdrawalsQuery = z.object({
  ...paymentFilters,
  status: z.enum([...WITHDRAWAL_STATUSES, ...NAMED_ONLY_STATUSES]).optional(),
});
export type ListWithdrawalsQuery = z.output<typeof listWithdrawalsQuery>;

const fee = z
  .object({
    type: z.string(),
    amount: money,
    bearer: z.enum(['operator', 'beneficiary', 'payer']),
    estimated: z.boolean(),
  })
  .meta({ id: 'Fee' });

const decision = z
  .object({
    mode: z.enum(['automatic', 'manual']),
    reasons: z.array(z.string()),
    ruleset_version: z.int(),
    decided_by: z.array(z.string()),
    decided_at: timestamp.nullable(),
  })
  .meta({ id: 'WithdrawalDecision' });

const alwaysNull = (description: string) => z.null().meta({ description });

export const withdrawal = z
  .object({
    id: z.string().regex(/^wdr_[A-Za-z0-9]+$/),
    external_id: z.string(),
    status: z
      .enum(WITHDRAWAL_STATUSES)
      .meta({ description: 'Open list: an unknown status is non-terminal and keeps the reserve.' }),
    version: z.int().min(1),
    amount: money,
    fee: money.nullable(),
    method: z.string(),
    player_ref: z.string(),
    decision,
    psp_reference: z.string().nullable().meta({ description: 'The end-to-end id of a paid PIX.' }),
    failure_code: z.string().nullable(),
    created_at: timestamp,
    updated_at: timestamp,
    paid_at: timestamp.nullable(),
    rail: alwaysNull('Null for PIX.'),
    fees: z.array(fee).meta({ description: 'Empty for PIX.' }),
    charge_bearer: alwaysNull('Null for PIX.'),
    fx: alwaysNull('Null for PIX.'),
    purpose: alwaysNull('Null for PIX.'),
    compliance: alwaysNull('Null for PIX.'),
    tracking: alwaysNull('Null for PIX.'),
    return: alwaysNull('Null for PIX.'),
    recall: alwaysNull('Null for PIX.'),
    expected_settlement_date: calendarDate.nullable(),
    sent_at: timestamp.nullable(),
  })
  .meta({
    id: 'Withdrawal',
    example: {
      id: 'wdr_7d1f0c2b3a4958677869504132231405',
      external_id: 'payout-20261121-0001',
      status: 'under_review',
      version: 1,
      amount: { amount: '3000', currency: 'BRL' },
      fee: null,
      method: 'pix',
      player_ref: 'player-1001',
      decision: { mode: 'manual', reasons: ['FIRST_WITHDRAWAL'], ruleset_version: 1, decided_by: [], decided_at: null },
      psp_reference: null,
      failure_code: null,
      created_at: '2026-11-21T12:00:00.000Z',
      updated_at: '2026-11-21T12:00:00.000Z',
      paid_at: null,
      rail: null,
      fees: [],
      charge_bearer: null,
      fx: null,
      purpose: null,
      compliance: null,
      tracking: null,
      return: null,
      recall: null,
      expected_settlement_date: null,
      sent_at: null,
    },
  });

export const withdrawalPage = pageOf(withdrawal, 'WithdrawalPage');

/** What routes about one withdrawal have in common: the parameter of their path, and their answer. */
export const WITHDRAWAL_ID = { id: /^wdr_[A-Za-z0-9]+$/ };
export const ONE_WITHDRAWAL = { 200: { description: 'The withdrawal.', schema: withdrawal } };
