// Woovi's API: what it can do, the configuration of one account, the AppID in every request, answers read by schema,
// drift reported, and what every call needs.
import type { z } from 'zod';
import type { Capabilities } from '../dialect-entry.js';
import { BackPressure, type HttpAnswer, HttpConnections, type MayLeave, inconclusive } from '../common/http.js';
import { type NoteDrift, hasUnknownField, type KnownShape, unknown, unreadable, unusable } from '../common/answers.js';
import { isKnownError, refusalOf } from './errors.js';
import type { Unknown } from '../port.js';

/** The published OpenAPI document by its commit: its version never changes. */
export const WOOVI_CONTRACT = 'woovi bb0dddf';

/** Its charges need neither name nor address of the payer, and it reports the payer. */
export const WOOVI_CAPABILITIES: Capabilities = {
  depositRequirements: [],
  namesPayer: true,
  keyOwners: 'directory',
  sendsPayouts: true,
  reusesCallbackBodies: false,
};

export interface WooviConfig {
  /** Base address: `https://api.woovi.com`, or the sandbox's. */
  readonly url: string;
  /** The application's AppID. It is sent as it is, and never expires. */
  readonly appId: string;
  /** The account's key: a charge on another one is not ours. */
  readonly pixKey: string;
}

/** The proof of Woovi's webhooks. The ingress holds this and nothing that could call Woovi in our name. */
export interface WooviCallbackConfig {
  /** The address of the public keys. They are public: no AppID is needed. */
  readonly keysUrl: string;
  /**
   * The `authorization` that the webhook was registered with. All customers of Woovi share its signing key: this
   * distinguishes our webhooks from theirs.
   */
  readonly authorization: string;
}

export interface WooviCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below `/api/v1`. */
  readonly path: string;
  readonly body?: object;
  readonly timeoutMs: number;
  /** See `HttpRequest`. */
  readonly atMostOnce?: MayLeave;
  /** `true` for a look-up in the key directory, whose budget is its own: its `Retry-After` holds no other call. */
  readonly isOfDirectory?: boolean;
}

export class WooviClient {
  readonly #connections: HttpConnections;
  readonly backPressure: BackPressure;

  constructor(
    private readonly config: WooviConfig,
    readonly noteDrift: NoteDrift,
    private readonly traceHeaders: () => Readonly<Record<string, string>>,
    now: () => number = Date.now,
  ) {
    this.backPressure = new BackPressure(now);
    this.#connections = new HttpConnections(config.url);
  }

  /** Makes one call. Never throws for errors of the network or of Woovi. */
  async call({ method, path, body, timeoutMs, atMostOnce, isOfDirectory }: WooviCall): Promise<HttpAnswer> {
    const held = this.backPressure.hold();
    if (held !== null) return held;
    const answer = await this.#connections.send(
      {
        method,
        path: `/api/v1${path}`,
        headers: {
          ...this.traceHeaders(),
          authorization: this.config.appId,
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
        ...(atMostOnce ? { atMostOnce } : {}),
      },
      AbortSignal.timeout(timeoutMs),
    );
    if (isOfDirectory !== true) this.backPressure.note(answer);
    this.#noteUnknownError(answer);
    return answer;
  }

  /** Reads the body of a 200 or 201; null for any other, or for one that cannot be read: both decide nothing. */
  read<Output>(schema: z.ZodType<Output>, known: KnownShape, answer: HttpAnswer): Output | null {
    if (answer.kind !== 'answered' || (answer.status !== 200 && answer.status !== 201)) return null;
    const parsed = schema.safeParse(answer.body);
    if (hasUnknownField(known, answer.body)) this.noteDrift('unknown_field');
    if (parsed.success) return parsed.data;
    this.noteDrift('unreadable_answer');
    return null;
  }

  close(): Promise<void> {
    return this.#connections.close();
  }

  #noteUnknownError(answer: HttpAnswer): void {
    const refusal = refusalOf(answer);
    if (refusal !== null && !isKnownError(refusal)) this.noteDrift('unknown_error');
  }
}

export interface WooviContext {
  readonly client: WooviClient;
  readonly config: WooviConfig;
  /** The time limit of one call of the port, however many requests it takes. */
  readonly callTimeoutMs: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The part of an answer that does not fit. What only needs time is not among them. */
const FIELD_OF_PROBLEM: Readonly<Record<string, string>> = {
  unreadable_answer: 'refunds',
  duplicate_payment: 'transactions',
  payment_of_another_charge: 'transactions.charge.correlationID',
  payment_without_a_state: 'transactions.status',
  payment_without_end_to_end_id: 'transactions.endToEndId',
  duplicate_return: 'refunds',
  unknown_return_state: 'refunds.status',
  return_of_one_of_several_payments: 'refunds',
  return_without_an_id: 'transactions.endToEndId',
  return_without_a_state: 'transactions.status',
  unknown_transaction_state: 'transactions.status',
  returned_more_than_sent: 'transactions.value',
  returned_without_an_amount: 'transactions.value',
  answer_of_another_dispute: 'dispute.endToEndId',
  unknown_dispute_state: 'dispute.status',
  unknown_payout_state: 'payment.status',
  paid_without_end_to_end_id: 'transaction.endToEndId',
  denied_with_a_transaction: 'payment.status',
};

/** The outcome of an answer that contradicts itself, or has what no table has. */
export function unclear(problem: string): Unknown {
  return Object.hasOwn(FIELD_OF_PROBLEM, problem) ? unusable(problem, FIELD_OF_PROBLEM[problem]!) : unknown(problem);
}

/** Counts one budget down over several requests. */
export function left(budgetMs: number): () => number {
  const startedAtMs = performance.now();
  return () => Math.max(0, Math.floor(budgetMs - (performance.now() - startedAtMs)));
}

/** Why an answer that was not read decides nothing. */
export function reasonOf(answer: HttpAnswer): string {
  return isFine(answer) ? 'unreadable_answer' : inconclusive(answer);
}

/** The same as an outcome, with the field that could not be read. */
export function unread(schema: z.ZodType, answer: HttpAnswer): Unknown {
  const read = isFine(answer) ? schema.safeParse(answer.body) : null;
  return read?.success === false ? unreadable(read.error) : unknown(reasonOf(answer));
}

function isFine(answer: HttpAnswer): answer is Extract<HttpAnswer, { kind: 'answered' }> {
  return answer.kind === 'answered' && (answer.status === 200 || answer.status === 201);
}
