// Wakes withdrawals when what they wait for has ended. They would check it themselves within a quarter of an hour.
import type { Client } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../../contract/temporal/search-attributes.js';
import type { WaitingFor } from '../../contract/temporal/waits.js';
import { checkAgain, WITHDRAWAL_WORKFLOW } from '../../contract/temporal/withdrawal.js';
import type { RequestKind } from '../../domain/approvals.js';
import { accountsOf } from '../../domain/cash-movements.js';
import type { Payloads } from './effects.js';
import type { ActServices } from './workflow-updates.js';

/** Any further ones check it themselves: the approver does not wait for them. */
const MOST_WOKEN = 1_000;
const LIMIT_MS = 10_000;

/** The wait of withdrawals that the change ends; `null` if it ends none. */
export function waitEndedBy(kind: RequestKind, payload: Payloads[RequestKind]): WaitingFor | null {
  switch (kind) {
    case 'cash_movement':
      return accountsOf((payload as Payloads['cash_movement']).movement).to === 'available' ? 'cash_box' : null;
    case 'resume':
    case 'automatic_resume':
      return 'dispatch_check';
    case 'provider_resume':
      return 'provider_paused';
    case 'key':
    case 'allowlist':
    case 'webhook':
    case 'provider':
    case 'certificate':
    case 'webhook_secret':
    case 'sealing_key':
    case 'list_removal':
    case 'player_erasure':
      return null;
  }
}

/**
 * `operationId` is `null` for every operation. Never throws, because the change is made already, and its payments
 * continue on their own later.
 */
export async function wakeWaiting(
  withTemporal: ActServices['withTemporal'],
  operationId: string | null,
  wait: WaitingFor,
): Promise<void> {
  try {
    await withTemporal((client) =>
      client.withDeadline(Date.now() + LIMIT_MS, () => signalAll(client, operationId, wait)),
    );
  } catch {
    // Temporal does not answer: see above.
  }
}

async function signalAll(client: Client, operationId: string | null, wait: WaitingFor): Promise<void> {
  const { OperationId, WaitingFor: waitingFor } = SEARCH_ATTRIBUTES;
  const query =
    `WorkflowType = "${WITHDRAWAL_WORKFLOW}" AND ExecutionStatus = "Running" ` +
    `AND ${waitingFor.name} = "${wait}"` +
    (operationId === null ? '' : ` AND ${OperationId.name} = "${operationId}"`);
  let woken = 0;
  for await (const { workflowId } of client.workflow.list({ query })) {
    await client.workflow.getHandle(workflowId).signal(checkAgain);
    woken += 1;
    if (woken === MOST_WOKEN) return;
  }
}
