// Canonical JSON (RFC 8785) of stored decisions, so that their digest can be recomputed.

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue | undefined };

/** The canonical text: no spaces, members sorted by UTF-16 code units, `undefined` members omitted. */
export function canonicalJson(value: JsonValue): string {
  if (value === null || typeof value !== 'object') return primitive(value);
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = Object.keys(value)
    .sort()
    .flatMap((key) => {
      const member = value[key];
      return member === undefined ? [] : [`${JSON.stringify(key)}:${canonicalJson(member)}`];
    });
  return `{${members.join(',')}}`;
}

function primitive(value: string | number | boolean | null): string {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError('canonical JSON has no such number');
  return JSON.stringify(value);
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
