// Building blocks of the schemas: texts, times, money, documents, and the parameters of lists. `because`
// (validation.ts) sets the reason where it differs from zod's default.
import { isIP } from 'node:net';
import { z } from 'zod';
import 'zod-openapi';
import { isCalendarDay, readInstant } from '../../../domain/instant.js';
import type { Reason } from '../errors.js';
import { because } from '../validation.js';
import { DOCUMENT_TYPES } from '../../../domain/documents.js';

/** A string of at most `maximum` characters (code points). */
export function textUpTo(maximum: number, reason: Reason) {
  return z
    .string()
    .refine((text) => [...text].length <= maximum, because(reason, `must have at most ${maximum} characters`))
    .meta({ maxLength: maximum });
}

/**
 * The operator's own id of a payment (specification, "Deposits"). A longer one is `format`, like any other mismatch.
 */
export const externalId = z
  .string()
  .regex(/^[A-Za-z0-9_.:-]{1,64}$/, 'must be 1 to 64 characters of A-Z a-z 0-9 _ . : -')
  .meta({ description: 'The operator’s own id, unique per operation and type.', example: 'order-20261121-0001' });

/** The operator's opaque, immutable reference of a player. */
export const externalRef = z
  .string()
  .regex(/^[A-Za-z0-9_.:-]{1,64}$/, 'must be 1 to 64 characters of A-Z a-z 0-9 _ . : -')
  .meta({ description: 'Opaque and immutable; never an e-mail, a phone or a tax number.', example: 'player-1001' });

/**
 * RFC 3339 with seconds and an offset (`Z` or `+hh:mm`). In UTC the year is 0001 to 9999, as the database requires.
 * What is read is the same moment in UTC, with milliseconds.
 */
export const timestamp = z
  .string()
  .refine((text) => readInstant(text) !== null, {
    ...because('format', 'must be an RFC 3339 timestamp with seconds, in the years 0001 to 9999 of UTC'),
    abort: true,
  })
  .overwrite((text) => readInstant(text)?.toISOString() ?? text)
  .meta({ format: 'date-time', example: '2026-11-21T12:00:00.000Z' });

/** A calendar day, `YYYY-MM-DD`. */
export const calendarDate = z
  .string()
  .refine(isCalendarDay, because('format', 'must be a date, YYYY-MM-DD, in the years 0001 to 9999'))
  .meta({ format: 'date', example: '2026-11-20' });

/** ISO 3166-1 alpha-2, upper case. */
export const country = z
  .string()
  .regex(/^[A-Z]{2}$/, 'must be two upper-case letters')
  .meta({ example: 'BR' });

/** An IPv4 or IPv6 address, without a zone (`fe80::1%eth0`), which only one machine can interpret. */
export const ipAddress = z
  .string()
  .refine((text) => isIP(text) !== 0 && !text.includes('%'), because('format', 'must be an IPv4 or IPv6 address'))
  .meta({ anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }], example: '203.0.113.10' });

/** A code of a rail; the list is open. */
export const rail = z
  .string()
  .regex(/^[a-z][a-z0-9_]{1,31}$/, 'must be 2 to 32 characters of a-z 0-9 _, beginning with a letter')
  .meta({ example: 'ted' });

/** Up to 20 keys with string values. */
export const metadata = z
  .record(z.string(), z.string())
  .refine((entries) => Object.keys(entries).length <= 20, because('range', 'must have at most 20 keys'))
  .meta({ description: 'Up to 20 keys with string values.', maxProperties: 20, example: { campaign: 'november' } });

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

const DIGITS = { CPF: /^[0-9]{11}$/, CNPJ: /^[0-9]{14}$/ } as const;
const digitsOf = (type: string): RegExp | undefined => (DIGITS as Readonly<Record<string, RegExp>>)[type];

const ofType = (type: string) => ({
  title: `document: ${type}`,
  properties: { type: { const: type } },
  required: ['type'],
});
/** Lists every field, because linters check this schema separately. */
const withDigits = (digits: RegExp) => ({ properties: { type: {}, number: { pattern: digits.source }, country: {} } });

