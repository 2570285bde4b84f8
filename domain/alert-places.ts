// Where in the panel the act is that an alert asks for. Two clicks from the alert: its link, then the act.
import type { AlertKind } from './alerts.js';

/** `case`: the decision about the payment. `payment`: what is safe on its page. `suspense`: exits of money there. */
export const ALERT_PLACES = ['case', 'payment', 'suspense', 'money', 'webhooks', 'access', 'staff', 'audit'] as const;
export type AlertPlace = (typeof ALERT_PLACES)[number];

/**
 * Null: the panel has no act for it. It is done at the provider, by an administrator or with the gateway command.
 * `decide_again`: where the payment of a refused return waits now.
 */
export const PLACE_OF_ALERT: Readonly<Record<AlertKind, AlertPlace | 'decide_again' | null>> = {
  LATE_PAYMENT: 'suspense',
  PAID_IN_TIME: 'suspense',
  EXPIRY_UNCONFIRMED: 'payment',
  EXTRA_PAYMENT: 'suspense',
  RECEIPT_UNALLOCATED: null,
  RECEIPT_UNSETTLED: 'payment',
  PAYOUT_UNALLOCATED: null,
  DISPUTE_OPEN: 'money',
  DISPUTE_DUE: 'money',
  FUNDS_BLOCKED: null,
  STATEMENT_DIFFERS: 'money',
  BALANCE_DIFFERS: null,
  FEE_DIFFERS: null,
  PAYMENT_CLAIMED_TWICE: null,
  PARTIAL_REVERSAL: null,
  REVERSAL_OUTSIDE_PAID: null,
  REVERSAL_ABOVE_PAYMENT: null,
  ANSWER_UNREADABLE: null,
  CODE_OF_ANOTHER_CHARGE: null,
  PROVIDER_CLOCK_DIFFERS: null,
  PROVIDER_TOLD_TO_WAIT: null,
  CHARGE_UNANSWERED: 'payment',
  ENVIRONMENT_GUARD: null,
  RETURN_REFUSED: 'decide_again',
  RETURN_CONTRADICTION: null,
  CASH_BOX_SHORT: 'payment',
  OPERATION_SUSPENDED: 'access',
  PROVIDER_PAUSED: 'payment',
  DISPATCH_CHECK_UNAVAILABLE: null,
  PROVIDER_UNREACHABLE: null,
  PROVIDER_BALANCE_SHORT: 'payment',
  PAYOUT_ENVIRONMENT_GUARD: null,
  PAYOUT_OUTCOME_UNKNOWN: 'payment',
  PAYOUT_PROCESSING: 'payment',
  RETURN_UNFINISHED: 'payment',
  PAYOUT_CONTRADICTION: 'payment',
  PARTIAL_PAYOUT_RETURN: null,
  WEBHOOK_EXHAUSTED: 'webhooks',
  WEBHOOK_REFUSED: 'access',
  IP_NOT_ALLOWED: 'access',
  KEY_ROTATION_DUE: 'access',
  KEY_ROTATION_OVERDUE: 'access',
  WEBHOOK_SECRET_OVERDUE: 'access',
  DAY_NOT_FROZEN: null,
  WORKFLOW_REOPENED: null,
  WORKFLOW_FAILING: null,
  LEDGER_DIFFERS: null,
  ACCOUNT_OVERDRAWN: null,
  LISTING_UNREADABLE: null,
  CALLBACK_FORGED: null,
  CALLBACK_UNREADABLE: null,
  CALLBACK_UNKNOWN_OBJECT: null,
  WORKFLOW_IMPOSTOR: null,
  AUDIT_CHAIN_BROKEN: 'audit',
  DECISION_NOT_REPRODUCED: 'payment',
  ACT_NOT_SIGNED: 'access',
  UNPROVEN_ORDER: null,
  NOT_IN_THE_BOOKS: 'access',
  STEP_FORGED: null,
  BREAK_GLASS: 'staff',
  ROLE_GRANTED: 'staff',
  PASSKEY_ADDED: 'staff',
};

export interface AlertSubject {
  readonly kind: string;
  readonly objectId: string | null;
  readonly operationId: string | null;
  /** Where the deposit that it is about waits for people; null if it does not. */
  readonly waitsIn: 'review' | 'suspense' | null;
}

/** The place of this alert's act; null where there is none, or the alert names nothing that it could lead to. */
export function placeOf({ kind, objectId, operationId, waitsIn }: AlertSubject): AlertPlace | null {
  const places: Readonly<Record<string, AlertPlace | 'decide_again' | null | undefined>> = PLACE_OF_ALERT;
  const place = places[kind] ?? null;
  const ofPayment = objectId !== null && /^(dep|wdr)_/.test(objectId) ? ('payment' as const) : null;
  switch (place) {
    case 'decide_again':
      return waitsIn === 'review' ? 'case' : (waitsIn ?? ofPayment);
    case 'payment':
      return ofPayment;
    case 'suspense':
      return operationId === null ? null : place;
    case 'case':
    case 'money':
    case 'webhooks':
    case 'access':
    case 'staff':
    case 'audit':
    case null:
      return place;
  }
}
