// Every wait of an open payment for somebody outside: after how long who is alerted, what people may do, and what ends
// it; and the alerts that only a payment's process can raise. docs/operating.md has the table of waits; the alerts are
// raised from it.
import { alertOf, type RecordName, type RecordWords } from '../alert-records.js';
import type { AlertKind, AlertNote } from '../alerts.js';
import { CREATION_ANSWER_BUDGET_MS, type DepositStatus, EXPIRY_GRACE_SECONDS } from './deposit.js';
import { RETURN_CONCLUSION_RULES } from './returns.js';
import { DICT_CHECK_BUDGET_SECONDS, type WithdrawalStatus } from './withdrawal.js';
import { WRITE_OFF_RULES } from './write-off.js';

/** `while`: the state in which the condition can hold. */
type ProcessAlert = { [Kind in AlertKind]: { readonly kind: Kind; readonly record: RecordName<Kind> } }[AlertKind] &
  (
    | { readonly of: 'deposit'; readonly while: DepositStatus }
    | { readonly of: 'withdrawal'; readonly while: WithdrawalStatus }
  );

const APPROVED = { of: 'withdrawal', while: 'approved' } as const;

/**
 * The conditions that last, and the calls that stay unanswered. Their texts are a closed set, because anyone who
 * reaches Temporal can request one.
 */
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

/** A moment at which a wait becomes an alert: `after` is the text, `seconds` since the wait began. */
interface AlertedAfter {
  readonly seconds: number;
  readonly after: RecordWords['after'];
}

const HOUR = { seconds: 3_600, after: 'an hour' } as const;
const DAY = { seconds: 86_400, after: 'a day' } as const;
const TEN_DAYS = { seconds: 864_000, after: 'ten days' } as const;

/** From the request for a charge to the alert: after the 202, and five more minutes. */
export const CHARGE_ALERT_SECONDS = CREATION_ANSWER_BUDGET_MS / 1_000 + 300;
/** From a send without a known outcome to the alert. */
export const UNKNOWN_ALERT_SECONDS = 120;

/** The alerts of the conditions that keep an approved withdrawal from being sent. */
const BEFORE_THE_SEND: readonly ProcessCondition[] = [
  'checks_unavailable',
  'cash_box_short',
  'provider_paused',
  'operation_suspended',
  'environment_guard',
  'provider_balance_short',
  'nothing_sent',
];

/** The alerts that have a record of a wait that lasts. */
type LastingKind = 'CHARGE_UNANSWERED' | 'RETURN_UNFINISHED' | 'PAYOUT_OUTCOME_UNKNOWN' | 'PAYOUT_PROCESSING';

export interface OutsideWait {
  readonly of: 'deposit' | 'withdrawal';
  readonly while: DepositStatus | WithdrawalStatus;
  /** What it waits for. */
  readonly what: string;
  /** Raised by the payment's own process. */
  readonly atOnce?: { readonly conditions: readonly ProcessCondition[]; readonly after: string };
  /** Raised by the hourly check, each once for a payment, however often a person resolves it. */
  readonly checked?: { readonly kind: LastingKind; readonly stages: readonly AlertedAfter[] };
  /** An alerting rule over the metrics (ops/alerts.yml). */
  readonly rule?: string;
  readonly mayDo: string;
  readonly endedBy: string;
}

