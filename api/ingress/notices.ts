// From a provider's notice to a signal: the open workflow takes it, an ended one is reopened for it.
import type { DepositStatus } from '../../domain/deposit.js';
import { depositIdOf, isId, withdrawalIdOf } from '../../domain/identifiers.js';
import type { WithdrawalStatus } from '../../domain/withdrawal.js';
import type { CallbackRequest, ProviderName, ProviderNotice } from '../../providers/port.js';
import type { DepositWorkflows } from '../../platform/temporal/deposit-workflows.js';
import type { WithdrawalWorkflows } from '../../platform/temporal/withdrawal-workflows.js';
import { keepCallback, type NamedPayment, raiseUnknownObject } from './records.js';
import type { IngressDependencies } from './server.js';

interface Passing extends IngressDependencies {
  readonly deposits: DepositWorkflows;
  readonly withdrawals: WithdrawalWorkflows;
}

/** Long enough for every reference of ours; a longer one is nobody's. */
const REFERENCE_MAX_LENGTH = 64;

/** Keeps the callback and passes its notices on, in order. False as soon as one could not be delivered: the provider then repeats them all. */
export async function keepAndPassOn(
  passing: Passing,
  provider: ProviderName,
  request: CallbackRequest,
  notices: readonly ProviderNotice[],
): Promise<boolean> {
  const ids = (kind: ProviderNotice['kind']) =>
    notices
      .filter((notice) => notice.kind === kind)
      .map(objectIdOf)
      .filter((id) => id !== null);
  const payments = await keepCallback(passing, provider, request, {
    deposits: ids('charge'),
    withdrawals: ids('payout'),
  });
  const byId = new Map(payments.map((payment) => [payment.id, payment]));
  // Also for a repeated callback: the first may have been kept and its signals lost with the process.
  for (const notice of distinct(notices)) {
    const payment = byId.get(objectIdOf(notice) ?? '');
    const isDelivered =
      payment === undefined ? await reportUnknown(passing, provider, notice) : await passOn(passing, notice, payment);
    if (!isDelivered) return false;
  }
  return true;
}

/** The payment that a notice would be about; null where its reference is none of ours. */
function objectIdOf({ kind, reference }: ProviderNotice): string | null {
  const id = kind === 'charge' ? depositIdOf(reference) : withdrawalIdOf(reference);
  return isId(kind === 'charge' ? 'deposit' : 'withdrawal', id) ? id : null;
}

async function passOn(
  { deposits, withdrawals }: Passing,
  notice: ProviderNotice,
  { operationName, ...payment }: NamedPayment,
): Promise<boolean> {
  const reply =
    notice.kind === 'charge'
      ? await deposits.notify({ ...payment, status: payment.status as DepositStatus }, operationName, notice.endToEndId)
      : await withdrawals.notify({ ...payment, status: payment.status as WithdrawalStatus }, operationName);
  return reply.kind === 'answer';
}

/** Nothing of ours waits for it: people look, and the provider need not repeat. */
async function reportUnknown(
  passing: Passing,
  provider: ProviderName,
  { kind, reference }: ProviderNotice,
): Promise<true> {
  // What is no reference at all is not repeated as it came.
  const shown = reference.slice(0, REFERENCE_MAX_LENGTH).replace(/[^A-Za-z0-9_.-]/g, '?');
  await raiseUnknownObject(passing, provider, kind, shown);
  return true;
}

/** A callback may say the same thing several times. */
function distinct(notices: readonly ProviderNotice[]): readonly ProviderNotice[] {
  return [
    ...new Map(
      notices.map((notice) => [`${notice.kind} ${notice.reference} ${notice.endToEndId ?? ''}`, notice]),
    ).values(),
  ];
}
