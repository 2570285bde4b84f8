// Bodies as trees that can hold what a parsed value cannot: a key twice, odd spellings, exact numbers; and ways to
// spoil them.
import fc from 'fast-check';

/** A token as it is written, an object's members in order, or a list. */
export type Tree = string | { readonly members: [key: string, value: Tree][] } | { readonly items: Tree[] };

export function treeOf(value: unknown): Tree {
  if (Array.isArray(value)) return { items: value.map(treeOf) };
  if (typeof value === 'object' && value !== null)
    return { members: Object.entries(value).map(([key, inner]) => [JSON.stringify(key), treeOf(inner)]) };
  return JSON.stringify(value);
}

export function textOf(tree: Tree): string {
  if (typeof tree === 'string') return tree;
  return 'items' in tree
    ? `[${tree.items.map(textOf).join(',')}]`
    : `{${tree.members.map(([key, value]) => `${key}: ${textOf(value)}`).join(',')}}`;
}

/** A spoiling of one place: `at` chooses it, whatever the tree's size. */
export interface Mutation {
  readonly at: number;
  readonly kind: 'replace' | 'drop' | 'double' | 'add' | 'rename' | 'wrap';
  readonly token: string;
  readonly key: string;
}

const TOKENS = [
  'null',
  'true',
  'false',
  '0',
  '1',
  '-1',
  '300',
  '299',
  '86401',
  '1.5',
  '-0',
  '1e2',
  '1e400',
  '9007199254740991',
  '9007199254740992',
  '-9007199254740993',
  '""',
  '" "',
  '"0"',
  '"00"',
  '"1"',
  '"-1"',
  '"50.00"',
  '"pix"',
  '"PIX"',
  '"wire"',
  '"BRL"',
  '"brl"',
  '"USDT.TRON"',
  '"CPF"',
  '"PASSPORT"',
  '"52998224725"',
  '"BR"',
  '"\\u0042\\u0052"',
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\ude00x"',
  '"\\ud83d\\ude00"',
  '"ção"',
  '"203.0.113.10"',
  '"2001:db8::1"',
  '"::ffff:1.2.3.4"',
  '"fe80::1%eth0"',
  '"1.2.3"',
  '"m@x.test"',
  '"m@x"',
  '"Maria <m@x.test>"',
  '"2000-02-29"',
  '"2001-02-29"',
  '"2026-01-01T00:00:00Z"',
  '"2026-01-01"',
  '{}',
  '[]',
  '[{}]',
  '{"amount": "1","currency": "BRL"}',
  `"${'9'.repeat(38)}"`,
  `"${'9'.repeat(39)}"`,
  `"${'x'.repeat(64)}"`,
  `"${'x'.repeat(65)}"`,
  `"${'é'.repeat(120)}"`,
  `"${'😀'.repeat(128)}"`,
  `"${'y'.repeat(1001)}"`,
];
const KEYS = [
  'status',
  'version',
  'paid_amount',
  'operation_id',
  'method_options',
  'fx_quote_id',
  '__proto__',
  'constructor',
  'toString',
  '',
  'external_id',
  'amount',
  'name',
  'email',
  'ip',
  'device_id',
  'metadata',
  'reference',
  'BRL',
  'USD',
  '\u0000',
  '\ud800',
  'ção',
  '0',
];

const token = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...TOKENS) },
  { weight: 1, arbitrary: fc.json({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }).map((text) => JSON.stringify(text)) },
);
const key = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...KEYS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) },
);
export const mutations: fc.Arbitrary<Mutation[]> = fc.array(
  fc.record({
    at: fc.nat(),
    kind: fc.constantFrom('replace', 'replace', 'drop', 'double', 'add', 'rename', 'wrap'),
    token,
    key,
  }),
  { maxLength: 3 },
);

/** A copy of the tree, spoiled in order. */
export function spoiled(tree: Tree, spoilings: readonly Mutation[]): Tree {
  return spoilings.reduce((current, mutation) => spoil(current, mutation), tree);
}

function spoil(tree: Tree, { at, kind, token: written, key: name }: Mutation): Tree {
  const root = { items: [structuredClone(tree)] };
  const places = placesIn(root);
  const { holder, index } = places[at % places.length]!;
  if ('items' in holder) {
    const old = holder.items[index]!;
    if (kind === 'add' && typeof old !== 'string' && 'members' in old)
      old.members.push([JSON.stringify(name), written]);
    else
      holder.items[index] = kind === 'wrap' ? wrapped(old, at) : kind === 'replace' || kind === 'add' ? written : old;
  } else {
    const [oldKey, old] = holder.members[index]!;
    if (kind === 'drop') holder.members.splice(index, 1);
    else if (kind === 'double') holder.members.push([respelled(oldKey, at), at % 2 === 0 ? old : written]);
    else if (kind === 'add') holder.members.push([JSON.stringify(name), written]);
    else
      holder.members[index] =
        kind === 'rename' ? [JSON.stringify(name), old] : [oldKey, kind === 'wrap' ? wrapped(old, at) : written];
  }
  return root.items[0]!;
}

interface Place {
  readonly holder: Exclude<Tree, string>;
  readonly index: number;
}

function placesIn(holder: Exclude<Tree, string>): Place[] {
  const inner = 'items' in holder ? holder.items : holder.members.map(([, value]) => value);
  return inner.flatMap((value, index) => [{ holder, index }, ...(typeof value === 'string' ? [] : placesIn(value))]);
}

/** Around the depth that the scanner takes. */
function wrapped(tree: Tree, at: number): Tree {
  let deep = tree;
  for (let depth = at % 70; depth >= 0; depth -= 1) deep = { items: [deep] };
  return deep;
}

/** The same key, its first character written as an escape every other time. */
function respelled(written: string, at: number): string {
  const text = JSON.parse(written) as string;
  if (at % 3 !== 0 || text === '') return written;
  return `"\\u${text.charCodeAt(0).toString(16).padStart(4, '0')}${JSON.stringify(text.slice(1)).slice(1)}`;
}
