// Operators on a running stack: own operations with a receiver that measures, and the steps of their payments.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGatewayClient, type GatewayClient } from '../../client/index.js';
import { allOrFirstFailure } from '../../tools/processes/all-or-first-failure.js';
import { chargeReferenceOf, payoutReferenceOf } from '../../domain/identifiers.js';
import { createSteering } from '../../providers/steering.js';
import { newDeposit, newPlayer, newWithdrawal, once, type TestPlayer } from '../harness/payments.js';
import type { Stack } from '../harness/stack.js';
import { type BenchReceiver, startBenchReceiver } from './receiver.js';

export interface Operator {
  readonly operationId: string;
  /** One client for each api process; none of them repeats a request, so that what is counted is what was asked. */
  readonly clients: readonly GatewayClient[];
}

export interface Operators {
  readonly all: readonly Operator[];
  readonly receiver: BenchReceiver;
  /** The player pays at the provider, which calls back. */
  pay(depositId: string): Promise<void>;
  /** The provider reports the payout as paid. */
  settle(withdrawalId: string): Promise<void>;
  close(): Promise<void>;
}

/** A player's first withdrawal may be automatic, too: players are new here. */
const RULES = {
  timezone: 'America/Sao_Paulo',
  currencies: { BRL: { auto_multiplier: '1', first_withdrawal_manual: false } },
};

/**
 * Makes `count` operations that call the given api processes in turn. Without webhooks they poll for the outcome of
 * payments.
 */
export async function createOperators(
  stack: Stack,
  count: number,
  baseUrls: readonly string[],
  { name = 'operator', hasWebhooks = true } = {},
): Promise<Operators> {
  const receiver = await startBenchReceiver();
  const steering = createSteering({ controlUrl: `${stack.simulatorUrl}/control` });
  if (steering === null) throw new Error('there is nothing to steer');
  const all: Operator[] = [];
  const rules = join(stack.folder, 'bench-rules.json');
  writeFileSync(rules, JSON.stringify(RULES));
  for (let number = 1; number <= count; number += 1) {
    const webhooks = hasWebhooks ? ['--webhook-url', receiver.url] : [];
    const made = await stack.gateway(
      'operation',
      'create',
      '--name',
      `${name}-${number}`,
      '--environment',
      'sandbox',
      '--provider',
      'simulator',
      ...webhooks,
      '--rules',
      rules,
    );
    const key = { keyId: String(made['key_id']), secret: String(made['secret']) };
    all.push({
      operationId: String(made['operation_id']),
      clients: baseUrls.map((baseUrl) => createGatewayClient({ baseUrl, ...key, maxAttempts: 1 })),
    });
  }
  return {
    all,
    receiver,
    pay: async (depositId) => {
      const { kind } = await steering.payCharge('simulator', chargeReferenceOf(depositId), {
        amountMinor: null,
        payerDocument: null,
      });
      if (kind !== 'done') throw new Error(`the simulator did not take the payment: ${kind}`);
    },
    settle: async (withdrawalId) => {
      const { kind } = await steering.settlePayout('simulator', payoutReferenceOf(withdrawalId), 'paid');
      if (kind !== 'done') throw new Error(`the simulator did not settle the payout: ${kind}`);
    },
    close: async () => {
      await Promise.all(all.flatMap(({ clients }) => clients.map((client) => client.close())));
      await steering.close();
      await receiver.close();
    },
  };
}

/** A deposit from its POST to the arrival of `deposit.paid`. @returns its id */
export async function lifeCycle(
  { receiver, pay }: Operators,
  client: GatewayClient,
  player: TestPlayer = newPlayer(),
): Promise<string> {
  const { id } = (await client.createDeposit(newDeposit('5000', player), once())).body;
  await receiver.arrival(id, 'deposit.pending');
  await pay(id);
  await receiver.arrival(id, 'deposit.paid');
  return id;
}

/**
 * A withdrawal of a player with a settled deposit, from its POST to the arrival of `withdrawal.paid`. @returns its id
 */
export async function withdrawalLifeCycle(
  { receiver, settle }: Operators,
  client: GatewayClient,
  player: TestPlayer,
): Promise<string> {
  const { body } = await client.createWithdrawal(newWithdrawal(player), once());
  if (body.status !== 'approved')
    throw new Error(`the withdrawal was not approved by itself: ${JSON.stringify(body.decision)}`);
  await receiver.arrival(body.id, 'withdrawal.processing');
  await settle(body.id);
  await receiver.arrival(body.id, 'withdrawal.paid');
  return body.id;
}

/**
 * Does the work for every item, `atOnce` at a time. After a failure it starts nothing more and waits for running work.
 */
export async function forEach<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  // One iterator for all: each item is taken once.
  const left = items.values();
  let hasFailed = false;
  const loop = async () => {
    for (const item of left) {
      if (hasFailed) return;
      await work(item).catch((error: unknown) => {
        hasFailed = true;
        throw error;
      });
    }
  };
  await allOrFirstFailure(Array.from({ length: atOnce }, loop));
}
