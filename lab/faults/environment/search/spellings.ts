// How a text can be encoded: what a search for a planted secret looks for.

/** A text that must not be found anywhere. */
export interface Canary {
  /** What it is, for the report; the text itself is never shown. */
  readonly name: string;
  readonly text: string;
  /** Its own spellings, in addition to the general ones: a CPF with its dots. */
  readonly alsoWritten?: readonly string[];
}

export interface Spelling {
  readonly canary: string;
  readonly how: string;
  readonly bytes: Buffer;
}

/** Where base64 begins within its groups of three bytes, with the characters that depend on the bytes before. */
const ALIGNMENTS = [
  { before: 0, dropped: 0 },
  { before: 1, dropped: 2 },
  { before: 2, dropped: 3 },
] as const;
/** By the rest of the last group: the characters that depend on the bytes behind. */
const DEPENDING_AT_END = [0, 3, 2] as const;
/** A shorter piece would be found by chance. */
const LEAST_BYTES = 8;

/**
 * Every spelling of a canary once: as it is, in either case, percent-encoded, escaped, in hex and in base64 at any
 * offset.
 */
export function spellingsOf({ name, text, alsoWritten = [] }: Canary): Spelling[] {
  const bytes = Buffer.from(text, 'utf8');
  const texts: readonly [how: string, text: string][] = [
    ['as it is', text],
    ...alsoWritten.map((other): [string, string] => ['formatted', other]),
    ['in lower case', text.toLowerCase()],
    ['in upper case', text.toUpperCase()],
    ['percent-encoded', encodeURIComponent(text)],
    [
      'percent-encoded in lower case',
      encodeURIComponent(text).replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    ],
    [
      'with escapes',
      text.replaceAll(/[^\x20-\x7e]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`),
    ],
    ['in hex', bytes.toString('hex')],
    ['in hex in upper case', bytes.toString('hex').toUpperCase()],
    ...ALIGNMENTS.map(({ before, dropped }): [string, string] => ['in base64', base64Within(bytes, before, dropped)]),
    ...ALIGNMENTS.map(({ before, dropped }): [string, string] => [
      'in base64url',
      toUrlAlphabet(base64Within(bytes, before, dropped)),
    ]),
  ];
  // The first of equal ones names it.
  const distinct = new Map(
    texts
      .filter(([, spelled]) => Buffer.byteLength(spelled) >= LEAST_BYTES)
      .toReversed()
      .map(([how, spelled]) => [spelled, how]),
  );
  return [...distinct].map(([spelled, how]) => ({ canary: name, how, bytes: Buffer.from(spelled, 'utf8') }));
}

/** The part of the base64 of a longer text that these bytes alone decide. */
function base64Within(bytes: Buffer, before: number, dropped: number): string {
  const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
  return encoded.slice(dropped, encoded.length - (DEPENDING_AT_END[(before + bytes.length) % 3] ?? 0));
}

const toUrlAlphabet = (base64: string) => base64.replaceAll('+', '-').replaceAll('/', '_');

/** The spellings that occur in these bytes, one line each. */
export function foundIn(bytes: Buffer, spellings: readonly Spelling[]): string[] {
  return spellings.filter((spelling) => bytes.includes(spelling.bytes)).map(({ canary, how }) => `${canary} (${how})`);
}
