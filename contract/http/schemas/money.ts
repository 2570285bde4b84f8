// Money in the interface: an amount in the smallest unit, as a string, and a currency code.
import { z } from 'zod';
import { because } from '../validation.js';

/** A string of a non-negative integer in the smallest unit, at most 38 digits. */
const amount = z
  .string()
  .regex(
    /^(0|[1-9][0-9]{0,37})$/,
    'must be a string of a whole number of the smallest unit (centavos for BRL), without sign, point or leading zero',
  )
  .meta({ description: 'Smallest unit (centavos for BRL), as a string.', example: '5000' });

export const currencyCode = z
  .string()
  .regex(
    /^[A-Z0-9]{3,12}(\.[A-Z0-9]{2,12})?$/,
    'must be an ISO 4217 code in upper case, or a crypto asset with its network',
  )
  .meta({ description: 'ISO 4217 code, or crypto asset with network.', example: 'BRL' });

export const money = z
  .strictObject({ amount, currency: currencyCode })
  .meta({ id: 'Money', example: { amount: '5000', currency: 'BRL' } });

const positiveAmount = amount
  .refine((text) => text !== '0', because('range', 'must be "1" or more: zero is no payment'))
  .meta({ pattern: '^[1-9][0-9]{0,37}$', example: '5000' });

/** The amount of a payment. Zero is out of range. */
export const positiveMoney = z
  .strictObject({ amount: positiveAmount, currency: currencyCode })
  .meta({ id: 'PositiveMoney', example: { amount: '5000', currency: 'BRL' } });

/** An amount that a PIX can have: at most 12 digits. */
export const pixMoney = z
  .strictObject({
    amount: positiveAmount
      .refine((text) => !/^[1-9][0-9]{12,37}$/.test(text), because('range', 'a PIX has at most 12 digits of centavos'))
      .meta({ pattern: '^[1-9][0-9]{0,11}$', example: '5000' }),
    currency: currencyCode,
  })
  .meta({ id: 'PixMoney', example: { amount: '5000', currency: 'BRL' } });
