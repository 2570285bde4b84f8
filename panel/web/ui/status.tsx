// The state of a payment as a chip. The colour only repeats the word.
import { useTexts } from '../preferences.js';
import { commonTexts } from '../texts/common.js';

const TONES: Readonly<Record<string, string>> = {
  under_review: 'wait',
  pending: 'wait',
  created: 'wait',
  requested: 'wait',
  approved: 'go',
  processing: 'go',
  paid: 'good',
  active: 'good',
  rejected: 'bad',
  failed: 'bad',
  chargeback: 'bad',
  suspended: 'bad',
};

export function Status({ of }: { readonly of: string }) {
  const { statuses } = useTexts(commonTexts);
  return <span className={`chip whole chip-${TONES[of] ?? 'plain'}`}>{statuses[of] ?? of}</span>;
}
