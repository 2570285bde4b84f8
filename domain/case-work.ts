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

/** The acts that decide a case. */
export const CASE_DECISIONS = [
  'deposit.approve',
  'deposit.return',
  'withdrawal.approve',
  'withdrawal.refuse',
] as const satisfies readonly PaymentActKind[];
