// Acts that are safe for any payment: look it up at the provider again, or cancel what has not left, as its operator
// could. Neither makes a payment paid: only the provider's answer does.
import type { DepositActionOutcome } from '../../contract/temporal/deposit.js';
import type { WithdrawalActionOutcome } from '../../contract/temporal/withdrawal.js';
import type { StaffActKind } from '../../domain/staff.js';
import { askAsStored, type Reply } from '../../platform/temporal/calls.js';
import type { DepositWorkflows } from '../../platform/temporal/deposit-workflows.js';
import type { WithdrawalWorkflows } from '../../platform/temporal/withdrawal-workflows.js';
import type { HumanAct } from '../../store/audit/audit.js';
import type { Database } from '../../store/database.js';
import { operationById } from '../../store/operations/operations.js';
import { readPaymentToStart } from '../../store/payments/open-objects.js';
import type { Actor } from '../../store/staff/acts.js';
import { mayNow } from '../../store/staff/people.js';
import { auditedFirst } from './audited-first.js';

export interface SafeActServices {
  readonly database: Database;
  readonly deposits: DepositWorkflows;
  readonly withdrawals: WithdrawalWorkflows;
}

export interface NamedPayment {
  readonly kind: 'deposit' | 'withdrawal';
  readonly id: string;
}

/** `outcome_unknown`: no answer came in time; it may still be done. */
export type SafelyActed =
  | { readonly kind: 'done'; readonly status: string; readonly version: number }
  | { readonly kind: 'unknown_payment' | 'not_permitted' | 'other_state' | 'stale' | 'outcome_unknown' };

/** Asks the provider about the payment. */
export async function lookUp(services: SafeActServices, actor: Actor, payment: NamedPayment): Promise<SafelyActed> {
  const { database, deposits, withdrawals } = services;
  const row = await permittedPayment(database, actor, payment, 'workflow.refresh');
  if ('kind' in row) return row;
  const operation = await operationById(database, row.operationId);
  const name = operation?.name ?? row.operationId;
  return auditedFirst(database, actOn(row, actor, 'payment.look_up', {}), REFUSALS, async () => {
    const reply =
      payment.kind === 'deposit'
        ? await deposits.refresh(row as Parameters<DepositWorkflows['refresh']>[0], name, null)
        : await withdrawals.refresh(row as Parameters<WithdrawalWorkflows['refresh']>[0], name);
    if (reply.kind !== 'answer') return { kind: reply.kind === 'unavailable' ? 'outcome_unknown' : 'other_state' };
    return { kind: 'done', status: reply.value.status, version: reply.value.version };
  });
}

/** Cancels a payment that has not left: a pending deposit, or a withdrawal before its send. */
export async function cancel(
  services: SafeActServices,
  actor: Actor,
  payment: NamedPayment & { readonly reason: string; readonly seenVersion: number },
): Promise<SafelyActed> {
  const { database, deposits, withdrawals } = services;
  const row = await permittedPayment(database, actor, payment, 'payment.cancel');
  if ('kind' in row) return row;
  if (row.version !== payment.seenVersion) return { kind: 'stale' };
  const isCancellable = async () =>
    payment.kind === 'deposit' && (await readPaymentToStart(database, 'deposit', row.id))?.status === 'pending';
  const { reason, seenVersion: version } = payment;
  return auditedFirst(database, actOn(row, actor, 'payment.cancel', { reason, version }), REFUSALS, async () =>
    cancelled(
      await askAsStored<DepositActionOutcome | WithdrawalActionOutcome>(
        () => (payment.kind === 'deposit' ? deposits.cancel(row.id) : withdrawals.cancel(row.id)),
        isCancellable,
      ),
    ),
  );
}

const REFUSALS = ['other_state'] as const satisfies readonly SafelyActed['kind'][];

function cancelled(reply: Reply<DepositActionOutcome | WithdrawalActionOutcome>): SafelyActed {
  switch (reply.kind) {
    case 'unavailable':
      return { kind: 'outcome_unknown' };
    case 'closed':
    case 'not_possible':
      return { kind: 'other_state' };
    case 'answer': {
      if (reply.value.kind !== 'done') return { kind: 'other_state' };
      const { status, version } = 'deposit' in reply.value ? reply.value.deposit : reply.value.withdrawal;
      return { kind: 'done', status, version };
    }
  }
}

async function permittedPayment(database: Database, actor: Actor, { kind, id }: NamedPayment, act: StaffActKind) {
  const row = await readPaymentToStart(database, kind, id);
  if (row === null) return { kind: 'unknown_payment' } as const;
  return (await mayNow(database, actor, act, row.operationId)) ? row : ({ kind: 'not_permitted' } as const);
}

function actOn(
  { id: subject, operationId }: { readonly id: string; readonly operationId: string },
  person: Actor,
  action: 'payment.look_up' | 'payment.cancel',
  detail: NonNullable<HumanAct['detail']>,
): HumanAct {
  return { person, action, operationId, subject, detail };
}
