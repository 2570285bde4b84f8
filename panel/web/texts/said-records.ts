// What an alert records of its case, in the reader's language: the stored English is read by the table that it was made
// of, and said by the Portuguese one.
import { filled, readRecord } from '../../../domain/alert-records.js';
import { recordsPt, wordsPt } from './alert-records.js';
import { statusesPt } from './common.js';
import type { Language } from './language.js';

/** Places that mostly hold ids, with the words that may stand there instead. */
const OTHER_WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ...wordsPt,
  was: statusesPt,
  feeOf: { payout: 'envio' },
  payment: { 'no known id': 'nenhum id conhecido' },
  operation: { 'no known id': 'nenhum id conhecido' },
};

/** What an alert records, for a reader. */
export interface SaidRecord {
  readonly text: string;
  /** `en`: it is of a build whose records this page does not know, and stays as it is stored. */
  readonly language: Language;
}

/** The stored record in the reader's language; amounts, ids, codes and times stay as they are. */
export function recordIn(language: Language, kind: string, detail: string): SaidRecord {
  const read = language === 'en' ? null : readRecord(kind, detail);
  if (read === null) return { text: detail, language: 'en' };
  const template = (recordsPt as Readonly<Record<string, Readonly<Record<string, string>>>>)[kind]?.[read.name] ?? '';
  const values = Object.entries(read.values).map(([place, value]) => [
    place,
    value === undefined ? null : (OTHER_WORDS[place]?.[value] ?? value),
  ]);
  return { text: filled(template, Object.fromEntries(values)), language };
}
