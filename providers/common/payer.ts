// Who paid, as a provider reports it. Whether money arrived does not depend on it, so it never hides a payment: what is
// odd is left out, and the payer is then unknown. Nothing is guessed at.
import { z } from 'zod';
import { isUsableForPix } from '../../domain/documents.js';
import type { ReceivedPix } from '../port.js';

export type ReportedPayer = NonNullable<ReceivedPix['payer']>;
type ReportedDocument = NonNullable<ReportedPayer['document']>;
type DocumentType = ReportedDocument['type'];

const LENGTHS = { CPF: 11, CNPJ: 14 } as const satisfies Record<DocumentType, number>;
const TYPES = ['CPF', 'CNPJ'] as const satisfies readonly DocumentType[];
const NAME_MAX_LENGTH = 200;

/** Whether anything is there. A number of zeros alone is how some banks write "none". */
export function isStated(value: unknown): boolean {
  return value !== null && value !== undefined && !/^[0./\s-]*$/.test(String(value));
}

/**
 * A tax number: plain, punctuated or masked text, or a number. `type`: what its field says; `null` if it says nothing.
 * Leading zeros that were lost come back only where one reading has valid check digits. `null` for anything else.
 */
export function reportedDocument(value: unknown, type: DocumentType | null): ReportedDocument | null {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !isStated(text)) return null;
  const number = text.trim().toUpperCase();
  if (!/^[0-9A-Z*./-]{1,20}$/.test(number)) return null;
  const bare = number.replace(/[./-]/g, '');
  const types = type === null ? TYPES : [type];
  const fitting = types.find((one) => LENGTHS[one] === bare.length);
  if (fitting !== undefined) return { type: fitting, number };
  return /^\d+$/.test(bare) ? withZeros(bare, types) : null;
}

/** `null` unless exactly one reading is valid. */
function withZeros(digits: string, types: readonly DocumentType[]): ReportedDocument | null {
  const readings = types
    .map((type) => ({ type, number: digits.padStart(LENGTHS[type], '0') }))
    .filter(({ type, number }) => number.length === LENGTHS[type] && isUsableForPix({ type, number }));
  return readings.length === 1 ? readings[0]! : null;
}

/** Without the spaces that banks pad names with; `null` for one that is longer than any name. */
export function reportedName(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const name = value.trim().replace(/\s+/g, ' ');
  return name === '' || name.length > NAME_MAX_LENGTH ? null : name;
}

/** `null` if neither is known. */
export function reportedPayer(document: ReportedDocument | null, name: string | null): ReportedPayer | null {
  return document === null && name === null ? null : { document, name };
}

/** A payer as the standard writes people: `cpf` or `cnpj`, and `nome`. With both numbers it is not clear who paid. */
export const standardPayer = z
  .object({ cpf: z.unknown().optional(), cnpj: z.unknown().optional(), nome: z.unknown().optional() })
  .transform(({ cpf, cnpj, nome }) => {
    const isClear = !(isStated(cpf) && isStated(cnpj));
    const document = isClear ? (reportedDocument(cpf, 'CPF') ?? reportedDocument(cnpj, 'CNPJ')) : null;
    return reportedPayer(document, reportedName(nome));
  })
  .nullish()
  .catch(null);
