// Who plays: people with documents of their own.
import type { Chance } from '../machine/chance.js';

/** A CPF with valid check digits. */
export function cpfOf(chance: Chance): string {
  const digits = Array.from({ length: 9 }, () => chance.whole(0, 9));
  for (const length of [9, 10]) {
    const sum = digits.slice(0, length).reduce((all, digit, index) => all + digit * (length + 1 - index), 0);
    digits.push(((sum * 10) % 11) % 10);
  }
  return digits.join('');
}
