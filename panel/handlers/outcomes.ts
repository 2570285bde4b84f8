// The outcomes of acts as the panel's errors: one total table for each kind of outcome.
import type { PanelErrorCode } from '../../contract/panel/errors.js';
import type {
  DepositActionOutcome,
  WithdrawalActionOutcome,
  WriteOffOutcome,
} from '../../contract/temporal/payment.js';
import type { LookedUp } from '../../staff/acts/look-ups.js';
import type { NotAsked } from '../../staff/acts/payments.js';
import type { UnderWay, Unreached } from '../../staff/acts/workflow-updates.js';
import { decidedOn, type PaymentRow } from '../../staff/reads/panel/payment.js';
import { type Refusal, refuse } from '../refusal.js';

/** What becomes of an act that was stored before its workflow was asked. */
export type ActOutcome =
  | DepositActionOutcome
  | WithdrawalActionOutcome
  | WriteOffOutcome
  | UnderWay
  | Unreached
  | NotAsked;

/** The code of each outcome; null: it was done, or will be. */
const CODES: Readonly<Record<ActOutcome['kind'], PanelErrorCode | null>> = {
  done: null,
  returning: null,
  requested: null,
  written_off: null,
  under_way: null,
  unreached: 'unreached',
  unknown_payment: 'not_found',
  not_permitted: 'not_permitted',
  other_state: 'other_state',
  approved_already: 'same_person',
  same_person: 'same_person',
  invalid_state: 'other_state',
  rules_unavailable: 'not_judged',
  refused_by_rules: 'refused_by_rules',
  provider_silent: 'provider_silent',
  too_early: 'too_early',
  other_evidence: 'other_evidence',
  lapsed: 'lapsed',
  subject_changed: 'stale',
  unknown_act: 'act_not_taken',
  other_subject: 'act_not_taken',
  used_act: 'act_not_taken',
  expired_act: 'act_not_taken',
  never_second: 'same_person',
  too_close: 'too_close',
};

/** Why the act was not done, with the payment as it is now; null: it was, or will be. */
export function decisionRefusal(outcome: ActOutcome, payment: PaymentRow): Refusal | null {
  const code = codeOf(outcome, payment);
  if (code === null) return null;
  const early = 'notBefore' in outcome ? { not_before: outcome.notBefore } : {};
  return refuse(code, { now: stateOf(payment), ...early });
}

function codeOf(outcome: ActOutcome, payment: PaymentRow): PanelErrorCode | null {
  if (outcome.kind === 'unreached') return unreachedCode(outcome);
  if (outcome.kind === 'invalid_state' && payment.kind === 'deposit' && payment.row.status === 'under_review')
    return isAnotherAmount(payment.row) && payment.row.returnRequest === null ? 'amount_mismatch' : 'return_under_way';
  return CODES[outcome.kind];
}

/** The paid amount differs from the charge, or a part of it went back. */
function isAnotherAmount({
  reviewReasons,
  returnedMinor,
  returnInDoubt,
}: Extract<PaymentRow, { kind: 'deposit' }>['row']): boolean {
  return reviewReasons.includes('AMOUNT_MISMATCH') || !returnedMinor.isZero() || returnInDoubt;
}

/** `no_worker`: the act is stored and may be done yet. `books_silent`: it may have been done. */
export function unreachedCode({ reason }: Unreached): PanelErrorCode {
  switch (reason) {
    case 'no_worker':
    case 'books_silent':
      return 'outcome_unknown';
    case 'already_closed':
      return 'other_state';
    case 'no_workflow':
    case 'failed':
    case 'limit_reached':
    case 'temporal_refused':
      return 'unreached';
  }
}

const LOOK_UP_CODES: Readonly<Record<Exclude<LookedUp['kind'], 'done'>, PanelErrorCode>> = {
  unknown_payment: 'not_found',
  not_permitted: 'not_permitted',
  other_state: 'other_state',
  outcome_unknown: 'outcome_unknown',
};

export function lookUpRefusal(kind: Exclude<LookedUp['kind'], 'done'>, payment: PaymentRow): Refusal {
  return refuse(LOOK_UP_CODES[kind], { now: stateOf(payment) });
}

/** The current state of the payment, and who decided what. */
export function stateOf(payment: PaymentRow) {
  const { status, version } = payment.row;
  return { status, version, decisions: decidedOn(payment) };
}
