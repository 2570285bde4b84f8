// An operation of a scenario's own, whose webhooks are simply taken: for storms that would fill the demo operator's
// books.
import { randomUUID } from 'node:crypto';
import type { Operator } from '../environment/operator.js';
import { startReceiver } from '../../harness/receiver.js';
import type { ScenarioContext } from '../scenario.js';

/** @param more options of `gateway operation create` */
export async function withOwnOperator(
  { environment }: ScenarioContext,
  task: (operator: Operator) => Promise<void>,
  ...more: string[]
): Promise<void> {
  const receiver = await startReceiver();
  try {
    await task(await environment.newOperator(`own ${randomUUID().slice(0, 8)}`, receiver.url, ...more));
  } finally {
    await receiver.close();
  }
}
