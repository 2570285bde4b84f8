// An operator of a run: asks for payments by the client that operators use, hears webhooks, reads back, and remembers
// everything that it was told.
import { createServer } from 'node:http';
import { createGatewayClient, type GatewayClient } from '../../client/index.js';
import { NoAnswerError, ProblemError } from '../../client/errors.js';
import { verifyWebhook } from '../../client/webhooks.js';
import type { Deposit, Withdrawal } from '../../client/types.js';
import { LAB_PORTS } from '../gateway.js';
import type { Chance } from '../machine/chance.js';
import { brl, short, type Story } from './story.js';

export interface Credentials {
  readonly operation_id: string;
  readonly key_id: string;
  readonly secret: string;
  readonly webhook_secret: string;
}

export type PaymentKind = 'deposit' | 'withdrawal';

/** One thing that the gateway said about a payment. */
export interface Told {
  readonly id: string;
  readonly kind: PaymentKind;
  readonly version: number;
  readonly status: string;
  readonly amount: string;
  readonly by: 'answer' | 'webhook' | 'read';
}

/** A payment that the operator asked for, however the gateway answered. */
export interface Asked {
  readonly kind: PaymentKind;
  readonly externalId: string;
  readonly amount: string;
  readonly player: string;
  id: string | null;
  /** The code of a refusal that says that there is no payment. */
  refusedAs: string | null;
}

export interface Player {
  readonly ref: string;
  readonly document: string;
}

export class Operator {
  readonly told: Told[] = [];
  readonly asked: Asked[] = [];
  /** The ids of the events that it accepted. */
  readonly accepted = new Set<string>();
  readonly client: GatewayClient;
  readonly #keys = new Map<Asked, string>();
  #asks = 0;
  /** What its receiver does with the next webhook. */
  receives: () => 'accepts' | 'fails' | 'is slow' = () => 'accepts';
  onTold: (told: Told) => void = () => undefined;
  /** What a webhook told wrongly. */
  readonly refused: string[] = [];

  constructor(
    readonly name: string,
    readonly credentials: Credentials,
    readonly players: readonly Player[],
    private readonly chance: Chance,
    private readonly story: Story,
  ) {
    this.client = createGatewayClient({
      baseUrl: `http://127.0.0.1:${LAB_PORTS.api}/v1`,
      keyId: credentials.key_id,
      secret: credentials.secret,
      maxAttempts: 3,
    });
  }

  get id(): string {
    return this.credentials.operation_id;
  }

