// What several stack tests do with the slot that the simulator plays: its dialect, its control interface, its sweeps.
import assert from 'node:assert/strict';
import type { Client } from '@temporalio/client';
import {
  ACCOUNT_SWEEP_WORKFLOW,
  type AccountSweepInput,
  type AccountSweepResult,
} from '../../../contract/temporal/scheduled-work.js';
import { TASK_QUEUES } from '../../../contract/temporal/workers.js';
import type { SweptPart } from '../../../domain/receipts.js';
import type { DialectName } from '../../../providers/settings.js';
import { callbackPaceOf } from '../../../lab/harness/callback-pace.js';
import { newDeposit, newPlayer, once } from '../../../lab/harness/payments.js';
import type { Stack } from '../../../lab/harness/stack.js';

/** The settings that put a dialect behind the slot `simulator`. */
export function dialectSettings(dialect: DialectName): Record<string, string> {
  return {
    PROVIDER_SIMULATOR_DIALECT: dialect,
    SIMULATOR_CALLBACK_PACE: callbackPaceOf(dialect),
    ...(dialect === 'woovi' && {
      PROVIDER_SIMULATOR_CLIENT_ID: '',
      PROVIDER_SIMULATOR_CALLBACK_KEYS_URL: '{simulator}/simulator/api/v1/webhook/public-keys',
    }),
  };
}

/** Plays the payer or the bank. */
export async function control(stack: Stack, path: string, body: object): Promise<{ end_to_end_id: string }> {
  const answer = await fetch(`${stack.simulatorUrl}/control/simulator${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.equal(answer.status, 200, await answer.clone().text());
  return (await answer.json()) as { end_to_end_id: string };
}

/** Reads one list of the account now, as its schedule does. `resumed`: from where the database says. */
export function sweep(
  client: Client,
  part: SweptPart,
  resumed: AccountSweepInput['resumed'] = null,
): Promise<AccountSweepResult> {
  return client.workflow.execute<(input: AccountSweepInput) => Promise<AccountSweepResult>>(ACCOUNT_SWEEP_WORKFLOW, {
    workflowId: `sweep-${crypto.randomUUID()}`,
    taskQueue: TASK_QUEUES.payments,
    args: [{ provider: 'simulator', part, resumed }],
  });
}

/** Of a new player, with the name that some dialects need. Answers its id once the operator was notified. */
export async function pendingDeposit(stack: Stack, amount: string): Promise<string> {
  const player = { ...newPlayer(), name: 'Ana Souza' };
  const { id } = (await stack.client.createDeposit({ ...newDeposit(amount, player), player }, once())).body;
  await stack.receiver.waitFor(id, 'deposit.pending');
  return id;
}
