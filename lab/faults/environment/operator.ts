// An operator in a campaign: asks for payments as its program would, keeps a journal of everything it was answered, and
// repeats what was not decided with the same key.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SigningKey } from '../../../client/signing.js';
import type { DemoOperatorControl } from '../../../sandbox/demo-operator/control-client.js';
import { newPlayer, type TestPlayer } from '../../harness/payments.js';
import type { ProvisionedOperation } from '../../harness/gateway.js';
import { type Answer, type Call, callOnce, type Entrance, isDecision } from './requests.js';

/** One request under one Idempotency-Key, with all its answers. */
export interface JournalEntry {
  readonly key: string;
  readonly target: string;
  readonly body: string;
  readonly answers: Answer[];
}

/** A deposit or a withdrawal as the operator's answers and webhooks show it. */
export interface Payment {
  readonly id: string;
  readonly externalId: string;
  readonly player: TestPlayer;
  readonly amountMinor: string;
}

export interface Wish {
  readonly amountMinor?: string;
  readonly player?: TestPlayer;
  readonly externalId?: string;
  /** Further fields of the body. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

export interface Repetition {
  readonly api?: number;
  readonly timeoutMs?: number;
  readonly pauseMs?: number;
}

const DECISION_TIMEOUT_MS = 90_000;
const PAUSE_MS = 400;

export class Operator {
  readonly journal: JournalEntry[] = [];
  readonly signingKey: SigningKey;
  /** Calls without an answer, or with a 5xx. */
  readonly unserved: string[] = [];
  /** Of the players whose deposits were created here, by deposit. */
  readonly #payers = new Map<string, TestPlayer['document']>();
  #turn = 0;
  #entrances: readonly Entrance[];

  /**
   * @param entrances where the two api processes are reached
   * @param books the program that receives the operation's webhooks and expects each payment; null when something
   *   else does
   */
  constructor(
    readonly operation: ProvisionedOperation,
    private readonly entrances: readonly Entrance[],
    private readonly books: DemoOperatorControl | null,
  ) {
    this.signingKey = { keyId: operation.key_id, secret: operation.secret };
    this.#entrances = entrances;
  }

  /** Forgets earlier scenarios. */
  beginAnew(): void {
    this.journal.length = 0;
    this.unserved.length = 0;
    this.#entrances = this.entrances;
  }

  /** Until the next scenario its requests go this way only. */
  reachThrough(entrance: Entrance): void {
    this.#entrances = [entrance];
  }

  /** One try, at one of the apis in turn or at a given one. Its answer is in no journal. */
  async once(call: Call, api?: number): Promise<Answer | null> {
    this.#turn += 1;
    const answer = await callOnce(
      this.#entrances[(api ?? this.#turn) % this.#entrances.length] as Entrance,
      this.signingKey,
      call,
    );
    if (answer === null || answer.status >= 500)
      this.unserved.push(`${call.method} ${call.target}: ${answer?.status ?? 'no answer'}`);
    return answer;
  }

  async get(target: string): Promise<Answer> {
    for (const deadline = Date.now() + DECISION_TIMEOUT_MS; Date.now() < deadline; await sleep(PAUSE_MS)) {
      const answer = await this.once({ method: 'GET', target });
      if (isDecision(answer)) return answer;
    }
    throw new Error(`GET ${target} was not answered in ${DECISION_TIMEOUT_MS / 1_000} s`);
  }

  /** A new request, repeated under its key until it is decided. */
  post(target: string, body: unknown, key: string = randomUUID()): Promise<Answer> {
    return this.decided(this.entryFor(key, target, body === undefined ? '' : JSON.stringify(body)));
  }

