// Brazilian tax documents: which types a PIX payment takes and whether their check digits hold.
import { isValidCnpj, isValidCpf } from '@brazilian-utils/brazilian-utils';

export const DOCUMENT_TYPES = ['CPF', 'CNPJ', 'PASSPORT', 'NATIONAL_ID', 'TAX_ID'] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

/** Those that a PIX knows people and companies by. */
export const TAX_DOCUMENT_TYPES: readonly DocumentType[] = ['CPF', 'CNPJ'];

/** The interface's `Document`: digits only for CPF and CNPJ, country in ISO alpha-2. */
export interface TaxDocument {
  readonly type: DocumentType;
  readonly number: string;
  readonly country: string;
}

/**
 * Whether a document can be used for PIX: a CPF of 11 or a CNPJ of 14 plain digits whose check digits hold.
 * Numbers of one repeated digit pass the arithmetic and are refused all the same.
 */
export function isUsableForPix(document: Pick<TaxDocument, 'type' | 'number'>): boolean {
  const { type, number } = document;
  if (/^(\d)\1*$/.test(number)) return false;
  if (type === 'CPF') return /^\d{11}$/.test(number) && isValidCpf(number);
  if (type === 'CNPJ') return /^\d{14}$/.test(number) && isValidCnpj(number);
  return false;
}

/**
 * Compares a document with one a provider reported, possibly masked (`***.345.678-**`). A visible difference is
 * conclusive; digits that agree under a mask are a weak match.
 */
export function compareReportedDocument(expected: string, reported: string): 'match' | 'weak_match' | 'mismatch' {
  const shown = reported.replace(/[.\-/\s]/g, '');
  if (shown.length !== expected.length) return 'mismatch';
  const positions = [...shown];
  if (positions.some((character, index) => character !== '*' && character !== expected[index])) return 'mismatch';
  return positions.includes('*') ? 'weak_match' : 'match';
}
