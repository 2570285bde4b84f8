// The alerts that only a payment's process can raise: about conditions that last and calls that stay unanswered. Their
// texts are a closed set, because anyone who reaches Temporal can request one.
import { alertOf, type RecordName } from '../alert-records.js';
import type { AlertKind, AlertNote } from '../alerts.js';
import type { DepositStatus } from './deposit.js';
import type { WithdrawalStatus } from './withdrawal.js';

/** `while`: the state in which the condition can hold. */
type ProcessAlert = { [Kind in AlertKind]: { readonly kind: Kind; readonly record: RecordName<Kind> } }[AlertKind] &
  (
    | { readonly of: 'deposit'; readonly while: DepositStatus }
    | { readonly of: 'withdrawal'; readonly while: WithdrawalStatus }
  );

const APPROVED = { of: 'withdrawal', while: 'approved' } as const;

export const PROCESS_ALERTS = {
  charge_unanswered: {
    of: 'deposit',
    while: 'created',
    kind: 'CHARGE_UNANSWERED',
    record: 'unanswered',
  },
  expiry_unanswered: {
    of: 'deposit',
    while: 'expired',
    kind: 'EXPIRY_UNCONFIRMED',
    record: 'unanswered',
  },
  checks_unavailable: { ...APPROVED, kind: 'DISPATCH_CHECK_UNAVAILABLE', record: 'unavailable' },
  cash_box_short: { ...APPROVED, kind: 'CASH_BOX_SHORT', record: 'short' },
  provider_paused: { ...APPROVED, kind: 'PROVIDER_PAUSED', record: 'paused' },
  operation_suspended: { ...APPROVED, kind: 'OPERATION_SUSPENDED', record: 'suspended' },
  environment_guard: { ...APPROVED, kind: 'PAYOUT_ENVIRONMENT_GUARD', record: 'guarded' },
  provider_balance_short: { ...APPROVED, kind: 'PROVIDER_BALANCE_SHORT', record: 'short' },
  nothing_sent: { ...APPROVED, kind: 'PROVIDER_UNREACHABLE', record: 'unsent' },
  payout_traceless: { ...APPROVED, kind: 'PAYOUT_OUTCOME_UNKNOWN', record: 'traceless' },
  payout_unanswered: { ...APPROVED, kind: 'PAYOUT_OUTCOME_UNKNOWN', record: 'unanswered' },
} as const satisfies Readonly<Record<string, ProcessAlert>>;
export type ProcessCondition = keyof typeof PROCESS_ALERTS;

/** Codes such as `http_500` or `ECONNREFUSED`: too short and with too few digits for a person's data. */
const CODE = /^[A-Za-z][A-Za-z_]{0,30}(?:\d{1,3})?$/;

/** The text of the condition's alert about a payment. `code` is the reason; a text that is not a code is left out. */
export function processAlert(condition: ProcessCondition, paymentId: string, code: string | null): AlertNote {
  const { kind, record } = PROCESS_ALERTS[condition];
  const why = code !== null && CODE.test(code) ? code : null;
  // Each of these records has these two places.
  const said = alertOf(kind as 'PROVIDER_PAUSED', record as 'paused', { payment: paymentId, code: why });
  return { ...said, kind, occasion: null };
}

/** Whether the requested alert names one of these conditions. */
export function isProcessCondition(text: unknown): text is ProcessCondition {
  return typeof text === 'string' && Object.hasOwn(PROCESS_ALERTS, text);
}
