// Questions about the holder of a PIX key, as every provider's directory needs them asked: formats first, answers kept
// for a minute, and the budget of look-ups at one provider. All operations, and all processes of the participant, share
// it; an unknown key costs twenty tokens of about a thousand. So an operation may spend on unknown keys at most as much
// as it leaves to the others, and one player still less. Everyone waits when the provider reports that it is spent.
import { createHmac, randomBytes } from 'node:crypto';
import { compareReportedDocument, isTaxDocument, type TaxDocument } from '../../domain/documents.js';
import { isPixKeyFormat, type PixKeyType } from '../../domain/pix.js';
import type { KeyOwnerLookup } from '../port.js';

const CACHE_SECONDS = 60;
const CACHE_MAX_ENTRIES = 10_000;

export interface KeyOwnerRequest {
  /** Whose question it is: operations share the directory's budget. */
  readonly operationId: string;
  readonly key: { readonly type: PixKeyType; readonly value: string };
  readonly expected: TaxDocument;
}

/** A directory's. */
export type DirectoryAnswer = Exclude<KeyOwnerLookup, { kind: 'at_send' }>;
type KeyAnswer = Extract<KeyOwnerLookup, { kind: 'match' | 'mismatch' | 'no_such_key' }>;

/** The questions to one directory. */
export class KeyQuestions {
  /** Keys and documents are personal data: the cache stores their keyed hashes. The key is never stored. */
  readonly #hashKey = randomBytes(32);
  readonly #cache = new Map<string, { readonly answer: KeyAnswer; readonly untilMs: number }>();

  constructor(
    private readonly budget: KeyBudget,
    private readonly now: () => number,
    private readonly directory: {
      /** Asks the directory once and records the budget that it answers. */
      readonly ask: (key: KeyOwnerRequest['key'], expected: TaxDocument) => Promise<DirectoryAnswer>;
      /** What must be known before a look-up, such as the rest of the budget. */
      readonly prepare?: () => Promise<void>;
    },
  ) {}

  /** Compares the holder of a key with the expected document. */
  async lookUp(request: KeyOwnerRequest): Promise<KeyOwnerLookup> {
    const { key } = request;
    if (!isPixKeyFormat(key.type, key.value)) return { kind: 'no_such_key' };
    if (!isTaxDocument(request.expected)) return unavailable('document_not_supported');
    const { type, number } = request.expected;
    const cacheKey = this.#hashOf([key.type, key.value, type, number]);
    const known = this.#cache.get(cacheKey);
    if (known && known.untilMs > this.now()) return known.answer;
    const asker = { operationId: request.operationId, person: this.#hashOf([type, number]) };
    await this.directory.prepare?.();
    const held = this.budget.reserve(asker);
    if (held !== null) return { kind: 'unavailable', ...held };
    const answer = await this.directory.ask(key, request.expected);
    if (answer.kind !== 'no_such_key') this.budget.giveBack(asker);
    if (answer.kind !== 'unavailable') this.#remember(cacheKey, answer);
    return answer;
  }

  #hashOf(parts: readonly string[]): string {
    return createHmac('sha256', this.#hashKey).update(JSON.stringify(parts)).digest('base64');
  }

  #remember(cacheKey: string, answer: KeyAnswer): void {
    // Removes the oldest entry: a Map keeps insertion order.
    if (this.#cache.size >= CACHE_MAX_ENTRIES) this.#cache.delete(this.#cache.keys().next().value!);
    this.#cache.delete(cacheKey);
    // An end-to-end id belongs to one payment, so a cached answer has none.
    const kept: KeyAnswer = answer.kind === 'match' ? { ...answer, endToEndId: null } : answer;
    this.#cache.set(cacheKey, { answer: kept, untilMs: this.now() + CACHE_SECONDS * 1_000 });
  }
}

/** Compares a document from the directory, possibly masked, with the expected one. */
export function judgeHolder(shown: string, expected: TaxDocument, endToEndId: string | null): DirectoryAnswer {
  // A mask that hides every digit matches everyone.
  if (!/[^*.\-/\s]/.test(shown)) return unavailable('owner_fully_masked');
  const comparison = compareReportedDocument(expected.number, shown);
  if (comparison === 'unclear') return unavailable('owner_unreadable');
  if (comparison === 'mismatch') return { kind: 'mismatch' };
  return { kind: 'match', strength: comparison === 'match' ? 'full' : 'masked', endToEndId };
}

export function unavailable(reason: string, retryAfterSeconds: number | null = null): DirectoryAnswer {
  return { kind: 'unavailable', reason, retryAfterSeconds };
}

/** The cost of a "no such key" answer. With fewer tokens left, one more look-up could block all others. */
const MISS_COST_TOKENS = 20;
/** Half of a small participant's budget: what is counted on while the provider's last report is missing or old. */
const ASSUMED_TOKENS = 500;
/**
 * The most that one person's unknown keys may cost: ten in a row. A person who mistypes has found the right key by
 * then.
 */
const PERSON_TOKENS = 200;
const REPORT_LASTS_MS = 60_000;
/** How fast spending expires: slower than a small participant's budget refills. */
const SPENT_HALF_LIFE_MS = 30 * 60_000;
const SPENDERS_MAX = 20_000;
const PAUSE_MAX_SECONDS = 300;
const PAUSE_DEFAULT_SECONDS = 60;

/** The budget in an answer. `null` if it has none. */
export interface BudgetReport {
  readonly tokens: number | null;
  readonly resetSeconds: number | null;
  /** The answer was 429, which may say how long to wait. */
  readonly refused: { readonly retryAfterSeconds: number | null } | null;
}

/** Why a look-up must wait, and for how long. */
export interface BudgetRefusal {
  readonly reason: 'key_budget_spent' | 'key_budget_of_operation' | 'key_budget_of_person';
  readonly retryAfterSeconds: number;
}

/** Whose question it is. */
export interface Asker {
  readonly operationId: string;
  /** A keyed hash of the document that the key should belong to. */
  readonly person: string;
}

export class KeyBudget {
  #report: { readonly tokens: number; readonly atMs: number } | null = null;
  #pausedUntilMs = 0;
  /**
   * Tokens that the unknown keys of each operation, and of each person in it, have cost; questions under way count as
   * unknown keys.
   */
  readonly #spent = new Map<string, { readonly tokens: number; readonly atMs: number }>();

