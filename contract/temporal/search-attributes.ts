// The search attributes of payments in the Temporal UI: ids, codes and amounts only, no personal data.
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
