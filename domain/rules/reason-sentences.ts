// One sentence per reason code, for the people who review. The numbers are in the rule's finding.
import type { DepositReviewReason } from '../payments/deposit.js';

const SENTENCES = {
  AMOUNT_BELOW_MINIMUM: 'the amount is below the minimum',
  AMOUNT_ABOVE_MAXIMUM: 'the amount is above the maximum',
  DOCUMENT_INVALID: 'the document is not a valid CPF or CNPJ',
  PLAYER_DOCUMENT_CHANGED: 'the player used another document before',
  DOCUMENT_MISMATCH: 'the PIX key belongs to somebody else',
  PLAYER_BLOCKED: 'the player or the document is on the block list',
  DESTINATION_BLOCKED: 'the PIX key is on the block list',
  VELOCITY_HARD_LIMIT: 'too many withdrawals were requested in a short time',
  WINDOW_HARD_LIMIT: 'the sum or the number of withdrawals in a window is above its hard limit',
  INSUFFICIENT_OPERATION_BALANCE: 'the cash box of the operation does not cover it',
  AUTO_MULTIPLIER_EXCEEDED: 'with the earlier withdrawals it is more than X times the deposits',
  NO_SETTLED_DEPOSIT: 'no deposit of the player is settled',
  AUTO_DISABLED: 'automatic withdrawals are off in this currency',
  OPERATION_AUTO_SUSPENDED: 'automatic withdrawals are suspended for the whole operation',
  AUTO_MAX_PER_WITHDRAWAL_EXCEEDED: 'it is above the automatic ceiling of one withdrawal',
  FIRST_WITHDRAWAL: 'no withdrawal of the player was paid before',
  OPERATOR_REVIEW_REQUESTED: 'the operator asked for a review',
  OWNERSHIP_UNVERIFIED: 'the holder of the PIX key could not be verified, or the request names no player IP',
  DICT_UNAVAILABLE: 'the key directory did not answer in time',
  WINDOW_DAY_AMOUNT_EXCEEDED: 'the sum of the day is above its limit',
  WINDOW_DAY_COUNT_EXCEEDED: 'there are more withdrawals today than allowed',
  WINDOW_7D_AMOUNT_EXCEEDED: 'the sum of 7 days is above its threshold',
  WINDOW_7D_COUNT_EXCEEDED: 'there are more withdrawals in 7 days than its threshold',
  WINDOW_30D_AMOUNT_EXCEEDED: 'the sum of 30 days is above its threshold',
  WINDOW_30D_COUNT_EXCEEDED: 'there are more withdrawals in 30 days than its threshold',
  VELOCITY_WITHDRAWALS: 'many withdrawals were requested in a short time',
  PIX_KEY_CHANGED: 'the player changed the PIX key, and its cooldown is not over',
  NEW_CONTEXT: 'the request with the changed key came from a new IP or device',
  DESTINATION_CHURN: 'the player used many different keys in 30 days',
  SHARED_DESTINATION: 'another player uses the same PIX key',
  SHARED_DOCUMENT: 'another player has the same document',
  IP_LISTED: 'the IP is on a list',
  DEVICE_LISTED: 'the device is on a list',
  PLAYER_LISTED: 'the player or the document is on the review list',
  DESTINATION_LISTED: 'the PIX key is on the review list',
  VIP_LIMIT_EXCEEDED: 'it is above the limits of the VIP tier',
  OPERATION_AUTO_CAP_EXCEEDED: 'the operation used up its automatic cap for the hour or the day',
  OUTSIDE_AUTO_HOURS: 'it is outside the automatic hours',
  DUAL_APPROVAL_REQUIRED: 'two people must approve',
  AML_STRUCTURING: 'several amounts lie just under the reporting threshold',
  AML_RAPID_TURNAROUND: 'similar amounts were deposited shortly before, repeatedly',
  AML_NO_PLAY_REPORTED: 'the operator reports no play although money was deposited',
  AML_SHARED_PAYER: 'a payer of this player also pays for other players',
  AML_MANY_PAYERS: 'many different people pay for this player',
  PAYER_MISMATCH: 'somebody other than the player paid',
  PAYER_UNKNOWN: 'the provider does not say who paid',
  PAYER_BLOCKED: 'the payer or the player is on the block list',
  AMOUNT_MISMATCH: 'the amount paid differs from the charge',
  PAID_AFTER_EXPIRY: 'it was paid after it expired',
  DEPOSIT_WINDOW_EXCEEDED: 'the sum or the number of deposits in a window is above its limit',
  DEPOSIT_VELOCITY_UNPAID: 'many deposits were created and not paid in a short time',
  BLOCKLIST_HIT_AT_DISPATCH: 'the player, the document or the PIX key is now on the block list',
  OPERATION_SUSPENDED: 'the operation is suspended',
  PROVIDER_PAUSED: 'the provider is paused',
  RULES_UNAVAILABLE: 'the rules engine did not answer',
  RULES_INVALID_RESPONSE: 'the rules engine gave an invalid answer',
} as const satisfies Readonly<Record<DepositReviewReason, string>> & Readonly<Record<string, string>>;

/** Every code that a rule may have: a rule without a sentence does not compile. */
export type ReasonCode = keyof typeof SENTENCES;

/** The sentence of a stored reason. An operator's own reason (`OP:…`) has none and is returned unchanged. */
export function reasonSentence(reason: string): string {
  return isReasonCode(reason) ? SENTENCES[reason] : reason;
}

function isReasonCode(reason: string): reason is ReasonCode {
  return Object.hasOwn(SENTENCES, reason);
}
