// What a text can be, judged by its form alone, before anything is looked up. A text can be several things: 32
// hexadecimal digits are a trace id as well as a provider's reference.
import { TEXT_KINDS, type TextKind } from '../../../domain/found-by.js';
import { ID_PREFIXES, type IdKind, isId, KEY_ID } from '../../../domain/identifiers.js';
import { isEndToEndId } from '../../../domain/pix.js';
import { isTraceId, parseTraceparent } from '../../../domain/trace-context.js';

/** How messages name each kind. */
export const TEXT_KIND_NAMES: Readonly<Record<TextKind, string>> = {
  id: 'an id of ours',
  key_id: 'a key’s id',
  trace_id: 'a trace id',
  end_to_end_id: 'an end-to-end id',
  provider_reference: 'a provider’s reference',
  external_id: 'an external id',
  idempotency_key: 'an Idempotency-Key',
  player_ref: 'a player’s reference',
  id_end: 'the end of an id of ours',
  amount: 'an amount',
};

/** The value to look up under each kind; null if the text cannot be of that kind. */
const READINGS: Readonly<Record<TextKind, (text: string) => string | null>> = {
  id: (text) => (idKindOf(text) === null ? null : text),
  key_id: (text) => (KEY_ID.test(text) ? text : null),
  trace_id: traceIdIn,
  end_to_end_id: (text) => (isEndToEndId(text) ? text : null),
  provider_reference: (text) => (/^[0-9a-f]{32}$/i.test(text) ? text.toLowerCase() : null),
  external_id: (text) => (/^[A-Za-z0-9_.:-]{1,64}$/.test(text) ? text : null),
  idempotency_key: (text) => (/^[A-Za-z0-9_.:-]{16,128}$/.test(text) ? text : null),
  player_ref: (text) => (/^[A-Za-z0-9_.:-]{1,64}$/.test(text) ? text : null),
  id_end: (text) => (/^[0-9a-f]{4,12}$/i.test(text) ? text.toLowerCase() : null),
  amount: amountIn,
};

export interface Reading {
  readonly kind: TextKind;
  readonly value: string;
}

/** Everything the text can be; empty if it has no known form. */
export function readingsOf(text: string): Reading[] {
  return TEXT_KINDS.flatMap((kind) => {
    const value = READINGS[kind](text);
    return value === null ? [] : [{ kind, value }];
  });
}

/** The kind of object that an id names; null for other texts. */
export function idKindOf(text: string): IdKind | null {
  return (Object.keys(ID_PREFIXES) as IdKind[]).find((kind) => isId(kind, text)) ?? null;
}

/** The minor units of an amount as people write it: `7.400,00`, `7400,00`, `7,400.00`, `7400`, with or without `R$`. */
function amountIn(text: string): string | null {
  const plain = text.replace(/^R\$\s*/i, '');
  if (/^\d{1,9}$/.test(plain)) return (BigInt(plain) * 100n).toString();
  if (!/^(\d{1,3}(\.\d{3})+|\d{1,15}),\d\d$|^(\d{1,3}(,\d{3})+|\d{1,15})\.\d\d$/.test(plain)) return null;
  return BigInt(plain.replace(/[.,]/g, '')).toString();
}

/** A trace id as logs write it: plain, as a UUID, in capitals, or inside a `traceparent`. */
function traceIdIn(text: string): string | null {
  const lower = text.toLowerCase();
  const plain = parseTraceparent(lower)?.traceId ?? (UUID.test(lower) ? lower.replaceAll('-', '') : lower);
  return isTraceId(plain) ? plain : null;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
