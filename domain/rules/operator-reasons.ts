// The operator's own review reasons, shown after the codes with the prefix `OP:`.
import { isUsableForPix } from '../documents.js';

const MAX_REASONS = 20;
const MAX_LENGTH = 200;

/**
 * `OP:<text>` for each reason, in the operator's order, without repetitions. Personal data that is easy to recognise
 * (valid CPFs and CNPJs, e-mail addresses) is masked, because the texts are displayed and stored.
 */
export function displayedOperatorReasons(texts: readonly string[]): string[] {
  const cleaned = texts
    .map((text) => maskPersonalData(text.replace(/\p{Cc}+/gu, ' ').trim()).slice(0, MAX_LENGTH))
    .filter((text) => text !== '');
  return [...new Set(cleaned)].slice(0, MAX_REASONS).map((text) => `OP:${text}`);
}

/** Masks valid CPFs and CNPJs and e-mail addresses in free text. */
export function maskPersonalData(text: string): string {
  return text
    .replace(/[^\s@<>()]+@[^\s@<>()]+\.[^\s@<>()]+/g, '***')
    .replace(/\d(?:[.\-/]?\d){10,13}/g, (number) => (isTaxNumber(number) ? '***' : number));
}

function isTaxNumber(text: string): boolean {
  const number = text.replace(/\D/g, '');
  return isUsableForPix({ type: number.length === 11 ? 'CPF' : 'CNPJ', number });
}
