// The player of a payment, with its e-mail address and the hourly limits. For deposits, check 6b (operation
// requirements) validates name and e-mail.
import { z } from 'zod';
import { isNumberOf, isTaxNumber, type TaxDocument } from '../../../domain/documents.js';
import { because } from '../validation.js';
import { document, calendarDate, externalRef, ipAddress, textUpTo } from './fields.js';

export const EMAIL_MAX_LENGTH = 254;

/** The message for a malformed address. */
export const EMAIL_FORMAT = 'must be local@domain.tld without a display name, for example maria@player.test';

const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const LABEL = '[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const TOP_LEVEL = '[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]';

/** local@domain.tld, with labels of at most 63 characters. The contract has the same pattern. */
const EMAIL = new RegExp(`^${ATOM}(\\.${ATOM})*@(${LABEL}\\.)+${TOP_LEVEL}$`);

/** Reserved domains (RFC 2606), which receive no mail: the only ones accepted outside production. */
const RESERVED_TOP_LEVELS = ['test', 'invalid', 'example'];

/** Whether the text is `local@domain.tld`. Does not check its length. */
export function isEmail(text: string): boolean {
  return EMAIL.test(text);
}

/** Whether the address is below `.test`, `.invalid` or `.example`. */
export function hasReservedDomain(email: string): boolean {
  return RESERVED_TOP_LEVELS.includes(email.slice(email.lastIndexOf('.') + 1).toLowerCase());
}

export const PLAYER_NAME_MAX_LENGTH = 120;

const NO_TAX_NUMBER = because('format', 'must not be a tax number: use an opaque reference, for example player-1001');

const always = {
  external_ref: externalRef
    .refine((ref) => !isTaxNumber(ref), NO_TAX_NUMBER)
    .meta({ description: 'Opaque and immutable; never an e-mail, a phone or a tax number.', example: 'player-1001' }),
  document,
};
/** The document of the same player, valid or not, is no opaque reference either. */
const isOpaque = (player: { external_ref: string; document: TaxDocument }) =>
  isTaxNumber(player.external_ref) || !isNumberOf(player.document, player.external_ref);
const OPAQUE = { ...NO_TAX_NUMBER, path: ['external_ref'] };
const informative = { birth_date: calendarDate.optional(), kyc_level: z.string().meta({ example: 'full' }).optional() };
const example = {
  external_ref: 'player-1001',
  document: { type: 'CPF', number: '52998224725', country: 'BR' },
  name: 'Maria da Silva',
  email: 'maria@player.test',
  ip: '203.0.113.10',
};

export const depositPlayer = z
  .strictObject({
    ...always,
    // creation-checks.ts checks name and e-mail, after method, document and currency. The metadata is for the contract.
    name: z
      .string()
      .meta({
        description: 'At most 120 characters (max_length).',
        maxLength: PLAYER_NAME_MAX_LENGTH,
        example: example.name,
      })
      .optional(),
    email: z
      .string()
      .meta({
        description: 'local@domain.tld, at most 254 characters; only reserved domains outside production.',
        maxLength: EMAIL_MAX_LENGTH,
        pattern: EMAIL.source,
        example: example.email,
      })
      .optional(),
    ip: ipAddress.optional(),
    device_id: z.string().meta({ example: 'device-77' }).optional(),
    ...informative,
  })
  .refine(isOpaque, OPAQUE)
  .meta({ id: 'DepositPlayer', example });

export const withdrawalPlayer = z
  .strictObject({
    ...always,
    name: textUpTo(PLAYER_NAME_MAX_LENGTH, 'range').meta({ example: example.name }).optional(),
    email: z
      .string()
      // The same two reasons as for deposits (creation-checks.ts). Each address gets one of them.
      .refine(
        (email) => email.length <= EMAIL_MAX_LENGTH,
        because('max_length', `must have at most ${EMAIL_MAX_LENGTH} characters`),
      )
      .refine((email) => email.length > EMAIL_MAX_LENGTH || isEmail(email), because('format', EMAIL_FORMAT))
      .meta({ maxLength: EMAIL_MAX_LENGTH, pattern: EMAIL.source, example: example.email })
      .optional(),
    ip: ipAddress.meta({ description: 'The player’s address; without it a withdrawal is never automatic.' }).optional(),
    device_id: textUpTo(128, 'range').meta({ example: 'device-77' }).optional(),
    ...informative,
  })
  .refine(isOpaque, OPAQUE)
  .meta({ id: 'WithdrawalPlayer', example });

export interface HourlyLimits {
  readonly deposits: number;
  readonly withdrawals: number;
}

/** The specification's values. A sandbox can configure others (platform/config/api.ts). */
export const HOURLY_LIMITS: HourlyLimits = { deposits: 10, withdrawals: 3 };
