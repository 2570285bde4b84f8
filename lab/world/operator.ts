// An operator of a run: asks for payments by the client that operators use, hears webhooks, reads back, and remembers
// everything that it was told.
import { createServer, type Server } from 'node:http';
import { type ClientTls, createGatewayClient, type GatewayClient, type ListFilter } from '../../client/index.js';
import { NoAnswerError, ProblemError } from '../../client/errors.js';
import { readReconciliationDay, verifyReconciliationSignature } from '../../client/reconciliation.js';
import type { Deposit, Page, ReconciliationItem, ReconciliationTotals, Withdrawal } from '../../client/types.js';
import { verifyWebhook } from '../../client/webhooks.js';
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
export interface ToldState {
  readonly id: string;
  readonly kind: PaymentKind;
  readonly version: number;
  readonly status: string;
  readonly amount: string;
  /** Of a deposit: what was received. */
  readonly paidAmount: string | null;
  readonly externalId: string;
  readonly player: string;
  readonly by: 'answer' | 'webhook' | 'read';
}

/** What its receiver does with a webhook. */
export type Reception = 'accepts' | 'fails' | 'is slow' | 'is gone' | 'redirects' | 'refuses';
const ANSWERS = { accepts: 200, 'is slow': 200, fails: 500, 'is gone': 410, redirects: 308, refuses: 401 } as const;

/** What it read of a closed day. */
export interface DayRead {
  readonly date: string;
  readonly items: readonly ReconciliationItem[];
  readonly totals: ReconciliationTotals;
  readonly digest: string;
  readonly isSigned: boolean;
}

/** What it read of its money. */
export interface BalanceRead {
  readonly available: string;
  readonly pendingIn: string;
  readonly pendingOut: string;
}

/** A payment that the operator asked for, however the gateway answered. */
export interface OperatorRequest {
  readonly kind: PaymentKind;
  readonly externalId: string;
  readonly amount: string;
  readonly player: string;
  readonly askedAtMs: number;
  /** Of a deposit: how long its player may take. */
  readonly expiresInSeconds?: number | null;
  /** Of a withdrawal: whether people must see it. */
  readonly wantsReview?: boolean;
  id: string | null;
  /** The code of a refusal that says that there is no payment. */
  refusedAs: string | null;
}

export interface Player {
  readonly ref: string;
  readonly document: string;
}

type More = { readonly expiresInSeconds?: number; readonly wantsReview?: boolean; readonly key?: object };

/** Where operators reach the api. */
export interface ApiPlace {
  readonly baseUrl: string;
  readonly tls?: ClientTls;
}
const LAB_PLACE: ApiPlace = { baseUrl: `http://127.0.0.1:${LAB_PORTS.api}/v1` };

type FollowedPage = Page<Deposit | Withdrawal>;

export class Operator {
  readonly told: ToldState[] = [];
  readonly asked: OperatorRequest[] = [];
  /** The ids of the events that it accepted. */
  readonly accepted = new Set<string>();
  client: GatewayClient;
  /** Both of a rotation. */
  readonly webhookSecrets: string[];
  /** The accounts at providers that it has had, the present one last. */
  readonly slots: string[];
  readonly #keys = new Map<OperatorRequest, string>();
  #asks = 0;
  #server: Server | null = null;
  /** What its receiver does with the next webhook. */
  receives: () => Reception = () => 'accepts';
  onTold: (told: ToldState) => void = () => undefined;
  /** What it was told wrongly. */
  readonly refused: string[] = [];
  /** Requests that got no answer, or one without a decision, at the last try. */
  readonly unanswered: { readonly externalId: string; readonly atMs: number; readonly what: string }[] = [];
  /** Its own copy of its payments, by polling what changed. */
  readonly followed: Record<
    PaymentKind,
    { since: string | null; times: number; readonly states: Map<string, string> }
  > = {
    deposit: { since: null, times: 0, states: new Map() },
    withdrawal: { since: null, times: 0, states: new Map() },
  };
  /** When its receiver was called with each event. */
  readonly attempts = new Map<string, number[]>();
  /** Codes of refusals that its mistakes met. */
  readonly mistakes = new Set<string>();

  constructor(
    readonly name: string,
    readonly credentials: Credentials,
    readonly players: readonly Player[],
    private readonly chance: Chance,
    private readonly story: Story,
    slot: string,
    private readonly place: ApiPlace = LAB_PLACE,
  ) {
    this.slots = [slot];
    this.webhookSecrets = [credentials.webhook_secret];
    this.client = clientOf(credentials, place);
  }

