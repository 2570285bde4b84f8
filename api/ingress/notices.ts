// From a provider's notice to a signal: the open workflow takes it, an ended one is reopened for it.
import { depositIdOf, isId, withdrawalIdOf } from '../../domain/identifiers.js';
import type { ProviderName, ProviderNotice } from '../../providers/port.js';
import { depositSnapshot } from '../../store/deposit-rows.js';
import { withdrawalSnapshot } from '../../store/withdrawal-rows.js';
import type { DepositWorkflows } from '../payments/deposit-workflows.js';
import type { WithdrawalWorkflows } from '../payments/withdrawal-workflows.js';
import { raiseUnknownObject } from './records.js';
import type { IngressDependencies } from './server.js';

interface Passing extends IngressDependencies {
  readonly deposits: DepositWorkflows;
  readonly withdrawals: WithdrawalWorkflows;
}

/** Long enough for every reference of ours; a longer one is nobody's. */
const REFERENCE_MAX_LENGTH = 64;

/** Passes every notice on, in order. False as soon as one could not be delivered: the provider then repeats them all. */
export async function passOn(passing: Passing, provider: ProviderName, notices: readonly ProviderNotice[]): Promise<boolean> {
  for (const notice of distinct(notices)) {
    const isDelivered = notice.kind === 'charge' ? await passCharge(passing, provider, notice) : await passPayout(passing, provider, notice);
    if (!isDelivered) return false;
  }
  return true;
}

async function passCharge(passing: Passing, provider: ProviderName, notice: ProviderNotice & { kind: 'charge' }): Promise<boolean> {
  const id = depositIdOf(notice.reference);
  const row = isId('deposit', id) ? await passing.database.deposit.findUnique({ where: { id } }) : null;
  // Another provider's charge under the same reference is not this deposit's.
  if (row === null || row.provider !== provider) return reportUnknown(passing, provider, notice);
  const reply = await passing.deposits.notify(depositSnapshot(row), await operationName(passing, row.operationId), notice.endToEndId);
  return reply.kind === 'answer';
}

async function passPayout(passing: Passing, provider: ProviderName, notice: ProviderNotice & { kind: 'payout' }): Promise<boolean> {
  const id = withdrawalIdOf(notice.reference);
  const row = isId('withdrawal', id) ? await passing.database.withdrawal.findUnique({ where: { id } }) : null;
  if (row === null || row.provider !== provider) return reportUnknown(passing, provider, notice);
  const reply = await passing.withdrawals.notify(withdrawalSnapshot(row), await operationName(passing, row.operationId));
  return reply.kind === 'answer';
}

/** Nothing of ours waits for it: people look, and the provider need not repeat. */
async function reportUnknown(passing: Passing, provider: ProviderName, { kind, reference }: ProviderNotice): Promise<true> {
  // What is no reference at all is not repeated as it came.
  const shown = reference.slice(0, REFERENCE_MAX_LENGTH).replace(/[^A-Za-z0-9_.-]/g, '?');
  await raiseUnknownObject(passing, provider, kind, shown);
  return true;
}

async function operationName({ database }: Passing, operationId: string): Promise<string> {
  const operation = await database.operation.findUnique({ where: { id: operationId }, select: { name: true } });
  return operation?.name ?? operationId;
}

/** A callback may say the same thing several times. */
function distinct(notices: readonly ProviderNotice[]): readonly ProviderNotice[] {
  return [...new Map(notices.map((notice) => [`${notice.kind} ${notice.reference} ${notice.endToEndId ?? ''}`, notice])).values()];
}
