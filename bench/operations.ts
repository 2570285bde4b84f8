// Operators on a running stack: operations of their own with a receiver that measures, and the steps of their payments.
import { createGatewayClient, type GatewayClient } from '../client/index.js';
import { createSteering } from '../providers/pix-api/index.js';
import { newDeposit, newPlayer, once, type TestPlayer } from '../test/support/stack/payments.js';
import type { Stack } from '../test/support/stack/stack.js';
import { type BenchReceiver, startBenchReceiver } from './receiver.js';

export interface Operator {
  /** One client for each api process; none of them repeats a request, so that what is counted is what was asked. */
  readonly clients: readonly GatewayClient[];
}

export interface Operators {
  readonly all: readonly Operator[];
  readonly receiver: BenchReceiver;
  /** The player pays at the provider, which calls back. */
  pay(depositId: string): Promise<void>;
  close(): Promise<void>;
}

/** Makes `count` operations that ask the given api processes in turns. */
export async function createOperators(stack: Stack, count: number, baseUrls: readonly string[]): Promise<Operators> {
  const receiver = await startBenchReceiver();
  const steering = createSteering({ controlUrl: `${stack.simulatorUrl}/control` });
  if (steering === null) throw new Error('there is nothing to steer');
  const all: Operator[] = [];
  for (let number = 1; number <= count; number += 1) {
    const made = await stack.gateway('operation', 'create', '--name', `operator-${number}`, '--environment', 'sandbox', '--provider', 'simulator', '--webhook-url', receiver.url);
    const key = { keyId: String(made['key_id']), secret: String(made['secret']) };
    all.push({ clients: baseUrls.map((baseUrl) => createGatewayClient({ baseUrl, ...key, maxAttempts: 1 })) });
  }
  return {
    all,
    receiver,
    pay: async (depositId) => {
      const { kind } = await steering.payCharge('simulator', depositId.slice('dep_'.length), { amountMinor: null, payerDocument: null });
      if (kind !== 'done') throw new Error(`the simulator did not take the payment: ${kind}`);
    },
    close: async () => {
      await Promise.all(all.flatMap(({ clients }) => clients.map((client) => client.close())));
      await steering.close();
      await receiver.close();
    },
  };
}

/** A deposit from its POST to the arrival of `deposit.paid`. @returns its id */
export async function lifeCycle({ receiver, pay }: Operators, client: GatewayClient, player: TestPlayer = newPlayer()): Promise<string> {
  const { id } = (await client.createDeposit(newDeposit('5000', player), once())).body;
  await receiver.arrival(id, 'deposit.pending');
  await pay(id);
  await receiver.arrival(id, 'deposit.paid');
  return id;
}
