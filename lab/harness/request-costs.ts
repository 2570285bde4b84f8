// What a deposit costs in round trips to Postgres, counted on the wire over all processes of a stack.
import { setTimeout as sleep } from 'node:timers/promises';
import { createSteering } from '../../providers/steering.js';
import { newDeposit, once } from './payments.js';
import type { Stack } from './stack.js';

/** What processes do by themselves: now and then, or several times a second whatever is asked. */
const HOUSEKEEPING = new RegExp(
  [
    /\bFOR UPDATE OF waiting SKIP LOCKED\b|\bAS "isAnyDue"|\bsweep_requests\(|\bSET passed_on_at\b/,
    /"audit_seal"|"audit_entry"|\bself_check\b|\bFROM alert_notice WHERE due_at\b|\bhashtext\(id\)/,
    // Written now and then, for all requests since.
    /\bINSERT INTO (?:request_log|provider_exchange)\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
);
const QUIET_MS = 400;
const QUIET_WITHIN_MS = 30_000;

/** Runs `work` and answers the statements that it cost, up to the last that follows it. */
async function statementsOf({ statementLog }: Stack, work: () => Promise<unknown>): Promise<string[]> {
  const asked = () => statementLog.statements.filter((text) => !HOUSEKEEPING.test(text));
  await quiet(asked);
  statementLog.forget();
  await work();
  await quiet(asked);
  return asked();
}

/** Waits until nothing is asked any more. */
async function quiet(asked: () => readonly string[]): Promise<void> {
  const deadline = Date.now() + QUIET_WITHIN_MS;
  for (let [seen, now] = [-1, asked().length]; seen !== now; [seen, now] = [now, asked().length]) {
    if (Date.now() > deadline) throw new Error('the stack does not come to rest');
    await sleep(QUIET_MS);
  }
}

/** A deposit from its one POST over the provider's callback to its second delivery. */
export async function depositLifeCycle(stack: Stack): Promise<string[]> {
  const steering = createSteering({ controlUrl: `${stack.simulatorUrl}/control` });
  if (steering === null) throw new Error('there is nothing to steer');
  const life = async () => {
    const { id } = (await stack.client.createDeposit(newDeposit(), once())).body;
    await stack.receiver.waitFor(id, 'deposit.pending');
    const { kind } = await steering.payCharge('simulator', id.slice('dep_'.length), {
      amountMinor: null,
      payerDocument: null,
    });
    if (kind !== 'done') throw new Error(`the simulator did not take the payment: ${kind}`);
    await stack.receiver.waitFor(id, 'deposit.paid');
  };
  try {
    // The first one also asks what processes keep, as the difference to the database's clock.
    await life();
    return await statementsOf(stack, life);
  } finally {
    await steering.close();
  }
}
