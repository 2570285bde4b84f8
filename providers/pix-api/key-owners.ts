// Look-ups of the holder of a PIX key in the provider's directory (DICT), or without one.
import { isTaxDocument, type TaxDocument } from '../../domain/documents.js';
import { isPixKeyFormat } from '../../domain/pix.js';
import type { Capabilities } from '../dialect-entry.js';
import { retryAfterSeconds, type HttpAnswer, inconclusive } from '../common/http.js';
import {
  KeyBudget,
  type DirectoryAnswer,
  judgeHolder,
  type KeyOwnerRequest,
  KeyQuestions,
  unavailable,
} from '../common/key-questions.js';
import type { KeyOwnerLookup } from '../port.js';
import { isNotFound } from './refusals.js';
import type { PixApiClient } from './client.js';
import type { Dialect } from './dialect.js';
import type { WireKeyOwner } from './wire.js';

/**
 * Without a directory, a CPF or CNPJ key names its holder. For any other key the provider compares the holder at the
 * send, or no one does.
 */
export function ownerWithoutDirectory(
  keyOwners: Capabilities['keyOwners'],
  { key, expected }: KeyOwnerRequest,
): KeyOwnerLookup {
  if (!isPixKeyFormat(key.type, key.value)) return { kind: 'no_such_key' };
  if (!isTaxDocument(expected)) return unavailable('document_not_supported');
  if (key.type === 'cpf' || key.type === 'cnpj')
    return key.value === expected.number ? { kind: 'match', strength: 'full', endToEndId: null } : { kind: 'mismatch' };
  return keyOwners === 'at_send' ? { kind: 'at_send' } : unavailable('no_directory');
}

/** Look-ups of one provider. */
export class KeyOwners {
  readonly #client: PixApiClient;
  readonly #dialect: Dialect;
  readonly #directory: NonNullable<Dialect['key']>;
  readonly #timeoutMs: number;
  readonly #now: () => number;
  readonly #budget: KeyBudget;
  readonly #questions: KeyQuestions;

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
    this.#questions = new KeyQuestions(this.#budget, now, { ask: (key, expected) => this.#ask(key, expected) });
  }

  /** Compares the holder of a key with the expected document. */
  lookUp(request: KeyOwnerRequest): Promise<KeyOwnerLookup> {
    return this.#questions.lookUp(request);
  }

  async #ask(key: KeyOwnerRequest['key'], expected: TaxDocument): Promise<DirectoryAnswer> {
    const { path, body, reply, unknownKeyErrors } = this.#directory;
    const answer = await this.#client.call({
      method: 'POST',
      path,
      body: body(key, expected),
      timeoutMs: this.#timeoutMs,
      isOfDirectory: true,
    });
    this.#noteBudget(answer);
    // Only the directory's own "no such key" counts: a proxy's 404 must not fail a withdrawal.
    if (isNotFound(this.#dialect, unknownKeyErrors, answer)) return { kind: 'no_such_key' };
    if (answer.kind !== 'answered' || answer.status !== 200)
      return unavailable(inconclusive(answer), retryAfterSeconds(answer, this.#now()));
    const parsed = reply.safeParse(answer.body);
    return parsed.success ? judge(parsed.data, expected) : unavailable('unreadable_answer');
  }

  #noteBudget(answer: HttpAnswer): void {
    if (answer.kind !== 'answered') return;
    const { remaining, resetSeconds } = this.#directory.budgetHeaders;
    this.#budget.note({
      tokens: wholeNumber(answer.headers[remaining]),
      resetSeconds: wholeNumber(answer.headers[resetSeconds]),
      refused: answer.status === 429 ? { retryAfterSeconds: retryAfterSeconds(answer, this.#now()) } : null,
    });
  }
}

function judge(owner: WireKeyOwner, expected: TaxDocument): DirectoryAnswer {
  const { endToEndId } = owner;
  if (owner.kind === 'verdict')
    return owner.matches ? { kind: 'match', strength: 'full', endToEndId } : { kind: 'mismatch' };
  return judgeHolder(owner.document, expected, endToEndId);
}

function wholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null;
}
