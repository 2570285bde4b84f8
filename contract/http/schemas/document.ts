// A person's or company's document. Shape only: check digits are a creation check (422 document_invalid).
import { z } from 'zod';
import { DOCUMENT_TYPES } from '../../../domain/documents.js';
import { because } from '../validation.js';
import { country } from './text.js';

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
