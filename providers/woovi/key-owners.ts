// Look-ups of a key's holder at Woovi (`GET /pix-keys/{key}/check`): a feature that Woovi grants on request. A CPF
// comes masked; its holder's match is never more than weak.
import type { TaxDocument } from '../../domain/documents.js';
import { retryAfterSeconds, inconclusive, type HttpAnswer } from '../common/http.js';
import {
  type DirectoryAnswer,
  judgeHolder,
  type KeyOwnerRequest,
  KeyQuestions,
  unavailable,
  KeyBudget,
} from '../common/key-questions.js';
import type { KeyOwnerLookup } from '../port.js';
import { type WooviClient, left } from './client.js';
import { isNoSuchKey, keyProblemIn } from './errors.js';
import { KNOWN, keyAnswer, tokensAnswer } from './wire.js';

/** How long the last report of the account's tokens counts. Its answers do not carry it: it must be requested. */
const TOKENS_KNOWN_MS = 30_000;

export class KeyOwners {
  readonly #budget: KeyBudget;
  readonly #questions: KeyQuestions;
  #askedTokensAtMs = -Infinity;
  #asking: Promise<void> | null = null;

  constructor(
    private readonly client: WooviClient,
    private readonly timeoutMs: number,
    private readonly now: () => number,
  ) {
    this.#budget = new KeyBudget(now);
    this.#questions = new KeyQuestions(this.#budget, now, {
      ask: (key, expected) => this.#ask(key, expected),
      prepare: () => this.#learnTokens(),
    });
  }

  lookUp(request: KeyOwnerRequest): Promise<KeyOwnerLookup> {
    return this.#questions.lookUp(request);
  }

  async #ask(key: KeyOwnerRequest['key'], expected: TaxDocument): Promise<DirectoryAnswer> {
    const path = `/pix-keys/${encodeURIComponent(key.value)}/check`;
    const answer = await this.client.call({ method: 'GET', path, timeoutMs: this.timeoutMs, isOfDirectory: true });
    if (isNoSuchKey(answer)) {
      // It was dear: the next question asks first what is left.
      this.#askedTokensAtMs = -Infinity;
      return { kind: 'no_such_key' };
    }
    const wire = this.client.read(keyAnswer, KNOWN.key, answer);
    if (wire !== null) return judgeHolder(wire.owner.taxID, expected, wire.pixKeyEndToEndId ?? null);
    return this.#notAnswered(answer);
  }

  #notAnswered(answer: HttpAnswer): DirectoryAnswer {
    if (answer.kind !== 'answered') return unavailable(answer.reason);
    if (answer.status === 200) return unavailable('unreadable_answer');
    const seconds = retryAfterSeconds(answer, this.now());
    if (answer.status === 429)
      this.#budget.note({ tokens: null, resetSeconds: null, refused: { retryAfterSeconds: seconds } });
    return unavailable(keyProblemIn(answer.body) ?? inconclusive(answer), seconds);
  }

  /** Asks what is left of the account's budget, if that is not known. One request at a time, for all who wait. */
  #learnTokens(): Promise<void> {
    if (this.now() - this.#askedTokensAtMs < TOKENS_KNOWN_MS) return Promise.resolve();
    this.#asking ??= this.#askTokens().finally(() => (this.#asking = null));
    return this.#asking;
  }

  async #askTokens(): Promise<void> {
    const remaining = left(this.timeoutMs);
    const path = '/pix-keys/tokens';
    const answer = await this.client.call({ method: 'GET', path, timeoutMs: remaining(), isOfDirectory: true });
    // Without an answer the budget assumes a small one, and the next question asks again only after a while.
    this.#askedTokensAtMs = this.now();
    const wire = this.client.read(tokensAnswer, KNOWN.tokens, answer);
    if (wire === null) return;
    const untilRefreshMs = wire.nextRefresh ? Date.parse(wire.nextRefresh) - this.now() : null;
    const resetSeconds = untilRefreshMs === null ? null : Math.max(1, Math.ceil(untilRefreshMs / 1_000));
    this.#budget.note({ tokens: Math.floor(wire.tokens), resetSeconds, refused: null });
  }
}