/**
 * The same rule as JSON Schema: the number's format depends on the type. Each branch has a title, because renderers
 * name untitled branches "case 1" and "case 2".
 */
const numberByType = (cnpj: RegExp) => ({
  if: ofType('CPF'),
  then: withDigits(DIGITS.CPF),
  else: {
    title: 'document: not a CPF',
    if: ofType('CNPJ'),
    then: withDigits(cnpj),
    else: { title: 'document: neither CPF nor CNPJ' },
  },
});

const anyDocument = z.strictObject({
  type: z.enum(DOCUMENT_TYPES),
  number: z
    .string()
    .regex(/^[^\s].{0,63}$/u, 'must have 1 to 64 characters')
    .meta({ example: '52998224725' }),
  country,
});

export const document = anyDocument
  .refine(({ type, number }) => digitsOf(type)?.test(number) ?? true, {
    ...because('format', 'a CPF is 11 and a CNPJ 14 plain digits'),
    path: ['number'],
  })
  .meta({
    id: 'Document',
    description: 'Digits only for CPF and CNPJ.',
    ...numberByType(DIGITS.CNPJ),
    example: { type: 'CPF', number: '52998224725', country: 'BR' },
  });

/** A CNPJ with letters, as those issued since July 2026 may have. */
const LETTERED_CNPJ = /^[0-9A-Z]{12}[0-9]{2}$/;

/** Of a simulated payer, who may be any company: the rules for players do not count. */
export const payerDocument = anyDocument
  .refine(({ type, number }) => (type === 'CNPJ' ? LETTERED_CNPJ : digitsOf(type))?.test(number) ?? true, {
    ...because('format', 'a CPF is 11 plain digits, a CNPJ 12 digits or capital letters and 2 digits'),
    path: ['number'],
  })
  .meta({
    id: 'PayerDocument',
    description: 'Digits only for CPF; digits and capital letters for CNPJ.',
    ...numberByType(LETTERED_CNPJ),
    example: { type: 'CPF', number: '11144477735', country: 'BR' },
  });

const PAGE_LIMIT_DEFAULT = 50;
export const PAGE_LIMIT_MAX = 200;

/** 1 to 200, default 50. A value that is no integer is `format`, one outside is `range`. */
export const limit = z
  .string()
  .regex(/^-?[0-9]+$/, `must be a whole number from 1 to ${PAGE_LIMIT_MAX}, for example ${PAGE_LIMIT_DEFAULT}`)
  // Clamps long digit strings to a number just outside the range.
  .transform((text) => Math.max(0, Math.min(PAGE_LIMIT_MAX + 1, Number(text))))
  .pipe(z.number().min(1).max(PAGE_LIMIT_MAX))
  .default(PAGE_LIMIT_DEFAULT)
  .meta({ override: { type: 'integer', minimum: 1, maximum: PAGE_LIMIT_MAX, default: PAGE_LIMIT_DEFAULT } });

/** The message for an invalid cursor. Cursors are opaque, so it shows no example. */
export const CURSOR_FORMAT =
  'must be the next_cursor of a page of this list, unchanged, such as the one of the page before';

export const cursor = z.string().meta({ description: '`next_cursor` of the previous page; opaque.' });

/** Filters that deposits and withdrawals share. */
export const paymentFilters = {
  external_id: externalId.optional(),
  player_ref: externalRef.optional(),
  updated_since: timestamp
    .meta({
      description:
        'Objects with `updated_at` at or after this time. `updated_at` grows in the order in which changes can be ' +
        'seen: continue with the largest value of the first page of the last poll, and none is missed.',
    })
    .optional(),
  cursor: cursor.optional(),
  limit,
};

/** `{data, next_cursor}`. */
export function pageOf<Item extends z.ZodType>(item: Item, id: string) {
  return z
    .object({ data: z.array(item), next_cursor: z.string().nullable().meta({ description: 'Null on the last page.' }) })
    .meta({ id });
}
