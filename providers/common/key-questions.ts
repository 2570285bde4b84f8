// Questions about the holder of a PIX key, as every provider's directory needs them asked: formats first, answers kept
// for a minute, and the budget shared fairly between the operations.
import { createHmac, randomBytes } from 'node:crypto';
import { compareReportedDocument, isTaxDocument, type TaxDocument } from '../../domain/documents.js';
import { isPixKeyFormat, type PixKeyType } from '../../domain/pix.js';
import type { KeyBudget } from './key-budget.js';
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