export const OUTSIDE_WAITS = {
  charge: {
    of: 'deposit',
    while: 'created',
    what: 'the provider’s answer to the request for a charge',
    atOnce: { conditions: ['charge_unanswered'], after: 'five minutes' },
    checked: {
      kind: 'CHARGE_UNANSWERED',
      stages: [DAY, TEN_DAYS],
    },
    mayDo: 'restore the provider, or its settings: no money can arrive before the charge exists',
    endedBy: 'the provider’s answer, under the same reference',
  },
  unconfirmed_expiry: {
    of: 'deposit',
    while: 'expired',
    what: 'the provider’s answer whether it was paid in time, if the last look-up before the expiry got none',
    atOnce: { conditions: ['expiry_unanswered'], after: 'the expiry' },
    mayDo: 'restore the provider; a payment in time then has an alert of its own, and its exits',
    endedBy: 'the provider’s answer, which is asked for until it comes',
  },
  payment: {
    of: 'deposit',
    while: 'pending',
    what: 'the player’s payment',
    mayDo: 'cancel it',
    endedBy: `the payment, or the expiry ${EXPIRY_GRACE_SECONDS / 60} minutes after \`expires_at\``,
  },
  deposit_review: {
    of: 'deposit',
    while: 'under_review',
    what: 'a person',
    rule: 'ReviewWaitsTooLong',
    mayDo: 'approve it, or return it',
    endedBy: 'the decision',
  },
  return: {
    of: 'deposit',
    while: 'under_review',
    what: 'the provider’s end of a return that a person requested',
    checked: { kind: 'RETURN_UNFINISHED', stages: [HOUR, DAY, TEN_DAYS] },
    mayDo:
      `conclude it: two people, ${RETURN_CONCLUSION_RULES.hoursAfterRequest} hours after its request, with the ` +
      'provider’s written statement that it is done, or was not made and never will be. Nobody withdraws it otherwise: ' +
      'the provider may still make it, and crediting the player too would pay twice',
    endedBy:
      'the provider: it is done, or refused and under review again. Or the people’s conclusion, if a last look-up ' +
      'shows neither',
  },
  key_owner: {
    of: 'withdrawal',
    while: 'requested',
    what: 'the holder of the PIX key (DICT)',
    mayDo: 'cancel it',
    endedBy: `the answer, or ${DICT_CHECK_BUDGET_SECONDS / 60} minutes: then people decide`,
  },
  withdrawal_review: {
    of: 'withdrawal',
    while: 'under_review',
    what: 'one or two people',
    rule: 'ReviewWaitsTooLong',
    mayDo: 'approve, refuse or cancel it',
    endedBy: 'the decision',
  },
  send: {
    of: 'withdrawal',
    while: 'approved',
    what: 'money, a person or the provider, before the send',
    atOnce: { conditions: BEFORE_THE_SEND, after: 'the first check that finds it' },
    rule: 'PaymentStuck',
    mayDo: 'end what the alert names, or cancel it',
    endedBy: 'the send, or the cancel. It is checked again by itself',
  },
  payout_unknown: {
    of: 'withdrawal',
    while: 'approved',
    what: 'the outcome of a send that was not answered',
    atOnce: { conditions: ['payout_traceless', 'payout_unanswered'], after: 'two minutes' },
    checked: {
      kind: 'PAYOUT_OUTCOME_UNKNOWN',
      stages: [DAY, TEN_DAYS],
    },
    mayDo:
      `write it off: two people, after ${WRITE_OFF_RULES.hoursWithoutTrace} hours of look-ups without a trace, with ` +
      'the provider’s written statement that it never accepted the payout',
    endedBy: 'a look-up that finds it, or the write-off',
  },
  processing: {
    of: 'withdrawal',
    while: 'processing',
    what: 'the provider’s result of a payout that it accepted',
    checked: {
      kind: 'PAYOUT_PROCESSING',
      stages: [HOUR, DAY, TEN_DAYS],
    },
    rule: 'PaymentOpenForDays',
    mayDo:
      `write it off: two people, ${WRITE_OFF_RULES.hoursWithoutTrace} hours after the send, with the provider’s ` +
      'written statement that it did not pay and never will',
    endedBy: 'the provider’s result, or the write-off. No person makes it `paid`',
  },
} as const satisfies Readonly<Record<string, OutsideWait>>;

type OutsideWaitName = keyof typeof OUTSIDE_WAITS;
/** The waits that the hourly check looks at. */
export type CheckedWait = {
  [Name in OutsideWaitName]: (typeof OUTSIDE_WAITS)[Name] extends { readonly checked: object } ? Name : never;
}[OutsideWaitName];

/** Who is alerted of the wait, and after how long. */
export function alertsOf({ atOnce, checked, rule }: OutsideWait): readonly string[] {
  const kinds = new Set(atOnce?.conditions.map((condition) => PROCESS_ALERTS[condition].kind));
  return [
    ...(atOnce === undefined ? [] : [`${[...kinds].map((kind) => `\`${kind}\``).join(', ')} after ${atOnce.after}`]),
    ...(checked === undefined
      ? []
      : [`\`${checked.kind}\` after ${checked.stages.map(({ after }) => after).join(', ')}`]),
    ...(rule === undefined ? [] : [`\`${rule}\` of the metrics`]),
  ];
}
