// A person's or company's document. Shape only: check digits are a creation check (422 document_invalid).
import { z } from 'zod';
import { DOCUMENT_TYPES } from '../../../domain/documents.js';
import { because } from '../validation.js';
import { country } from './text.js';

const DIGITS: Readonly<Record<string, RegExp>> = { CPF: /^[0-9]{11}$/, CNPJ: /^[0-9]{14}$/ };

/** The same as JSON Schema: the number's form depends on the type. Each names every field, because linters look at it alone. */
const numberByType = Object.entries(DIGITS).map(([type, digits]) => ({
  if: { properties: { type: { const: type } }, required: ['type'] },
  then: { properties: { type: {}, number: { pattern: digits.source }, country: {} } },
}));

export const document = z
  .strictObject({
    type: z.enum(DOCUMENT_TYPES),
    number: z.string().regex(/^[^\s].{0,63}$/u, 'must have 1 to 64 characters').meta({ example: '52998224725' }),
    country,
  })
  .refine(({ type, number }) => DIGITS[type]?.test(number) ?? true, {
    ...because('format', 'a CPF is 11 and a CNPJ 14 plain digits'),
    path: ['number'],
  })
  .meta({ id: 'Document', description: 'Digits only for CPF and CNPJ.', allOf: numberByType, example: { type: 'CPF', number: '52998224725', country: 'BR' } });
