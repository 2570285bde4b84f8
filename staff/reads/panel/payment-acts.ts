// What people did about a payment, and what its provider refused, as the payment's page shows it.
import { isProviderAuthor } from '../../../domain/people.js';
import type { PaymentAct } from '../../../store/support/payment-acts.js';

/** The parts of an entry's detail that a page shows. None is personal data of a player. */
interface ActDetail {
  readonly reason?: string;
  readonly evidence?: string;
  readonly code?: string;
  readonly requested_by?: string;
  /** Of a case: to whom it was given, and until when it waits. */
  readonly to?: string;
  readonly until?: string;
  /** Of what was revealed: which field, never its value. */
  readonly field?: string;
  /** Why it was refused. */
  readonly why?: string;
}

export function shownAct({ sequence, at, person, action, detail }: PaymentAct) {
  const { reason, evidence, code, requested_by: requestedBy, to, until, field, why } = JSON.parse(detail) as ActDetail;
  return {
    key: sequence.toString(),
    at,
    person,
    is_provider: isProviderAuthor(person),
    action,
    reason: reason ?? why ?? null,
    evidence: evidence ?? null,
    code: code ?? null,
    requested_by: requestedBy ?? null,
    given_to: to ?? null,
    until: until ?? null,
    field: field ?? null,
  };
}
