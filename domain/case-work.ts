// What people agree about a case besides its decision.
import type { PaymentActKind } from './staff.js';

/** A case may wait so long at most: a payment is somebody's money. */
export const LONGEST_SNOOZE_HOURS = 72;

/** What a note says was done. */
export const CASE_ACTS = [
  'note',
  'assign',
  'give_back',
  'snooze',
  'wake',
  'escalate',
  'deescalate',
  'flag',
  // A question to the operator, and what it answered.
  'ask',
  'answer',
] as const;
export type CaseAct = (typeof CASE_ACTS)[number];

/** `@person`, at the beginning or after a space. A handle with a space in it cannot be named so. */
const MENTION = /(?<!\S)@([\p{L}\p{N}](?:[\p{L}\p{M}\p{N}._'-]{0,62}[\p{L}\p{M}\p{N}])?)/gu;

/** The people whom a note names, each once. */
export function mentionedIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(MENTION)].map(([, handle = '']) => handle))];
}

/** The acts that decide a case. */
export const CASE_DECISIONS = [
  'deposit.approve',
  'deposit.return',
  'withdrawal.approve',
  'withdrawal.refuse',
] as const satisfies readonly PaymentActKind[];
