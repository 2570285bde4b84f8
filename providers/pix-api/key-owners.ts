// Look-ups of the holder of a PIX key in the directory (DICT). They cost tokens of a small budget, which all operations
// share: formats are checked first, and answers are cached for a minute.
import { createHmac, randomBytes } from 'node:crypto';
import { compareReportedDocument, isTaxDocument, type TaxDocument } from '../../domain/documents.js';
import { isPixKeyFormat, type PixKeyType } from '../../domain/pix.js';
import type { Capabilities } from '../capabilities.js';
import type { KeyOwnerLookup } from '../port.js';
import { inconclusive, isNotFound } from './answers.js';
import type { HttpAnswer, PixApiClient } from './client.js';
import type { Dialect } from './dialect.js';
import { KeyBudget } from './key-budget.js';
import type { WireKeyOwner } from './wire.js';

const CACHE_SECONDS = 60;
const CACHE_MAX_ENTRIES = 10_000;

export interface KeyOwnerRequest {
  /** Whose question it is: operations share the directory's budget. */
  readonly operationId: string;
  readonly key: { readonly type: PixKeyType; readonly value: string };
  readonly expected: TaxDocument;
}

/**
 * Without a directory: a CPF or CNPJ key names its holder; of any other, the provider compares the holder at the send,
 * or nobody does.
 */
export function ownerWithoutDirectory(
  keyOwners: Capabilities['keyOwners'],
  { key, expected }: KeyOwnerRequest,
): KeyOwnerLookup {
  if (!isPixKeyFormat(key.type, key.value)) return { kind: 'no_such_key' };
  if (!isTaxDocument(expected)) return unavailable('document_not_supported', null);
  if (key.type === 'cpf' || key.type === 'cnpj')
    return key.value === expected.number ? { kind: 'match', strength: 'full', endToEndId: null } : { kind: 'mismatch' };
  return keyOwners === 'at_send' ? { kind: 'at_send' } : unavailable('no_directory', null);
}

type Settled = Extract<KeyOwnerLookup, { kind: 'match' | 'mismatch' | 'no_such_key' }>;
type DirectoryAnswer = Exclude<KeyOwnerLookup, { kind: 'at_send' }>;

/** Look-ups of one provider, with their cache and budget. */
export class KeyOwners {
  readonly #client: PixApiClient;
  readonly #dialect: Dialect;
  readonly #directory: NonNullable<Dialect['key']>;
  readonly #timeoutMs: number;
  readonly #now: () => number;
  /** Keys and documents are personal data: the cache stores their keyed hashes. The key is never stored. */
  readonly #hashKey = randomBytes(32);
  readonly #cache = new Map<string, { readonly answer: Settled; readonly untilMs: number }>();
  readonly #budget: KeyBudget;

  constructor(
    client: PixApiClient,
    dialect: Dialect,
    directory: NonNullable<Dialect['key']>,
    timeoutMs: number,
    now: () => number,
  ) {
    this.#directory = directory;
    this.#client = client;
    this.#dialect = dialect;
    this.#timeoutMs = timeoutMs;
    this.#now = now;
    this.#budget = new KeyBudget(now);
  }

  /** Compares the holder of a key with the expected document. */
  async lookUp(request: KeyOwnerRequest): Promise<KeyOwnerLookup> {
    const { key } = request;
    if (!isPixKeyFormat(key.type, key.value)) return { kind: 'no_such_key' };
    if (!isTaxDocument(request.expected)) return unavailable('document_not_supported', null);
    const { type, number } = request.expected;
    const cacheKey = this.#hashOf([key.type, key.value, type, number]);
    const known = this.#cache.get(cacheKey);
    if (known && known.untilMs > this.#now()) return known.answer;
    const asker = { operationId: request.operationId, person: this.#hashOf([type, number]) };
    const held = this.#budget.reserve(asker);
    if (held !== null) return { kind: 'unavailable', ...held };
    const answer = await this.#ask(key, request.expected);
    if (answer.kind !== 'no_such_key') this.#budget.giveBack(asker);
    if (answer.kind !== 'unavailable') this.#remember(cacheKey, answer);
    return answer;
  }

  #hashOf(parts: readonly string[]): string {
    return createHmac('sha256', this.#hashKey).update(JSON.stringify(parts)).digest('base64');
  }

  async #ask(key: { type: PixKeyType; value: string }, expected: TaxDocument): Promise<DirectoryAnswer> {
    const { path, body, reply, unknownKeyWords } = this.#directory;
    const answer = await this.#client.call({
      method: 'POST',
      path,
      body: body(key, expected),
      timeoutMs: this.#timeoutMs,
    });
    this.#noteBudget(answer);
    // Only the directory's own "no such key" counts: a proxy's 404 must not fail a withdrawal.
    if (isNotFound(this.#dialect, unknownKeyWords, answer)) return { kind: 'no_such_key' };
    if (answer.kind !== 'answered' || answer.status !== 200)
      return unavailable(inconclusive(answer), retryAfterOf(answer));
    const parsed = reply.safeParse(answer.body);
    return parsed.success ? judge(parsed.data, expected) : unavailable('unreadable_answer', null);
  }

  #noteBudget(answer: HttpAnswer): void {
    if (answer.kind !== 'answered') return;
    const { remaining, resetSeconds } = this.#directory.budgetHeaders;
    this.#budget.note({
      tokens: wholeNumber(answer.headers[remaining]),
      resetSeconds: wholeNumber(answer.headers[resetSeconds]),
      refused: answer.status === 429 ? { retryAfterSeconds: retryAfterOf(answer) } : null,
    });
  }

  #remember(cacheKey: string, answer: Settled): void {
    // Removes the oldest entry: a Map keeps insertion order.
    if (this.#cache.size >= CACHE_MAX_ENTRIES) this.#cache.delete(this.#cache.keys().next().value!);
    this.#cache.delete(cacheKey);
    // An end-to-end id belongs to one payment, so a cached answer has none.
    const kept: Settled = answer.kind === 'match' ? { ...answer, endToEndId: null } : answer;
    this.#cache.set(cacheKey, { answer: kept, untilMs: this.#now() + CACHE_SECONDS * 1_000 });
  }
}

function judge(owner: WireKeyOwner, expected: TaxDocument): DirectoryAnswer {
  const { endToEndId } = owner;
  if (owner.kind === 'verdict')
    return owner.matches ? { kind: 'match', strength: 'full', endToEndId } : { kind: 'mismatch' };
  // A mask that hides every digit matches everybody.
  if (!/[^*.\-/\s]/.test(owner.document)) return unavailable('owner_fully_masked', null);
  const comparison = compareReportedDocument(expected.number, owner.document);
  if (comparison === 'unclear') return unavailable('owner_unreadable', null);
  if (comparison === 'mismatch') return { kind: 'mismatch' };
  return { kind: 'match', strength: comparison === 'match' ? 'full' : 'masked', endToEndId };
}

function unavailable(reason: string, retryAfterSeconds: number | null): DirectoryAnswer {
  return { kind: 'unavailable', reason, retryAfterSeconds };
}

function retryAfterOf(answer: HttpAnswer): number | null {
  return answer.kind === 'answered' ? wholeNumber(answer.headers['retry-after']) : null;
}

function wholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null;
}
