// The balance that a provider states of an account, compared with the books (docs/decisions/0015).
import { localDate } from './rules/local-time.js';
import { STATEMENT_TIME_ZONE } from './statements.js';

/** A stated balance, and the books at that moment: with what was under way they are between `low` and `high`. */
export interface ComparedBalance {
  readonly statedMinor: bigint;
  readonly ledgerMinor: bigint;
  readonly lowMinor: bigint;
  readonly highMinor: bigint;
}

/** `same`: the difference that is known already. */
export type BalanceVerdict = 'agrees' | 'same' | 'differs';

/** `knownMinor`: the difference that is open, explained or not; `null` if there is none. */
export function balanceVerdict(
  { statedMinor, lowMinor, highMinor }: ComparedBalance,
  knownMinor: bigint | null,
): BalanceVerdict {
  const isWithin = (minor: bigint) => minor >= lowMinor && minor <= highMinor;
  // If both may be, nothing is known of it: what was known stays.
  if (knownMinor !== null && isWithin(statedMinor - knownMinor)) return 'same';
  return isWithin(statedMinor) ? 'agrees' : 'differs';
}

/** Little moves then: what is under way is little. Brasília's time. */
const READING_HOUR = 4;
const HOUR_MS = 3_600_000;

/** Whether the balance is to be read: once a day, from that hour on. */
export function isReadingDue(at: Date, last: Date | null): boolean {
  const dayOf = (time: Date) => localDate(new Date(time.getTime() - READING_HOUR * HOUR_MS), STATEMENT_TIME_ZONE);
  return last === null || dayOf(last) < dayOf(at);
}

/** How long the gateway has to learn of what had moved when a balance was read: sweeps find it within minutes. */
export const LEARNT_WITHIN_MS = HOUR_MS;
