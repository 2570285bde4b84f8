// The routes of v1.1.0 that are registered but not enabled: currency exchange and bank receipts.
import { z } from 'zod';
import { because } from '../validation.js';
import { cursor, limit, pageOf, timestamp } from './fields.js';

/** The specification defines no shape: any JSON object. */
export const quoteBody = z
  .unknown()
  .refine(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    because('invalid', 'must be a JSON object'),
  )
  .meta({ id: 'QuoteRequest', override: { type: 'object' } });

export const listReceiptsQuery = z.object({
  status: z.string().optional(),
  updated_since: timestamp.optional(),
  cursor: cursor.optional(),
  limit,
});

export const receiptPage = pageOf(
  z.looseObject({ id: z.string().regex(/^rcv_[A-Za-z0-9]+$/) }).meta({ id: 'Receipt' }),
  'ReceiptPage',
);
