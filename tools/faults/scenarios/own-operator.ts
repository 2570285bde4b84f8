// An operation of a scenario's own, whose webhooks are simply taken: for storms that would fill the demo operator's books.
import { randomUUID } from 'node:crypto';
import type { Operator } from '../field/operator.js';
import { startMisbehavingReceiver } from '../field/receiver.js';
import type { Stage } from '../scenario.js';

/** @param more options of `gateway operation create` */
export async function withOwnOperator(
  { field }: Stage,
  task: (operator: Operator) => Promise<void>,
  ...more: string[]
): Promise<void> {
  const receiver = await startMisbehavingReceiver();
  try {
    await task(await field.newOperator(`own ${randomUUID().slice(0, 8)}`, receiver.url, ...more));
  } finally {
    await receiver.close();
  }
}