  /** Repeats a request that is in the journal until it is decided, at the apis in turn or at a given one. */
  async decided(
    entry: JournalEntry,
    { api, timeoutMs = DECISION_TIMEOUT_MS, pauseMs = PAUSE_MS }: Repetition = {},
  ): Promise<Answer> {
    for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; await sleep(pauseMs)) {
      const answer = await this.postOnce(entry, api);
      if (isDecision(answer)) return answer;
    }
    throw new Error(`POST ${entry.target} was not decided in ${timeoutMs / 1_000} s`);
  }

  /** One try of a request that is in the journal. */
  async postOnce(entry: JournalEntry, api?: number): Promise<Answer | null> {
    const { target, key, body } = entry;
    const answer = await this.once(
      { method: 'POST', target, idempotencyKey: key, ...(body === '' ? {} : { body }) },
      api,
    );
    if (answer !== null) entry.answers.push(answer);
    return answer;
  }

  entryFor(key: string, target: string, body: string): JournalEntry {
    const entry: JournalEntry = { key, target, body, answers: [] };
    this.journal.push(entry);
    return entry;
  }

  /** A deposit with a charge at the provider, or in whichever state its creation ended. */
  async deposit(wish: Wish = {}): Promise<Payment> {
    const { body, payment } = await this.wanted('deposit', wish);
    return this.#created(await this.post('/v1/deposits', body), payment);
  }

  /** To the player's own CPF key. */
  async withdrawal(wish: Wish & { readonly player: TestPlayer }): Promise<Payment> {
    const { body, payment } = await this.wanted('withdrawal', wish);
    return this.#created(await this.post('/v1/withdrawals', body), payment);
  }

  /** What a request would say, written into the operator's books first, as every operator should. */
  async wanted(
    kind: 'deposit' | 'withdrawal',
    {
      amountMinor = kind === 'deposit' ? '5000' : '1000',
      player = newPlayer(),
      externalId = randomUUID(),
      fields = {},
    }: Wish,
  ) {
    const intent = {
      external_id: externalId,
      amount: { amount: amountMinor, currency: 'BRL' },
      player_ref: player.external_ref,
    };
    if (kind === 'deposit') await this.books?.expectDeposit(intent);
    else await this.#reserve(intent);
    const destination = { pix: { key_type: 'cpf', key: player.document.number } };
    const body = {
      external_id: externalId,
      // Several banks' charges need a name.
      player: { name: 'Ana Souza', ...player },
      amount: intent.amount,
      method: 'pix',
      ...(kind === 'withdrawal' ? { destination } : {}),
      ...fields,
    };
    return { body, payment: { externalId, player, amountMinor } };
  }

  /** The operator credits a paid deposit when its webhook comes, which may be after we saw it. */
  async #reserve(intent: Parameters<DemoOperatorControl['expectWithdrawal']>[0]): Promise<void> {
    for (const deadline = Date.now() + DECISION_TIMEOUT_MS; ; await sleep(PAUSE_MS)) {
      try {
        return await this.books?.expectWithdrawal(intent);
      } catch (error) {
        if (Date.now() > deadline) throw error;
      }
    }
  }

  /** A player with money: a paid deposit. */
  async fundedPlayer(amountMinor = '100000', player = newPlayer()): Promise<TestPlayer> {
    const { id } = await this.deposit({ amountMinor, player });
    await this.reaches(`/v1/deposits/${id}`, ['pending']);
    await this.pay(id);
    await this.reaches(`/v1/deposits/${id}`, ['paid']);
    return player;
  }

  /** The player pays, as the sandbox has it. */
  pay(depositId: string, body: unknown = paidBy(this.payerOf(depositId))): Promise<Answer> {
    return this.post(`/v1/sandbox/deposits/${depositId}/pay`, body);
  }

  /** The player of a deposit that was created here. If a bank's charges name no payer, the payment must name one. */
  payerOf(depositId: string): TestPlayer['document'] | undefined {
    return this.#payers.get(depositId);
  }

  /** `approve`, `pay`, `fail`, `return`: what staff and the receiving bank do. */
  steer(withdrawalId: string, action: string): Promise<Answer> {
    return this.post(`/v1/sandbox/withdrawals/${withdrawalId}/${action}`, undefined);
  }

  async status(target: string): Promise<string> {
    const answer = await this.get(target);
    return answer.status === 200 ? (JSON.parse(answer.text) as { status: string }).status : String(answer.status);
  }

  /** Waits until the payment is in one of these states. @returns which */
  async reaches(target: string, statuses: readonly string[], timeoutMs = 60_000): Promise<string> {
    let seen = '';
    for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; await sleep(250)) {
      seen = await this.status(target);
      if (statuses.includes(seen)) return seen;
    }
    throw new Error(`${target} is ${seen} and not ${statuses.join(' or ')} after ${timeoutMs / 1_000} s`);
  }

  #created(answer: Answer, payment: Omit<Payment, 'id'>): Payment {
    if (answer.status !== 201 && answer.status !== 202)
      throw new Error(`a creation was answered ${answer.status}: ${answer.text.slice(0, 300)}`);
    const { id } = JSON.parse(answer.text) as { id: string };
    this.#payers.set(id, payment.player.document);
    return { ...payment, id };
  }
}

/** The body of a payment by that person; none for a payment by the payer that the bank assumes. */
function paidBy(payer: TestPlayer['document'] | undefined): unknown {
  return payer === undefined ? undefined : { payer_document: payer };
}
