// What requests and life cycles cost in round trips to Postgres, counted on the wire over all processes of a stack.
import { setTimeout as sleep } from 'node:timers/promises';
import { createSteering } from '../../providers/steering.js';
import { newDeposit, newPlayer, newWithdrawal, once } from '../harness/payments.js';
import type { Stack } from '../harness/stack.js';

export interface RequestCost {
  readonly route: string;
  /** Authentication, limits and idempotency. */
  readonly overhead: number;
  /** The request's own work, in the api and in the workflow that it starts or moves. */
  readonly own: number;
}

/** What verifies a request, counts it, and keeps its Idempotency-Key. */
const OVERHEAD = /\bauthenticate_request\(|\bclaim_idempotency_key\(|\bUPDATE idempotency_key\b|"api_key"/;
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

/** One request of each kind that an operator makes, on a stack without other users. */
export async function requestCosts(stack: Stack): Promise<RequestCost[]> {
  const { client, receiver } = stack;
  const costs: RequestCost[] = [];
  const count = async <Answer>(route: string, request: () => Promise<{ body: Answer }>): Promise<Answer> => {
    let answer: Answer | undefined;
    const statements = await statementsOf(stack, async () => (answer = (await request()).body));
    const overhead = statements.filter((text) => OVERHEAD.test(text)).length;
    costs.push({ route, overhead, own: statements.length - overhead });
    return answer as Answer;
  };
  // The first use of a key reads it.
  await client.ping();
  const player = newPlayer();
  const yesterday = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10);
  await count('GET /ping', () => client.ping());
  await count('GET /currencies', () => client.currencies());
  await count('GET /rules', () => client.rules());
  await count('GET /balances', () => client.balances());
  await count('GET /reconciliation', () => client.reconciliation({ date: yesterday, currency: 'BRL' }));
  const first = await count('POST /deposits', () => client.createDeposit(newDeposit('500000', player), once()));
  await receiver.waitFor(first.id, 'deposit.pending');
  await count('GET /deposits/{id}, pending', () => client.getDeposit(first.id));
  await count('GET /deposits', () => client.listDeposits());
  await count('POST /sandbox/deposits/{id}/pay', () => client.sandbox.payDeposit(first.id, once()));
  await receiver.waitFor(first.id, 'deposit.paid');
  await count('GET /deposits/{id}, paid', () => client.getDeposit(first.id));
  const second = await count('POST /deposits, the player again', () =>
    client.createDeposit(newDeposit('5000', player), once()),
  );
  await count('POST /deposits/{id}/cancel', () => client.cancelDeposit(second.id, once()));
  await count('GET /players/{ref}/limits', () => client.playerLimits(player.external_ref, 'BRL'));
  const withdrawal = await count('POST /withdrawals', () => client.createWithdrawal(newWithdrawal(player), once()));
  await count('GET /withdrawals/{id}', () => client.getWithdrawal(withdrawal.id));
  await count('GET /withdrawals', () => client.listWithdrawals());
  await count('POST /withdrawals/{id}/cancel', () => client.cancelWithdrawal(withdrawal.id, once()));
  await count('GET /events', () => client.listEvents());
  return costs;
}

/** A deposit from its one POST over the provider's callback to its second delivery. */
export async function depositLifeCycle(stack: Stack): Promise<string[]> {
  const steering = createSteering({ controlUrl: `${stack.simulatorUrl}/control` });
  if (steering === null) throw new Error('there is nothing to steer');
  await stack.client.ping();
  try {
    return await statementsOf(stack, async () => {
      const { id } = (await stack.client.createDeposit(newDeposit(), once())).body;
      await stack.receiver.waitFor(id, 'deposit.pending');
      const { kind } = await steering.payCharge('simulator', id.slice('dep_'.length), {
        amountMinor: null,
        payerDocument: null,
      });
      if (kind !== 'done') throw new Error(`the simulator did not take the payment: ${kind}`);
      await stack.receiver.waitFor(id, 'deposit.paid');
    });
  } finally {
    await steering.close();
  }
}
