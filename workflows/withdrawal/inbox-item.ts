// Everything that a withdrawal's loop applies: requests from outside and the results of its own calls.
import type { PayoutFinding, SendResult } from '../../activities/types.js';
import type {
  WithdrawalActionOutcome,
  WithdrawalReview,
  WriteOffDecision,
  WriteOffOutcome,
} from '../../contract/temporal/withdrawal.js';
import type { DispatchVerdict } from '../../domain/rules/verdicts.js';
import type { WithdrawalSnapshot } from '../../domain/withdrawal.js';
import type { Reply } from '../steps/inbox.js';
import type { RulesAnswer } from '../steps/rules-answer.js';
import type { KeyOwner, Verdict } from './decision.js';

export type WithdrawalItem =
  | { readonly kind: 'cancel'; readonly reply: Reply<WithdrawalActionOutcome> }
  | { readonly kind: 'review'; readonly review: WithdrawalReview; readonly reply: Reply<WithdrawalActionOutcome> }
  | { readonly kind: 'write_off'; readonly decision: WriteOffDecision; readonly reply: Reply<WriteOffOutcome> }
  /** Look the payout up. A provider callback has no reply. */
  | { readonly kind: 'refresh'; readonly reply: Reply<WithdrawalSnapshot> | null }
  | KeyVerdictItem
  | { readonly kind: 'dispatch_verdict'; readonly answer: RulesAnswer<DispatchVerdict> }
  | { readonly kind: 'send_result'; readonly result: SendResult }
  | PayoutItem
  | LastLookItem;

/** The result of a key look-up; `verdict` is null when the look-up is repeated instead of decided. */
export interface KeyVerdictItem extends KeyOwner {
  readonly kind: 'key_verdict';
  readonly verdict: Verdict | null;
}

/** The result of a payout look-up; `payout` is null when the provider does not know it. */
export interface PayoutItem {
  readonly kind: 'payout';
  readonly payout: PayoutFinding | null;
  readonly replies: readonly Reply<WithdrawalSnapshot>[];
}

/** The result of the look-up between the second person's decision and the write-off. */
export interface LastLookItem {
  readonly kind: 'last_look';
  readonly found: PayoutFinding | 'nothing' | 'no_answer';
  readonly decision: WriteOffDecision;
  readonly reply: Reply<WriteOffOutcome>;
}
