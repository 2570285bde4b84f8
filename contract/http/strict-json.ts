// Strict JSON (specification, "Strict body validation"): parses the bytes in one pass and reports errors with their
// field. No maintained parser reports duplicate keys (also with equal values), trailing data and depth together.
import type { FieldError, Reason } from './errors.js';
import { fieldError, fieldOf } from './validation.js';

/** The root field that every body may have and none keeps: the tenant comes from the credential alone. */
export const DISCARDED_FIELD = 'operation_id';

/** Deepest nesting of objects and arrays. */
export const MAX_DEPTH = 64;

export type StrictJson =
  | {
      readonly ok: true;
      readonly value: unknown;
      /** Values that no field may have. An error of the schema for the same field replaces them. */
      readonly problems: readonly FieldError[];
    }
  | { readonly ok: false; readonly error: FieldError };

type Path = readonly (string | number)[];

/** Ends the scan. Only `parseStrictJson` catches it. */
class JsonRefusal extends Error {
  constructor(readonly reason: 'syntax' | 'trailing_data') {
    super(reason);
  }
}

/**
 * Parses the bytes of a body. These reject the whole body: `invalid_utf8`; `syntax` (also a byte order mark, and
 * nesting beyond 64); `trailing_data`; `duplicate_key` (the first one, in otherwise well-formed JSON). These are
 * returned with the value, because the schema may have a better reason: NUL and lone surrogates (`format`), inexact
 * numbers (`range`), `__proto__` (`unknown_field`); none of them inside a root `operation_id`.
 */
export function parseStrictJson(bytes: Uint8Array): StrictJson {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { ok: false, error: fieldError('', 'invalid_utf8') };
  }
  const scanner = new Scanner(text);
  try {
    const value = scanner.document();
    if (scanner.duplicate !== undefined) return { ok: false, error: scanner.duplicate };
    return { ok: true, value, problems: scanner.problems };
  } catch (error) {
    if (error instanceof JsonRefusal) return { ok: false, error: fieldError('', error.reason) };
    throw error;
  }
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const LITERALS = [
  ['true', true],
  ['false', false],
  ['null', null],
] as const;
/** With the `u` flag only a lone half of a surrogate pair is `Cs`. */
const UNSTORABLE = /[\u0000\p{Cs}]/u;
/** The message for text that the database would reject or change. */
export const UNSTORABLE_TEXT =
  'holds a character that cannot be kept: use text without U+0000 and halves of surrogate pairs, for example São Paulo';
const EXACT_NUMBERS = `must be from -${Number.MAX_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`;
const UNSTORABLE_NAME =
  'has a name that cannot be kept: without U+0000 and halves of surrogate pairs, for example note';
/** Characters that must not follow a number or literal directly: `01`, `1x` and `truefalse` are not JSON. */
const WORD = /[-+.\w]/;

class Scanner {
  readonly problems: FieldError[] = [];
  duplicate: FieldError | undefined;
  private at = 0;

  constructor(private readonly text: string) {}

  document(): unknown {
    const value = this.value([]);
    this.space();
    if (this.at < this.text.length) throw new JsonRefusal('trailing_data');
    return value;
  }

  private value(path: Path): unknown {
    this.space();
    const first = this.text[this.at];
    if (first === '{' || first === '[') {
      if (path.length >= MAX_DEPTH) throw new JsonRefusal('syntax');
      this.at += 1;
      return first === '{' ? this.object(path) : this.array(path);
    }
    if (first === '"') return this.checkedString(path);
    for (const [word, literal] of LITERALS)
      if (this.text.startsWith(word, this.at)) return this.end(this.at + word.length, literal);
    return this.number(path);
  }

  private object(path: Path): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    const keys = new Set<string>();
    if (this.take('}')) return object;
    do {
      this.space();
      const key = this.string();
      const field = [...path, key];
      if (keys.has(key)) this.duplicate ??= fieldError(fieldOf(field), 'duplicate_key');
      keys.add(key);
      if (!isStorable(key)) this.problem(path, 'format', UNSTORABLE_NAME);
      if (!this.take(':')) throw new JsonRefusal('syntax');
      const value = this.value(field);
      // Assigning `__proto__` would change the prototype instead of adding a field, and zod's records drop it silently.
      if (key === '__proto__') this.problem(field, 'unknown_field');
      else object[key] = value;
    } while (this.take(','));
    if (!this.take('}')) throw new JsonRefusal('syntax');
    return object;
  }

  private array(path: Path): unknown[] {
    const array: unknown[] = [];
    if (this.take(']')) return array;
    do array.push(this.value([...path, array.length]));
    while (this.take(','));
    if (!this.take(']')) throw new JsonRefusal('syntax');
    return array;
  }

  private checkedString(path: Path): string {
    const text = this.string();
    if (!isStorable(text)) this.problem(path, 'format', UNSTORABLE_TEXT);
    return text;
  }

  /** Finds the end of the string and checks escapes and control characters. `JSON.parse` decodes it. */
  private string(): string {
    const start = this.at;
    if (this.text[start] !== '"') throw new JsonRefusal('syntax');
    for (let index = start + 1; index < this.text.length; index += 1) {
      const unit = this.text.charCodeAt(index);
      if (unit === 0x22) return this.end(index + 1, JSON.parse(this.text.slice(start, index + 1)) as string, false);
      if (unit < 0x20) throw new JsonRefusal('syntax');
      if (unit !== 0x5c) continue;
      ESCAPE.lastIndex = index;
      const escape = ESCAPE.exec(this.text);
      if (escape === null) throw new JsonRefusal('syntax');
      index += escape[0].length - 1;
    }
    throw new JsonRefusal('syntax');
  }

  private number(path: Path): number {
    NUMBER.lastIndex = this.at;
    const match = NUMBER.exec(this.text);
    if (match === null) throw new JsonRefusal('syntax');
    const number = Number(match[0]);
    if (!Number.isFinite(number) || (Number.isInteger(number) && !Number.isSafeInteger(number)))
      this.problem(path, 'range', EXACT_NUMBERS);
    return this.end(this.at + match[0].length, number);
  }

  /** Notes a value that no field may have. A root `operation_id` may be anything: it is discarded. */
  private problem(path: Path, reason: Reason, message?: string): void {
    if (path[0] !== DISCARDED_FIELD) this.problems.push(fieldError(fieldOf(path), reason, message));
  }

  /** Moves past a token. A number or literal must end there. */
  private end<T>(at: number, value: T, isWord = true): T {
    this.at = at;
    if (isWord && WORD.test(this.text[at] ?? '')) throw new JsonRefusal('syntax');
    return value;
  }

  private take(mark: string): boolean {
    this.space();
    if (this.text[this.at] !== mark) return false;
    this.at += 1;
    return true;
  }

  private space(): void {
    while (' \t\n\r'.includes(this.text[this.at] ?? 'x')) this.at += 1;
  }
}

/** PostgreSQL rejects NUL, and would silently replace a lone surrogate. */
function isStorable(text: string): boolean {
  return !UNSTORABLE.test(text);
}
