// Wakes payments when what they wait for has ended. They would check it themselves within a quarter of an hour.
import type { Client } from '@temporalio/client';
import { checkAgain } from '../../contract/temporal/payment.js';
import type { RequestKind } from '../../domain/approvals.js';
import { accountsOf } from '../../domain/cash-movements.js';
import type { DispatchWait } from '../../domain/rules/verdicts.js';
import { DEFAULT_DEADLINES } from '../../platform/temporal/calls.js';
import { DepositWorkflows } from '../../platform/temporal/payment-workflows.js';
import { operationById } from '../../store/operations/operations.js';
import { readPaymentToStart } from '../../store/payments/payment-ids.js';
import { waitingWithdrawals } from '../../store/payments/withdrawal/payout-sends.js';
import type { Payloads } from './effects.js';
import type { ActServices } from './workflow-updates.js';

/** Any further ones check it themselves: the approver does not wait for them. */
const MOST_WOKEN = 1_000;
const LIMIT_MS = 10_000;
const AT_A_TIME = 20;

/** A wait of withdrawals before their send, or the return of one deposit. */
export type EndedWait = DispatchWait | { readonly returnOf: string };

/** The wait of payments that the change ends; `null` if it ends none. */
export function waitEndedBy(kind: RequestKind, payload: Payloads[RequestKind]): EndedWait | null {
  switch (kind) {
    case 'cash_movement':
      return accountsOf((payload as Payloads['cash_movement']).movement).to === 'available' ? 'cash_box' : null;
    case 'resume':
    case 'automatic_resume':
      return 'operation_suspended';
    case 'provider_resume':
      return 'provider_paused';
    case 'item_return':
    case 'return_conclusion':
      return { returnOf: (payload as Payloads['item_return' | 'return_conclusion']).deposit };
    case 'key':
    case 'allowlist':
    case 'webhook':
    case 'provider':
    case 'certificate':
    case 'webhook_secret':
    case 'sealing_key':
    case 'list_removal':
    case 'player_erasure':
    case 'statement_removal':
    case 'statement_resolution':
    case 'passkey':
    case 'person':
    case 'role':
    case 'sign_in_code':
    case 'passkey_reset':
    case 'account':
    case 'person_enable':
      return null;
  }
}

/**
 * `operationId` is `null` for every operation. Called when the change is committed. The rows say which withdrawals
 * wait, because Temporal's list of workflows is behind. Never throws, because the change is made already, and its
 * payments continue on their own later.
 */
export async function wakeWaiting(
  { database, withTemporal }: Pick<ActServices, 'database' | 'withTemporal'>,
  operationId: string | null,
  wait: EndedWait,
): Promise<void> {
  try {
    if (typeof wait === 'object') {
      await lookUp({ database, withTemporal }, wait.returnOf);
      return;
    }
    const ids = await waitingWithdrawals(database, { operationId, wait, limit: MOST_WOKEN });
    if (ids.length === 0) return;
    await withTemporal((client) => client.withDeadline(Date.now() + LIMIT_MS, () => signalAll(client, ids)));
  } catch {
    // The database or Temporal does not answer: see above.
  }
}

/** A look-up of the deposit, which is reopened if it is closed: the steps of its return begin after it. */
async function lookUp(
  { database, withTemporal }: Pick<ActServices, 'database' | 'withTemporal'>,
  depositId: string,
): Promise<void> {
  const row = await readPaymentToStart(database, 'deposit', depositId);
  if (row === null) return;
  const name = (await operationById(database, row.operationId))?.name ?? row.operationId;
  await withTemporal((client) => new DepositWorkflows(client.workflow, DEFAULT_DEADLINES).refresh(row, name));
}

/** A withdrawal that has ended since, or whose workflow is missing, holds up no other. */
async function signalAll(client: Client, ids: readonly string[]): Promise<void> {
  const signal = (id: string) => client.workflow.getHandle(id).signal(checkAgain);
  for (let next = 0; next < ids.length; next += AT_A_TIME)
    await Promise.allSettled(ids.slice(next, next + AT_A_TIME).map(signal));
}
