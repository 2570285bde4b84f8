// A provider's statement: its lines, and what a comparison with the books comes to (docs/decisions/0015 and 0017).
import { BANK_MOVEMENT_KINDS, type BankMovementKind } from './bank-movements.js';
import type { AccountName } from './provider-accounts.js';
import { localDate } from './rules/local-time.js';

export const STATEMENT_KINDS = Object.keys(BANK_MOVEMENT_KINDS) as readonly BankMovementKind[];
export type StatementKind = BankMovementKind;

/** The time zone of the statements' days: that of the Central Bank. */
export const STATEMENT_TIME_ZONE = 'America/Sao_Paulo';

export interface StatementLine {
  /** The provider's own id of the line, so that it is imported once. */
  readonly id: string;
  readonly kind: StatementKind;
  readonly amountMinor: bigint;
  /** RFC 3339. */
  readonly settledAt: string;
  /** The reference of the payment, also for its return and its fee; `null` if the line's id is its reference. */
  readonly endToEndId: string | null;
  /** The id of a return (`D…`); `null` if the line is none, or the bank does not state it. */
  readonly returnId: string | null;
}

export interface OfDay {
  readonly provider: AccountName;
  /** `YYYY-MM-DD`, where the bank is. */
  readonly day: string;
}

/** What is imported for a day. */
export interface ImportedLines {
  readonly lines: number;
  /** SHA-256 of the lines, in hex. */
  readonly digest: string;
}

/** What cannot be the statement of the day; nothing of it is imported. */
export type NotOfDay =
  /** The day is not over where the bank is: its statement is not complete. */
  { readonly kind: 'day_not_over' } | { readonly kind: 'line_of_another_day'; readonly line: StatementLine };

/** By how much a line may lie outside its day: banks book what is settled around midnight on either day. */
const EDGE_MS = 3_600_000;

/** Why these lines are not imported for the day; `null` if they may be. An import cannot be undone by one person. */
export function notOfDay(day: string, lines: readonly StatementLine[], now: Date): NotOfDay | null {
  if (day >= localDate(now, STATEMENT_TIME_ZONE)) return { kind: 'day_not_over' };
  const line = lines.find(({ settledAt }) => !isAround(Date.parse(settledAt), day));
  return line === undefined ? null : { kind: 'line_of_another_day', line };
}

function isAround(ms: number, day: string): boolean {
  return [0, EDGE_MS, -EDGE_MS].some((aside) => localDate(new Date(ms + aside), STATEMENT_TIME_ZONE) === day);
}

/** What a difference is. `undecided`: the line may be in the statement of the day beside, which is not imported. */
export const DIFFERENCES = ['missing_here', 'missing_there', 'amount_differs', 'undecided'] as const;
/** Those that a person has to explain. */
export const DIFFERING = ['missing_here', 'missing_there', 'amount_differs'] as const satisfies readonly Difference[];
export type Difference = (typeof DIFFERENCES)[number];

/** A line or a movement that nothing matches. Amounts are minor units; `null` if a side has none. */
export interface StatementDifference {
  readonly comparison: Difference;
  readonly kind: StatementKind;
  /** The payment's id at the bank; the line's id, or the document of people, if there is none. */
  readonly reference: string;
  readonly return_id: string | null;
  readonly line: string | null;
  readonly operation_id: string | null;
  /** The payment or the cash movement. */
  readonly subject: string | null;
  readonly statement: string | null;
  readonly ledger: string | null;
}

/** Where the alert about a day points. */
export function statementObjectOf(provider: string, day: string): string {
  return `${provider}:${day}`;
}