  constructor(private readonly now: () => number) {}

  /** Reserves the cost of an unknown key. Null if the question may be asked. */
  reserve(asker: Asker): BudgetRefusal | null {
    const pausedMs = this.#pausedUntilMs - this.now();
    if (pausedMs > 0) return { reason: 'key_budget_spent', retryAfterSeconds: Math.ceil(pausedMs / 1_000) };
    const [operation, person] = spendersOf(asker);
    if (this.#spentBy(operation) + MISS_COST_TOKENS > this.#left()) return held('key_budget_of_operation');
    if (this.#spentBy(person) + MISS_COST_TOKENS > PERSON_TOKENS) return held('key_budget_of_person');
    for (const spender of [operation, person]) this.#spend(spender, MISS_COST_TOKENS);
    return null;
  }

  /** Releases the reservation, because the key was known or there was no answer. */
  giveBack(asker: Asker): void {
    for (const spender of spendersOf(asker)) this.#spend(spender, -MISS_COST_TOKENS);
  }

  /** All processes of the participant share the budget, so only the provider's report of it counts. */
  note({ tokens, resetSeconds, refused }: BudgetReport): void {
    if (tokens !== null) this.#report = { tokens, atMs: this.now() };
    if (refused === null && (tokens === null || tokens >= MISS_COST_TOKENS)) return;
    const pauseSeconds = refused?.retryAfterSeconds ?? resetSeconds ?? PAUSE_DEFAULT_SECONDS;
    this.#pausedUntilMs = this.now() + Math.min(pauseSeconds, PAUSE_MAX_SECONDS) * 1_000;
    // Afterwards the size of the refilled budget is unknown.
    this.#report = null;
  }

  #left(): number {
    if (this.#report === null) return ASSUMED_TOKENS;
    const isOld = this.now() - this.#report.atMs >= REPORT_LASTS_MS;
    return isOld ? Math.max(this.#report.tokens, ASSUMED_TOKENS) : this.#report.tokens;
  }

  #spend(spender: string, cost: number): void {
    const tokens = this.#spentBy(spender) + cost;
    // The one that spent longest ago comes first.
    this.#spent.delete(spender);
    if (tokens >= 1) this.#spent.set(spender, { tokens, atMs: this.now() });
    if (this.#spent.size > SPENDERS_MAX) this.#spent.delete(this.#spent.keys().next().value!);
  }

  #spentBy(spender: string): number {
    const spent = this.#spent.get(spender);
    return spent === undefined ? 0 : spent.tokens * 2 ** ((spent.atMs - this.now()) / SPENT_HALF_LIFE_MS);
  }
}

const spendersOf = ({ operationId, person }: Asker) => [operationId, `${operationId} ${person}`] as const;

/** By then the last report is old, and the next question brings a new one. */
const held = (reason: BudgetRefusal['reason']): BudgetRefusal => ({
  reason,
  retryAfterSeconds: REPORT_LASTS_MS / 1_000,
});
