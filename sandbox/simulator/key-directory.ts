// The key directory (DICT) of one simulated provider: holders, sentinels, and the budget of look-up tokens.
import { isPixKeyFormat, PIX_KEY_TYPES } from '../../domain/pix.js';
import { anotherDocument, keyBehaviourOf } from './behaviours.js';
import type { KeyQuestion } from './server-dialect.js';
import type { Person, ProviderBooks } from './state.js';

export interface KeyBudget {
  readonly capacity: number;
  readonly refillPerMinute: number;
}

/** So large that load tests meet it only on purpose (`PUT /control/{provider}/key-budget`). */
const UNLIMITED: KeyBudget = { capacity: 100_000, refillPerMinute: 2_000 };
/** What the directory gives a company: 1,000 tokens, 20 more a minute. */
export const COMPANY_BUDGET: KeyBudget = { capacity: 1_000, refillPerMinute: 20 };
const HIT_COST = 1;
const MISS_COST = 20;

export type DirectoryAnswer =
  | { readonly kind: 'owner'; readonly owner: Person }
  | { readonly kind: 'unknown_key' }
  | { readonly kind: 'unavailable' }
  | { readonly kind: 'rate_limited' };

export class KeyDirectory {
  #capacity: number;
  #refillPerMinute: number;
  #tokens: number;
  #countedAtMs = Date.now();
  /** Look-ups so far of the keys that fail a few times first. Forgotten by a restart, as by a recovery. */
  readonly #attempts = new Map<string, number>();

  constructor(
    private readonly books: ProviderBooks,
    private readonly usual: KeyBudget = UNLIMITED,
  ) {
    this.#capacity = usual.capacity;
    this.#refillPerMinute = usual.refillPerMinute;
    this.#tokens = usual.capacity;
  }

  /** Answers a question and charges the budget: 1 token for a holder, 20 for an unknown key. */
  lookUp(question: KeyQuestion): DirectoryAnswer {
    this.#refill();
    if (this.#tokens < HIT_COST) return { kind: 'rate_limited' };
    const found = this.#find(question);
    if (found.kind === 'owner') this.#tokens -= HIT_COST;
    if (found.kind === 'unknown_key') this.#tokens = Math.max(0, this.#tokens - MISS_COST);
    return found;
  }

  /** Whole tokens left, and seconds until a miss can be afforded again. */
  budget(): { tokens: number; refillSeconds: number; capacity: number; refillPerMinute: number } {
    this.#refill();
    const missing = Math.max(0, MISS_COST - this.#tokens);
    return {
      tokens: Math.floor(this.#tokens),
      refillSeconds: Math.ceil((missing / this.#refillPerMinute) * 60),
      capacity: this.#capacity,
      refillPerMinute: this.#refillPerMinute,
    };
  }

  setBudget(tokens: number, refillPerMinute: number): void {
    this.#capacity = Math.max(tokens, this.usual.capacity);
    this.#refillPerMinute = refillPerMinute;
    this.#tokens = tokens;
    this.#countedAtMs = Date.now();
  }

  /** A payout that uses a look-up's end-to-end id gives its token back. */
  giveBack(): void {
    this.#tokens = Math.min(this.#capacity, this.#tokens + HIT_COST);
  }

  #refill(): void {
    const nowMs = Date.now();
    this.#tokens = Math.min(
      this.#capacity,
      this.#tokens + ((nowMs - this.#countedAtMs) / 60_000) * this.#refillPerMinute,
    );
    this.#countedAtMs = nowMs;
  }

  #find({ key, keyType, expected }: KeyQuestion): DirectoryAnswer {
    if (!isSpelledAsRegistered({ key, keyType })) return { kind: 'unknown_key' };
    const registered = this.books.keys.get(key);
    if (registered) return { kind: 'owner', owner: registered.owner };
    const behaviour = keyBehaviourOf(key);
    switch (behaviour?.kind) {
      case 'down':
        return { kind: 'unavailable' };
      case 'no_such_key':
        return { kind: 'unknown_key' };
      case 'other_holder':
        return { kind: 'owner', owner: { type: 'CPF', number: anotherDocument(expected.number), name: null } };
      case 'recovers':
        return this.#isStillFailing(key, expected, behaviour.failures)
          ? { kind: 'unavailable' }
          : { kind: 'owner', owner: expected };
      case 'slow':
      case undefined:
        return { kind: 'owner', owner: ownerByNature(key) ?? expected };
    }
  }

  #isStillFailing(key: string, expected: Person, failures: number): boolean {
    const question = `${key} ${expected.number}`;
    const attempts = (this.#attempts.get(question) ?? 0) + 1;
    if (attempts <= failures) this.#attempts.set(question, attempts);
    else this.#attempts.delete(question);
    return attempts <= failures;
  }
}

/** The directory knows one spelling of each key: any other is unknown. */
export function isSpelledAsRegistered({ key, keyType }: Pick<KeyQuestion, 'key' | 'keyType'>): boolean {
  const types = keyType === null ? PIX_KEY_TYPES : [keyType];
  return types.some((type) => isPixKeyFormat(type, key));
}

/** A CPF or CNPJ key names its holder. Any other unregistered key belongs to the person in the request. */
function ownerByNature(key: string): Person | null {
  if (/^\d{11}$/.test(key)) return { type: 'CPF', number: key, name: null };
  return /^[0-9A-Z]{12}\d{2}$/.test(key) ? { type: 'CNPJ', number: key, name: null } : null;
}
