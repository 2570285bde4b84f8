// Canonical JSON (RFC 8785) of stored decisions, so that their digest can be recomputed.

type Tree<Leaf> = Leaf | readonly Tree<Leaf>[] | { readonly [key: string]: Tree<Leaf> | undefined };
type JsonLeaf = string | number | boolean | null;

export type JsonValue = Tree<JsonLeaf>;
type Canonical = Tree<JsonLeaf | bigint>;

/**
 * The canonical text: no spaces, members sorted by UTF-16 code units, `undefined` members omitted. Amounts are text, as
 * in every JSON document (domain/money.ts).
 */
export function canonicalJson(value: Canonical): string {
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

function primitive(value: JsonLeaf | bigint): string {
  if (typeof value === 'bigint') return `"${value}"`;
  if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError('canonical JSON has no such number');
  return JSON.stringify(value);
}

function isList(value: Canonical): value is readonly Canonical[] {
  return Array.isArray(value);
}
