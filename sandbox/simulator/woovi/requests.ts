// What the simulated Woovi takes, as its document has it. Unknown fields are ignored, as there.
import { z } from 'zod';

const value = z.number().int().min(1).max(999_999_999_999);
const correlationID = z.string().min(1).max(200);
const comment = z.string().max(140).optional();

/** A customer needs a name and one thing more. */
const customer = z
  .object({
    name: z.string().min(1).max(200),
    email: z.string().max(254).optional(),
    phone: z.string().max(30).optional(),
    taxID: z
      .string()
      .regex(/^(\d{11}|[0-9A-Z]{12}\d{2})$/, 'must be a CPF or CNPJ without punctuation')
      .optional(),
  })
  .refine(({ email, phone, taxID }) => (email ?? phone ?? taxID) !== undefined, 'needs taxID, email or phone');

export const chargePayload = z.object({
  correlationID,
  value,
  type: z.enum(['DYNAMIC', 'OVERDUE', 'BOLETO']).default('DYNAMIC'),
  comment,
  /** At least five minutes; a day is this account's default. */
  expiresIn: z.number().int().min(300).max(315_360_000).default(86_400),
  customer: customer.optional(),
});

export const refundPayload = z.object({
  transactionEndToEndId: z.string().min(1).max(64),
  correlationID,
  value,
  comment,
});
export const chargeRefundPayload = z.object({ correlationID, value: value.optional(), comment });

export const KEY_TYPES = {
  CPF: 'cpf',
  CNPJ: 'cnpj',
  EMAIL: 'email',
  PHONE: 'phone',
  RANDOM: 'random',
} as const;

export const paymentPayload = z.object({
  type: z.literal('PIX_KEY', 'the simulator pays PIX keys only'),
  value,
  destinationAlias: z.string().min(1).max(77),
  destinationAliasType: z.enum(['CPF', 'CNPJ', 'EMAIL', 'PHONE', 'RANDOM']),
  correlationID,
  pixKeyEndToEndId: z.string().max(64).optional(),
  comment,
  autoApprove: z.boolean().default(false),
});
export type PaymentPayload = z.output<typeof paymentPayload>;

export const approvePayload = z.object({ correlationID });

export const webhookPayload = z.object({
  webhook: z.object({
    name: z.string().min(1).max(200),
    event: z.string().min(1).max(100),
    url: z.url({ protocol: /^https?$/ }),
    authorization: z.string().max(1_024).optional(),
    isActive: z.boolean().optional(),
  }),
});
