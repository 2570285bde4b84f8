// Payments for the drills of the cluster, made as an operator makes them: signed, through the edge, with a client certificate.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateCpf } from '@brazilian-utils/brazilian-utils';
import { createGatewayClient, newIdempotencyKey } from '../../client/index.js';
import type { Deposit, GatewayClient } from '../../client/index.js';
import { readTls } from '../../demo-operator/sandbox-file.js';
import { Failure } from '../bootstrap/failure.mjs';
import type { Sandbox } from '../stack/sandbox.js';

const WAIT_MS = 60_000;
const POLL_MS = 250;

export interface Flow {
  /** Ends it after the payment that is under way. @returns the deposits, all of them paid. Throws what stopped it. */
  stop(): Promise<FlowReport>;
}

export interface FlowReport {
  readonly deposits: readonly string[];
  readonly slowestMs: number;
}

export class DrillPayments {
  readonly client: GatewayClient;

  constructor({ base_url: baseUrl, operation, tls }: Sandbox) {
    this.client = createGatewayClient({ baseUrl, keyId: operation.key_id, secret: operation.secret, giveUpAfterMs: WAIT_MS, ...readTls(tls) });
  }

  /** A deposit that waits for its payment. */
  async begin(): Promise<string> {
    const external_ref = `drill-${randomUUID()}`;
    const player = { external_ref, document: { type: 'CPF', number: generateCpf(), country: 'BR' } } as const;
    const deposit = { external_id: external_ref, player, amount: { amount: '5000', currency: 'BRL' }, method: 'pix' } as const;
    const { body } = await this.client.createDeposit(deposit, { idempotencyKey: newIdempotencyKey() });
    return (await this.until(body.id, (status) => status !== 'created')).id;
  }

  /** The player pays. */
  async pay(id: string): Promise<void> {
    await this.client.sandbox.payDeposit(id, { idempotencyKey: newIdempotencyKey() });
    await this.until(id, (status) => status === 'paid');
  }

  /** Waits for a status of the deposit. Throws a {@link Failure} when it does not come. */
  async until(id: string, isReached: (status: string) => boolean): Promise<Deposit> {
    for (const deadline = Date.now() + WAIT_MS; ; await sleep(POLL_MS)) {
      const { body } = await this.client.getDeposit(id);
      if (isReached(body.status)) return body;
      if (Date.now() > deadline) throw new Failure(`deposit ${id} is still ${body.status} after ${WAIT_MS / 1_000} s`);
    }
  }

  /** One payment after another, until it is told to stop. */
  flow(): Flow {
    const deposits: string[] = [];
    let [isStopped, slowestMs] = [false, 0];
    const run = async () => {
      while (!isStopped) {
        const startedAt = performance.now();
        const id = await this.begin();
        await this.pay(id);
        deposits.push(id);
        slowestMs = Math.max(slowestMs, performance.now() - startedAt);
      }
    };
    const running = run();
    // Its failure is thrown by `stop`; until then nobody waits for it.
    running.catch(() => undefined);
    return {
      stop: async () => {
        isStopped = true;
        await running;
        return { deposits, slowestMs };
      },
    };
  }

  close(): Promise<void> {
    return this.client.close();
  }
}
