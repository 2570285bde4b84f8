// What operations staff search payments by in the Temporal UI. Ids, codes and amounts only: no personal data.
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

export const SEARCH_ATTRIBUTES = {
  OperationId: defineSearchAttributeKey('OperationId', SearchAttributeType.KEYWORD),
  ExternalId: defineSearchAttributeKey('ExternalId', SearchAttributeType.KEYWORD),
  /** `deposit`, `withdrawal` or `rule_change`. */
  PaymentKind: defineSearchAttributeKey('PaymentKind', SearchAttributeType.KEYWORD),
  PaymentStatus: defineSearchAttributeKey('PaymentStatus', SearchAttributeType.KEYWORD),
  /** What the payment waits for, from `WAITING_FOR`; `nothing` once it is over. */
  WaitingFor: defineSearchAttributeKey('WaitingFor', SearchAttributeType.KEYWORD),
  ReviewReasons: defineSearchAttributeKey('ReviewReasons', SearchAttributeType.KEYWORD_LIST),
  AmountMinor: defineSearchAttributeKey('AmountMinor', SearchAttributeType.INT),
} as const;

/** What a payment can wait for; `docs/operating.md` says what each means and what to do. */
export const WAITING_FOR = [
  'nothing',
  'rules_decision',
  'provider_charge',
  'payment',
  'key_owner',
  'review',
  'return_to_payer',
  'automatic_hours',
  'cash_box',
  'dispatch_check',
  'payout_reply',
  'payout_result',
  'webhook_delivery',
  'rule_change_proof',
  'approval',
] as const;
export type WaitingFor = (typeof WAITING_FOR)[number];
