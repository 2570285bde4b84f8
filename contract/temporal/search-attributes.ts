// What the Temporal UI lists of a workflow: its search attributes (ids, codes and amounts only, no personal data), and
// what each wait means.
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { formatBrl } from '../../domain/money.js';

export const SEARCH_ATTRIBUTES = {
  OperationId: defineSearchAttributeKey('OperationId', SearchAttributeType.KEYWORD),
  ExternalId: defineSearchAttributeKey('ExternalId', SearchAttributeType.KEYWORD),
  /** `deposit`, `withdrawal` or `rule_change`. */
  PaymentKind: defineSearchAttributeKey('PaymentKind', SearchAttributeType.KEYWORD),
  PaymentStatus: defineSearchAttributeKey('PaymentStatus', SearchAttributeType.KEYWORD),
  /** One of `WAITING_FOR`; `nothing` once the payment is over. */
  WaitingFor: defineSearchAttributeKey('WaitingFor', SearchAttributeType.KEYWORD),
  ReviewReasons: defineSearchAttributeKey('ReviewReasons', SearchAttributeType.KEYWORD_LIST),
  AmountMinor: defineSearchAttributeKey('AmountMinor', SearchAttributeType.INT),
  /** Amount, operation and reasons in one column. See `listSummary`. */
  Summary: defineSearchAttributeKey('Summary', SearchAttributeType.KEYWORD),
} as const;

/** The maximum length of a keyword in the index. */
const LONGEST_SUMMARY = 250;

interface ListedPayment {
  readonly amountMinor: bigint;
  readonly operationName: string;
}

/** A payment in one line: `R$ 450,00 · Acme · FIRST_WITHDRAWAL`. */
export function listSummary(payment: ListedPayment, reasons: readonly string[]): string {
  const parts = [formatBrl(payment.amountMinor), payment.operationName, reasons.join(', ')];
  return parts
    .filter((part) => part !== '')
    .join(' · ')
    .slice(0, LONGEST_SUMMARY);
}

/** What a workflow can wait for. `WAITS` explains each. */
export const WAITING_FOR = [
  'nothing',
  'provider_charge',
  'payment',
  'key_owner',
  'review',
  'return_to_payer',
  'automatic_hours',
  'cash_box',
  'provider_balance',
  'provider_paused',
  'dispatch_check',
  'payout_reply',
  'payout_result',
  'webhook_delivery',
  'rule_change_proof',
  'approval',
] as const;
export type WaitingFor = (typeof WAITING_FOR)[number];

/**
 * The meaning of each wait and what to do when it lasts; total over `WAITING_FOR`. The operating guide and `gateway
 * find` show these texts.
 */
export const WAITS: Record<WaitingFor, string> = {
  nothing: 'The payment is over, or nobody has to act.',
  provider_charge: 'The provider has not created the charge yet. The call is retried with the same reference.',
  payment: 'The player has to pay, or the deposit expires. A new deposit also shows this until a worker starts it.',
  key_owner:
    'DICT has not named the holder of the PIX key. The look-up is retried for five minutes, then people decide.',
  review: 'A person must decide: `gateway review show ID`, then `approve`, `refuse` or `return`.',
  return_to_payer: 'The provider is returning a reviewed deposit. The call is repeated until the return is done.',
  automatic_hours: 'The withdrawal is approved and waits for the automatic hours of the rule set.',
  cash_box: 'The withdrawal is approved, but the operation’s cash box is below zero. It continues when funded.',
  provider_balance:
    'The withdrawal is approved, but the account at the provider does not cover it. Nothing is sent until it does.',
  provider_paused:
    'The withdrawal is approved, and a person has paused its provider. `gateway provider resume SLOT` ends the pause.',
  dispatch_check: 'Lists, cash box and operation are checked before the send. If it lasts, an alert says why.',
  payout_reply:
    'The payout was sent, or could not be sent yet. ' +
    'It is looked up until the outcome is known. Never send it by hand.',
  payout_result:
    'The provider accepted the payout and has not finished it. ' +
    'A new withdrawal also shows this until it waits for something else.',
  webhook_delivery: 'An event is being delivered to the operator.',
  rule_change_proof:
    'The decisions of the last 30 days are evaluated under the proposed rules. ' +
    'Approvals are possible once that report is ready; a rejection is possible at any time.',
  approval:
    'Two people must approve the digest of the rule change’s report: ' +
    '`gateway rules changes show ID`, then `approve ID --digest …` or `reject ID`.',
};