  listen(port: number): void {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const how = this.receives();
        if (how === 'fails') return void response.writeHead(500).end();
        this.#hear(request.headers, Buffer.concat(chunks));
        if (how === 'is slow') setTimeout(() => response.writeHead(200).end(), 12_000);
        else response.writeHead(200).end();
      });
    });
    server.listen(port, '127.0.0.1');
  }

  #hear(headers: Readonly<Record<string, string | string[] | undefined>>, rawBody: Buffer): void {
    const secrets = [this.credentials.webhook_secret];
    const result = verifyWebhook({ headers, rawBody }, { secrets, nowSeconds: Math.floor(Date.now() / 1_000) });
    if (!result.ok) {
      this.refused.push(result.refusal);
      return;
    }
    const { event } = result;
    const object = event.data.object as unknown as Deposit | Withdrawal;
    this.accepted.add(event.id);
    const kind = event.type.startsWith('deposit.')
      ? 'deposit'
      : event.type.startsWith('withdrawal.')
        ? 'withdrawal'
        : null;
    if (kind !== null) this.#note(kind, object, 'webhook');
  }

  #note(kind: PaymentKind, { id, version, status, amount }: Deposit | Withdrawal, by: Told['by']): void {
    const told: Told = { id, kind, version, status, amount: amount.amount, by };
    this.told.push(told);
    if (by !== 'read')
      this.story.tell(`${this.name} hears by ${by}: ${kind} ${short(id)} is ${status} (version ${version})`);
    this.onTold(told);
  }

  /** Asks for a payment. A lost answer leaves its id unknown: the operator looks it up later. */
  async ask(
    kind: PaymentKind,
    player: Player,
    amount: string,
    more: { readonly expiresInSeconds?: number; readonly wantsReview?: boolean; readonly key?: object } = {},
  ): Promise<Asked> {
    const number = (this.#asks += 1);
    const externalId = `${this.name}-${number}`;
    const asked: Asked = { kind, externalId, amount, player: player.ref, id: null, refusedAs: null };
    this.asked.push(asked);
    this.#keys.set(asked, `key-${this.name}-${this.chance.bytes(8).toString('hex')}`);
    this.story.tell(`${this.name} asks for a ${kind} of ${brl(amount)} of ${player.ref}`);
    await this.#send(asked, player, more);
    return asked;
  }

  /** The same request once more, by the same key. */
  async repeat(asked: Asked, player: Player, more: object = {}): Promise<void> {
    const known = asked.id;
    await this.#send(asked, player, more);
    if (known !== null && asked.id !== known) this.refused.push(`a repeat of ${known} answered ${asked.id}`);
  }

  async #send(
    asked: Asked,
    { ref, document: number }: Player,
    more: { readonly expiresInSeconds?: number; readonly wantsReview?: boolean; readonly key?: object },
  ): Promise<void> {
    const { kind, externalId, amount } = asked;
    const player = { external_ref: ref, document: { type: 'CPF' as const, number, country: 'BR' }, ip: '203.0.113.9' };
    const common = { external_id: externalId, player, amount: { amount, currency: 'BRL' }, method: 'pix' as const };
    const options = { idempotencyKey: this.#keys.get(asked) as string };
    const send = () =>
      kind === 'deposit'
        ? this.client.createDeposit({ ...common, expires_in_seconds: more.expiresInSeconds ?? 1_800 }, options)
        : this.client.createWithdrawal(
            {
              ...common,
              destination: { pix: more.key ?? { key_type: 'cpf', key: number } },
              ...(more.wantsReview === true ? { review_requested: true } : {}),
            } as never,
            options,
          );
    await this.#answered(asked, send);
  }

  async #answered(asked: Asked, send: () => Promise<{ readonly body: unknown }>): Promise<void> {
    try {
      const { body } = await send();
      const object = body as Deposit | Withdrawal;
      asked.id = object.id;
      this.#note(asked.kind, object, 'answer');
    } catch (error) {
      if (error instanceof ProblemError) {
        this.story.tell(`${this.name} is refused ${asked.externalId}: ${error.code}`);
        if (error.verdict === 'payment_decided') asked.refusedAs = error.code;
      } else if (error instanceof NoAnswerError) this.story.tell(`${this.name} gets no answer to ${asked.externalId}`);
      else throw error;
    }
  }

  /** Reads the payment back, or finds it by its own id. */
  async read(asked: Asked): Promise<Told | null> {
    try {
      if (asked.id === null) {
        const list = asked.kind === 'deposit' ? this.client.listDeposits : this.client.listWithdrawals;
        const { body } = await list({ external_id: asked.externalId });
        const [found] = body.data;
        if (found === undefined) return null;
        asked.id = found.id;
      }
      const { body } = await (asked.kind === 'deposit'
        ? this.client.getDeposit(asked.id)
        : this.client.getWithdrawal(asked.id));
      this.#note(asked.kind, body, 'read');
      return this.told.at(-1) ?? null;
    } catch (error) {
      if (error instanceof ProblemError || error instanceof NoAnswerError) return null;
      throw error;
    }
  }

  async cancel(asked: Asked): Promise<void> {
    const { id, kind } = asked;
    if (id === null) return;
    const options = { idempotencyKey: `cancel-${this.chance.bytes(12).toString('hex')}` };
    this.story.tell(`${this.name} cancels ${kind} ${short(id)}`);
    try {
      const { body } = await (kind === 'deposit'
        ? this.client.cancelDeposit(id, options)
        : this.client.cancelWithdrawal(id, options));
      this.#note(kind, body, 'answer');
    } catch (error) {
      if (!(error instanceof ProblemError || error instanceof NoAnswerError)) throw error;
    }
  }
}
