// A tax document as API Pix writes it: `cpf` or `cnpj`.
import type { TaxDocument } from '../../domain/documents.js';

export function documentField(document: TaxDocument): { readonly cpf: string } | { readonly cnpj: string } {
  return document.type === 'CPF' ? { cpf: document.number } : { cnpj: document.number };
}
