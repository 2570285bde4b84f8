// An operator in a campaign: asks for payments as its program would, keeps a journal of everything it was answered, and
// repeats what was not decided with the same key.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SigningKey } from '../../../client/signing.js';
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

const DECISION_TIMEOUT_MS = 90_000;
const PAUSE_MS = 400;

export class Operator {
  readonly journal: JournalEntry[] = [];
  readonly signingKey: SigningKey;
  /** Of the players whose deposits were created here, by deposit. */
  readonly #payers = new Map<string, TestPlayer['document']>();

  constructor(
    readonly operation: ProvisionedOperation,
    private readonly entrance: Entrance,
  ) {
    this.signingKey = { keyId: operation.key_id, secret: operation.secret };
  }

  /** One try. Its answer is in no journal. */
  once(call: Call): Promise<Answer | null> {
    return callOnce(this.entrance, this.signingKey, call);
  }

  async get(target: string): Promise<Answer> {
    for (const deadline = Date.now() + DECISION_TIMEOUT_MS; Date.now() < deadline; await sleep(PAUSE_MS)) {
      const answer = await this.once({ method: 'GET', target });
      if (isDecision(answer)) return answer;
    }
    throw new Error(`GET ${target} was not answered in ${DECISION_TIMEOUT_MS / 1_000} s`);
  }

  /** A new request, repeated under its key until it is decided. */
  async post(target: string, body: unknown, key: string = randomUUID()): Promise<Answer> {
    const entry = this.entryFor(key, target, body === undefined ? '' : JSON.stringify(body));
    for (const deadline = Date.now() + DECISION_TIMEOUT_MS; Date.now() < deadline; await sleep(PAUSE_MS)) {
      const answer = await this.postOnce(entry);
      if (isDecision(answer)) return answer;
    }
    throw new Error(`POST ${target} was not decided in ${DECISION_TIMEOUT_MS / 1_000} s`);
  }

  /** One try of a request that is in the journal. */
  async postOnce(entry: JournalEntry): Promise<Answer | null> {
    const { target, key, body } = entry;
    const answer = await this.once({ method: 'POST', target, idempotencyKey: key, ...(body === '' ? {} : { body }) });
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
    const { body, payment } = this.wanted('deposit', wish);
    return this.#created(await this.post('/v1/deposits', body), payment);
  }

  /** To the player's own CPF key. */
  async withdrawal(wish: Wish & { readonly player: TestPlayer }): Promise<Payment> {
    const { body, payment } = this.wanted('withdrawal', wish);
    return this.#created(await this.post('/v1/withdrawals', body), payment);
  }

  /** What a request would say. */
  wanted(
    kind: 'deposit' | 'withdrawal',
    {
      amountMinor = kind === 'deposit' ? '5000' : '1000',
      player = newPlayer(),
      externalId = randomUUID(),
      fields = {},
    }: Wish,
  ) {
    const destination = { pix: { key_type: 'cpf', key: player.document.number } };
    const body = {
      external_id: externalId,
      // Several banks' charges need a name.
      player: { name: 'Ana Souza', ...player },
      amount: { amount: amountMinor, currency: 'BRL' },
      method: 'pix',
      ...(kind === 'withdrawal' ? { destination } : {}),
      ...fields,
    };
    return { body, payment: { externalId, player, amountMinor } };
  }

  /** The player pays, as the sandbox has it. If a bank's charges name no payer, the payment must name one. */
  pay(depositId: string, body: unknown = { payer_document: this.#payers.get(depositId) }): Promise<Answer> {
    return this.post(`/v1/sandbox/deposits/${depositId}/pay`, body);
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
