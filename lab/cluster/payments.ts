// Payments for the drills of the cluster, made as an operator makes them: signed, through the edge, with a client
// certificate.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateCpf } from '@brazilian-utils/brazilian-utils';
import { createGatewayClient, newIdempotencyKey } from '../../client/index.js';
import type { GatewayClient } from '../../client/index.js';
import { readTls } from '../../sandbox/demo-operator/sandbox-file.js';
import { Failure } from '../../tools/bootstrap/failure.mjs';
import type { Sandbox } from '../../tools/stack/sandbox.js';

const WAIT_MS = 60_000;
const POLL_MS = 250;

export class DrillPayments {
  private readonly client: GatewayClient;

  constructor({ base_url: baseUrl, operation, tls }: Sandbox) {
    this.client = createGatewayClient({
      baseUrl,
      keyId: operation.key_id,
      secret: operation.secret,
      giveUpAfterMs: WAIT_MS,
      ...readTls(tls),
    });
  }

  /** A deposit that waits for its payment. */
  async begin(player = newPlayer(), amount = '5000'): Promise<string> {
    const deposit = {
      external_id: `drill-${randomUUID()}`,
      player,
      amount: { amount, currency: 'BRL' },
      method: 'pix',
    } as const;
    const { body } = await this.client.createDeposit(deposit, once());
    await this.#until(body.id, async () => (await this.client.getDeposit(body.id)).body.status, ['pending']);
    return body.id;
  }

  /** The player pays. */
  async pay(id: string): Promise<void> {
    await this.client.sandbox.payDeposit(id, once());
    await this.#until(id, async () => (await this.client.getDeposit(id)).body.status, ['paid']);
  }

  async paidDeposit(player = newPlayer(), amount = '5000'): Promise<string> {
    const id = await this.begin(player, amount);
    await this.pay(id);
    return id;
  }

  /** By a player with enough earlier deposits. */
  async withdrawalUnderReview(): Promise<string> {
    const player = newPlayer();
    await this.paidDeposit(player, '100000');
    const destination = { pix: { key_type: 'cpf', key: player.document.number } } as const;
    const { body } = await this.client.createWithdrawal(
      {
        external_id: `drill-${randomUUID()}`,
        player,
        amount: { amount: '1000', currency: 'BRL' },
        method: 'pix',
        destination,
      },
      once(),
    );
    await this.untilWithdrawal(body.id, ['under_review']);
    return body.id;
  }

  /** A person approves; the provider has it then. */
  async approve(id: string): Promise<void> {
    await this.client.sandbox.withdrawal(id, 'approve', once());
    await this.untilWithdrawal(id, ['processing', 'paid']);
  }

  /** The provider pays out. */
  async settle(id: string): Promise<void> {
    await this.client.sandbox.withdrawal(id, 'pay', once());
    await this.untilWithdrawal(id, ['paid']);
  }

  async untilWithdrawal(id: string, statuses: readonly string[]): Promise<true> {
    return this.#until(id, async () => (await this.client.getWithdrawal(id)).body.status, statuses);
  }

  /** Throws a {@link Failure} when it reaches none of these. */
  async #until(id: string, read: () => Promise<string>, statuses: readonly string[]): Promise<true> {
    for (const deadline = Date.now() + WAIT_MS; ; await sleep(POLL_MS)) {
      const status = await read();
      if (statuses.includes(status)) return true;
      if (Date.now() > deadline) throw new Failure(`${id} is still ${status} after ${WAIT_MS / 1_000} s`);
    }
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

const once = () => ({ idempotencyKey: newIdempotencyKey() });

/** With its own document: shared ones are a reason for review. */
function newPlayer() {
  return {
    external_ref: `drill-${randomUUID()}`,
    document: { type: 'CPF', number: generateCpf(), country: 'BR' },
    ip: '203.0.113.9',
  } as const;
}
