// Whoever reaches Temporal with every right there, and nothing else: starts payments that no api ordered.
import assert from 'node:assert/strict';
import { Client, Connection } from '@temporalio/client';
import {
  DEPOSIT_WORKFLOW,
  type DepositOrder,
  type DepositWorkflowInput,
} from '../../../../contract/temporal/deposit.js';
import { TASK_QUEUES } from '../../../../contract/temporal/task-queues.js';
import { newId } from '../../../../domain/identifiers.js';
import type { Environment } from '../../environment/environment.js';
import type { Scenario } from '../../scenario.js';

export const craftedOrders: readonly Scenario[] = [
  {
    family: 'security',
    name: 'a Temporal client of full rights starts payments from an order that it read',
    holds: 'nothing is stored or charged, and there is one alert for all attempts on an operation',
    bounded: false,
    play: ({ environment }) => craft(environment),
  },
];

/** From an order of the api, as its workflow's history shows it: what it does not say. */
const CRAFTS: readonly ((order: DepositOrder) => DepositWorkflowInput)[] = [
  (order) => ({ kind: 'create', order: { ...order, amountMinor: '9900000' } }),
  (order) => ({ kind: 'create', order: { ...order, depositId: newId('deposit'), externalId: newId('event') } }),
  (order) => ({ kind: 'create', order: { ...order, playerRef: 'somebody-else' } }),
  (order) => ({ kind: 'create', order: { ...order, proof: '' } }),
  ({ operationId }) => ({ kind: 'reopen', depositId: newId('deposit'), operationId }),
];

async function craft({ operator, servers, database }: Environment): Promise<void> {
  const { id } = await operator.deposit();
  const operationId = operator.operation.operation_id;
  const deposits = async () => {
    const { rows } = await database.query<{ id: string; amount_minor: string; version: number }>(
      'SELECT id, amount_minor, version FROM deposit WHERE operation_id = $1 ORDER BY id',
      [operationId],
    );
    return rows;
  };
  const connection = await Connection.connect({ address: servers.temporal.address });
  try {
    const { workflow } = new Client({ connection });
    const order = await orderIn(workflow, id);
    const before = await deposits();
    for (const made of CRAFTS) {
      const workflowId = `crafted-${newId('event')}`;
      const start = { workflowId, taskQueue: TASK_QUEUES.payments, args: [made(order)] };
      const handle = await workflow.start(DEPOSIT_WORKFLOW, start);
      await assert.rejects(handle.result(), `${workflowId} should fail`);
    }
    assert.deepEqual(await deposits(), before);
  } finally {
    await connection.close();
  }
  const { rows } = await database.query<{ count: string }>(
    `SELECT count(*) FROM alert WHERE kind = 'UNPROVEN_ORDER' AND object_id = $1 AND resolved_at IS NULL`,
    [operationId],
  );
  assert.equal(rows[0]?.count, '1');
}

/** The order that the deposit's workflow was started with. */
async function orderIn(workflow: Client['workflow'], id: string): Promise<DepositOrder> {
  const { events } = await workflow.getHandle(id).fetchHistory();
  const [payload] = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
  const input = JSON.parse(Buffer.from(payload?.data ?? []).toString('utf8')) as DepositWorkflowInput;
  if (input.kind !== 'create') throw new Error(`${id} began without an order`);
  return input.order;
}
