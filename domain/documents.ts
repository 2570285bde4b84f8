// Brazilian tax documents: the types that PIX accepts, and their check digits.
import { isValidCnpj, isValidCpf } from '@brazilian-utils/brazilian-utils';

export const DOCUMENT_TYPES = ['CPF', 'CNPJ', 'PASSPORT', 'NATIONAL_ID', 'TAX_ID'] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

/** The document types that PIX accepts. */
export const TAX_DOCUMENT_TYPES: readonly DocumentType[] = ['CPF', 'CNPJ'];

const CPF_LENGTH = 11;
const CNPJ_LENGTH = 14;

/** The interface's `Document`: digits only for CPF and CNPJ, country in ISO alpha-2. */
export interface TaxDocument {
  readonly type: DocumentType;
  readonly number: string;
  readonly country: string;
}

/**
 * Whether a document can be used for PIX: a CPF of 11 or a CNPJ of 14 plain digits with valid check digits. Numbers of
 * one repeated digit have valid check digits but are refused.
 */
export function isUsableForPix(document: Pick<TaxDocument, 'type' | 'number'>): boolean {
  const { type, number } = document;
  if (/^(\d)\1*$/.test(number)) return false;
  if (type === 'CPF') return /^\d{11}$/.test(number) && isValidCpf(number);
  if (type === 'CNPJ') return /^\d{14}$/.test(number) && isValidCnpj(number);
  return false;
}

/**
 * A CPF and a CNPJ with any of their usual punctuation, or other marks in the same places, because `/` is often not
 * allowed.
 */
const WRITTEN = {
  CPF: /^\d{3}[._:-]?\d{3}[._:-]?\d{3}[._:-]?\d{2}$/,
  CNPJ: /^\d{2}[._:-]?\d{3}[._:-]?\d{3}[/._:-]?\d{4}[._:-]?\d{2}$/,
} as const;

/** Whether a text is a valid CPF or CNPJ, with or without punctuation. */
export function isTaxNumber(text: string): boolean {
  const number = bare(text);
  return (['CPF', 'CNPJ'] as const).some((type) => WRITTEN[type].test(text) && isUsableForPix({ type, number }));
}

/** Whether a text is the document's number, however both are punctuated. */
export function isNumberOf({ number }: Pick<TaxDocument, 'number'>, text: string): boolean {
  return bare(text) === bare(number);
}

function bare(text: string): string {
  return text.replace(/[^\p{L}\d]/gu, '').toUpperCase();
}

/** Whether a document can be sent to a provider. PIX has no other types. */
export function isTaxDocument({ type }: Pick<TaxDocument, 'type'>): boolean {
  return TAX_DOCUMENT_TYPES.includes(type);
}

/**
 * Compares a document with one that a provider reported, possibly masked (`***.345.678-**`). A visible difference is
 * conclusive. A match under a mask is weak. A part of a document, with the length of neither CPF nor CNPJ, is unclear.
 */
export function compareReportedDocument(
  expected: string,
  reported: string,
): 'match' | 'weak_match' | 'mismatch' | 'unclear' {
  const shown = reported.replace(/[.\-/\s]/g, '').toUpperCase();
  if (shown.length !== CPF_LENGTH && shown.length !== CNPJ_LENGTH) return 'unclear';
  if (shown.length !== expected.length) return 'mismatch';
  const positions = [...shown];
  if (positions.some((character, index) => character !== '*' && character !== expected[index])) return 'mismatch';
  return positions.includes('*') ? 'weak_match' : 'match';
}
