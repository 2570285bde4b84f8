// The alerts that only a payment's process can raise: about conditions that last and calls that stay unanswered. Their
// texts are a closed set, because anyone who reaches Temporal can request one.
import type { AlertKind, AlertNote } from '../alerts.js';
import type { DepositStatus } from './deposit.js';
import type { WithdrawalStatus } from './withdrawal.js';

/** `while`: the state in which the condition can hold. */
type ProcessAlert = { readonly kind: AlertKind; readonly detail: string } & (
  | { readonly of: 'deposit'; readonly while: DepositStatus }
  | { readonly of: 'withdrawal'; readonly while: WithdrawalStatus }
);

const APPROVED = { of: 'withdrawal', while: 'approved' } as const;

export const PROCESS_ALERTS = {
  charge_unanswered: {
    of: 'deposit',
    while: 'created',
    kind: 'CHARGE_UNANSWERED',
    detail: 'no conclusive answer to the charge request yet',
  },
  expiry_unanswered: {
    of: 'deposit',
    while: 'expired',
    kind: 'EXPIRY_UNCONFIRMED',
    detail: 'it expired, and the provider has not said yet whether it was paid in time',
  },
  checks_unavailable: {
    ...APPROVED,
    kind: 'DISPATCH_CHECK_UNAVAILABLE',
    detail: 'the checks before sending cannot be made',
  },
  cash_box_short: { ...APPROVED, kind: 'CASH_BOX_SHORT', detail: 'the cash box does not cover it' },
  provider_paused: { ...APPROVED, kind: 'PROVIDER_PAUSED', detail: 'a person has paused the provider' },
  operation_suspended: {
    ...APPROVED,
    kind: 'OPERATION_SUSPENDED',
    detail: 'the operation, or what it decides automatically, is suspended',
  },
  environment_guard: {
    ...APPROVED,
    kind: 'PAYOUT_ENVIRONMENT_GUARD',
    detail: 'its operation belongs to another environment',
  },
  provider_balance_short: {
    ...APPROVED,
    kind: 'PROVIDER_BALANCE_SHORT',
    detail: 'the account at the provider does not cover it',
  },
  nothing_sent: { ...APPROVED, kind: 'PROVIDER_UNREACHABLE', detail: 'nothing was sent' },
  payout_traceless: {
    ...APPROVED,
    kind: 'PAYOUT_OUTCOME_UNKNOWN',
    detail: 'the provider shows no trace of it yet',
  },
  payout_unanswered: {
    ...APPROVED,
    kind: 'PAYOUT_OUTCOME_UNKNOWN',
    detail: 'the provider does not answer look-ups',
  },
} as const satisfies Readonly<Record<string, ProcessAlert>>;
export type ProcessCondition = keyof typeof PROCESS_ALERTS;

/** Codes such as `http_500` or `ECONNREFUSED`: too short and with too few digits for a person's data. */
const CODE = /^[A-Za-z][A-Za-z_]{0,30}(?:\d{1,3})?$/;

/** The text of the condition's alert about a payment. `code` is the reason; a text that is not a code is left out. */
export function processAlert(condition: ProcessCondition, paymentId: string, code: string | null): AlertNote {
  const { kind, detail } = PROCESS_ALERTS[condition];
  const why = code !== null && CODE.test(code) ? ` (${code})` : '';
  return { kind, detail: `${paymentId}: ${detail}${why}`, occasion: null };
}

/** Whether the requested alert names one of these conditions. */
export function isProcessCondition(text: unknown): text is ProcessCondition {
  return typeof text === 'string' && Object.hasOwn(PROCESS_ALERTS, text);
}
