// Asks the provider about a payment again. That is safe for any payment: only the provider's answer changes it.
import type { DepositWorkflows, WithdrawalWorkflows } from '../../platform/temporal/payment-workflows.js';
import type { Database } from '../../store/database.js';
import { operationById } from '../../store/operations/operations.js';
import { readPaymentToStart } from '../../store/payments/payment-ids.js';
import { readReviewState } from '../../store/payments/reviews.js';
import type { Actor } from '../../store/staff/acts.js';
import { mayNow } from '../../store/staff/people.js';
import { auditedFirst } from './audited-first.js';

export interface LookUpServices {
  readonly database: Database;
  readonly deposits: DepositWorkflows;
  readonly withdrawals: WithdrawalWorkflows;
}

/** `outcome_unknown`: no answer came in time; it may still be done. */
export type LookedUp =
  | { readonly kind: 'done'; readonly status: string; readonly version: number }
  | { readonly kind: 'unknown_payment' | 'not_permitted' | 'other_state' | 'outcome_unknown' };

/** Asks the provider about the payment. */
export async function lookUp(
  { database, deposits, withdrawals }: LookUpServices,
  person: Actor,
  { kind, id }: { readonly kind: 'deposit' | 'withdrawal'; readonly id: string },
): Promise<LookedUp> {
  const row = await readPaymentToStart(database, kind, id);
  if (row === null) return { kind: 'unknown_payment' };
  const { operationId } = row;
  if (!(await mayNow(database, person, 'workflow.refresh', operationId))) return { kind: 'not_permitted' };
  const name = (await operationById(database, operationId))?.name ?? operationId;
  const act = { person, action: 'payment.look_up', operationId, subject: id } as const;
  return auditedFirst<LookedUp>(database, act, ['other_state'], async () => {
    const reply = await (kind === 'deposit' ? deposits : withdrawals).refresh(row, name);
    if (reply.kind !== 'answer') return { kind: reply.kind === 'unavailable' ? 'outcome_unknown' : 'other_state' };
    // The row has what the look-up found.
    const now = (await readReviewState(database, kind, id)) ?? { status: row.status, version: 0 };
    return { kind: 'done', status: now.status, version: now.version };
  });
}