  /** From now on it signs with another key. */
  useKey(key: Pick<Credentials, 'key_id' | 'secret'>): void {
    this.client = clientOf(key, this.place);
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
        const event = String(request.headers['svc-event-id'] ?? '');
        this.attempts.set(event, [...(this.attempts.get(event) ?? []), Date.now()]);
        const answer = () =>
          response.writeHead(ANSWERS[how], how === 'redirects' ? { location: '/elsewhere' } : {}).end();
        if (how === 'accepts' || how === 'is slow') this.#hear(request.headers, Buffer.concat(chunks));
        if (how === 'is slow') setTimeout(answer, 12_000);
        else answer();
      });
    });
    this.#server = server.listen(port, '127.0.0.1');
  }

  /** It is not there any more. */
  async close(): Promise<void> {
    this.#server?.closeAllConnections();
    this.#server?.close();
    await this.client.close();
  }

  #hear(headers: Readonly<Record<string, string | string[] | undefined>>, rawBody: Buffer): void {
    const secrets = this.webhookSecrets;
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

  #note(kind: PaymentKind, object: Deposit | Withdrawal, by: ToldState['by']): void {
    const { id, version, status, amount, external_id: externalId, player_ref: player } = object;
    const paidAmount = 'paid_amount' in object ? (object.paid_amount?.amount ?? null) : null;
    const told: ToldState = { id, kind, version, status, amount: amount.amount, paidAmount, externalId, player, by };
    this.told.push(told);
    if (by !== 'read')
      this.story.tell(`${this.name} hears by ${by}: ${kind} ${short(id)} is ${status} (version ${version})`);
    this.onTold(told);
  }

  /** Asks for a payment. A lost answer leaves its id unknown: the operator looks it up later. */
  async ask(kind: PaymentKind, player: Player, amount: string, more: More = {}): Promise<OperatorRequest> {
    const number = (this.#asks += 1);
    const externalId = `${this.name}-${number}`;
    const expiresInSeconds = kind === 'deposit' ? (more.expiresInSeconds ?? 1_800) : null;
    const wantsReview = more.wantsReview === true;
    const begins = { askedAtMs: Date.now(), expiresInSeconds, wantsReview, id: null, refusedAs: null };
    const asked: OperatorRequest = { kind, externalId, amount, player: player.ref, ...begins };
    this.asked.push(asked);
    this.#keys.set(asked, `key-${this.name}-${this.chance.bytes(8).toString('hex')}`);
    this.story.tell(`${this.name} asks for a ${kind} of ${brl(amount)} of ${player.ref}`);
    await this.#send(asked, player, more);
    return asked;
  }

  /** The same request once more, by the same key. */
  async repeat(asked: OperatorRequest, player: Player, more: object = {}): Promise<void> {
    const known = asked.id;
    await this.#send(asked, player, more);
    if (known !== null && asked.id !== known) this.refused.push(`a repeat of ${known} answered ${asked.id}`);
  }

  /** Its key with another amount: a mistake that must do nothing. */
  async reuseKey(asked: OperatorRequest, player: Player): Promise<void> {
    const other = { ...asked, externalId: `${asked.externalId}-other`, amount: String(BigInt(asked.amount) + 1n) };
    this.story.tell(`${this.name} uses the key of ${asked.externalId} for another request`);
    await this.#mustBeRefused(other, player, this.#keys.get(asked) as string, 'idempotency_key_reused');
  }

  /** Its own id for another payment, by a new key. */
  async reuseId(asked: OperatorRequest, player: Player): Promise<void> {
    const other = { ...asked, amount: String(BigInt(asked.amount) + 1n) };
    this.story.tell(`${this.name} uses ${asked.externalId} for another payment`);
    await this.#mustBeRefused(other, player, `key-${this.chance.bytes(12).toString('hex')}`, 'duplicate_external_id');
  }

  async #mustBeRefused(other: OperatorRequest, player: Player, key: string, expected: string): Promise<void> {
    try {
      const { body } = await this.#post(other, player, {}, key);
      this.refused.push(`${other.externalId}: ${(body as Deposit | Withdrawal).id} instead of ${expected}`);
    } catch (error) {
      if (!(error instanceof ProblemError || error instanceof NoAnswerError)) throw error;
      if (error instanceof ProblemError && error.code === expected) this.mistakes.add(expected);
    }
  }

  #post(
    { kind, externalId, amount }: OperatorRequest,
    { ref, document: number }: Player,
    more: More,
    idempotencyKey: string,
  ) {
    const player = {
      external_ref: ref,
      document: { type: 'CPF' as const, number, country: 'BR' },
      name: 'Fulano de Tal',
      email: `${ref}@player.test`,
      ip: '203.0.113.9',
    };
    const common = { external_id: externalId, player, amount: { amount, currency: 'BRL' }, method: 'pix' as const };
    const options = { idempotencyKey };
    if (kind === 'deposit')
      return this.client.createDeposit({ ...common, expires_in_seconds: more.expiresInSeconds ?? 1_800 }, options);
    const destination = { pix: more.key ?? { key_type: 'cpf', key: number } };
    const review = more.wantsReview === true ? { review_requested: true } : {};
    return this.client.createWithdrawal({ ...common, destination, ...review } as never, options);
  }

  async #send(asked: OperatorRequest, player: Player, more: More): Promise<void> {
    await this.#answered(asked, () => this.#post(asked, player, more, this.#keys.get(asked) as string));
  }

  async #answered(asked: OperatorRequest, send: () => Promise<{ readonly body: unknown }>): Promise<void> {
    const beganMs = Date.now();
    const note = (what: string) => void this.unanswered.push({ externalId: asked.externalId, atMs: beganMs, what });
    try {
      const { body } = await send();
      const object = body as Deposit | Withdrawal;
      asked.id = object.id;
      this.#note(asked.kind, object, 'answer');
    } catch (error) {
      if (error instanceof ProblemError) {
        this.story.tell(`${this.name} is refused ${asked.externalId}: ${error.code}`);
        if (error.verdict === 'payment_decided') asked.refusedAs = error.code;
        if (error.status >= 500) note(error.code);
      } else if (error instanceof NoAnswerError) {
        this.story.tell(`${this.name} gets no answer to ${asked.externalId}`);
        note('no answer');
      } else throw error;
    }
  }

  /** Reads the payment back, or finds it by its own id. */
  async read(asked: OperatorRequest): Promise<ToldState | null> {
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

  /** Reads what changed since the last time, in pages, as its own copy of the payments. */
  async follow(pageSize = 20): Promise<void> {
    for (const kind of ['deposit', 'withdrawal'] as const) {
      const followed = this.followed[kind];
      let cursor: string | null = null as string | null;
      let until: string | null = null;
      const read: (Deposit | Withdrawal)[] = [];
      do {
        const since = followed.since === null ? {} : { updated_since: followed.since };
        const filter: ListFilter = { ...since, ...(cursor === null ? {} : { cursor }), limit: pageSize };
        const body: FollowedPage | null = await this.#read<FollowedPage>(() =>
          kind === 'deposit' ? this.client.listDeposits(filter) : this.client.listWithdrawals(filter),
        );
        // It begins again the next time.
        if (body === null) return;
        until ??= body.data.reduce<string | null>(
          (most, { updated_at: at }) => (most === null || at > most ? at : most),
          followed.since,
        );
        read.push(...body.data);
        cursor = body.next_cursor;
      } while (cursor !== null);
      for (const object of read) followed.states.set(object.id, `${object.status} ${object.version}`);
      followed.since = until;
      followed.times += 1;
    }
  }

  /** `null`: no answer. */
  async balance(): Promise<BalanceRead | null> {
    const body = await this.#read(() => this.client.balances());
    const found = body?.data.find(({ available }) => available.currency === 'BRL');
    if (found === undefined) return null;
    const { available, pending_in, pending_out } = found;
    return { available: available.amount, pendingIn: pending_in.amount, pendingOut: pending_out.amount };
  }

  /** `null`: no answer, or the day is open. */
  async day(date: string): Promise<DayRead | null> {
    try {
      const day = await readReconciliationDay(this.client, { date, currency: 'BRL' });
      const { items, totals, digest } = day;
      return { date, items, totals, digest, isSigned: verifyReconciliationSignature(day, this.webhookSecrets) };
    } catch (error) {
      if (error instanceof ProblemError || error instanceof NoAnswerError) return null;
      throw error;
    }
  }

  /** `null`: no answer, or nobody knows the player. */
  async limits(player: string) {
    return this.#read(() => this.client.playerLimits(player, 'BRL'));
  }

  /** The id of an event that it can be sent again; `null`: there is none yet. */
  async someEvent(): Promise<string | null> {
    const body = await this.#read(() => this.client.listEvents({ limit: 20 }));
    return body === null || body.data.length === 0 ? null : this.chance.of(body.data).id;
  }

  async #read<Body>(ask: () => Promise<{ readonly body: Body }>): Promise<Body | null> {
    try {
      return (await ask()).body;
    } catch (error) {
      if (error instanceof ProblemError || error instanceof NoAnswerError) return null;
      throw error;
    }
  }

  async cancel(asked: OperatorRequest): Promise<void> {
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

function clientOf({ key_id: keyId, secret }: Pick<Credentials, 'key_id' | 'secret'>, place: ApiPlace): GatewayClient {
  return createGatewayClient({ ...place, keyId, secret, maxAttempts: 3 });
}
