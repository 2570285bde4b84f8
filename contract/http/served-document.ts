// The contract as it is served. Programs generate clients from it, so it says what an operator must tolerate: lists
// that may grow are open, answers may have more fields, and a refusal is one type whatever its code. Tests hold the
// gateway to the strict document that this is made from.

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
type Fields = { readonly [name: string]: Json };

const isFields = (value: Json | undefined): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Fields of wire and SWIFT that hold text; the others that are always null today hold an object. */
const NULL_TEXTS: readonly string[] = ['rail', 'charge_bearer'];
const PROBLEM = '#/components/schemas/Problem';

/** The document with open answers. Its requests stay closed: the gateway refuses what they do not name. */
export function servedDocument(strict: object): Fields {
  const document = JSON.parse(JSON.stringify(strict)) as Fields;
  const components = document['components'] as { readonly schemas: Readonly<Record<string, Json>> };
  const asked = requested(document, components.schemas);
  const schemas = Object.entries(components.schemas).map(([name, schema]) => [
    name,
    generatable(asked.has(name) ? schema : opened(schema)),
  ]);
  const rest = generatable({ ...document, components: { ...components, schemas: {} } }) as Fields;
  return { ...rest, components: { ...(rest['components'] as Fields), schemas: Object.fromEntries(schemas) as Fields } };
}

/** The schemas of request bodies, and everything below them. */
function requested(document: Fields, schemas: Readonly<Record<string, Json>>): ReadonlySet<string> {
  const bodies = Object.values(document['paths'] as Record<string, Fields>).flatMap((path) =>
    Object.values(path).map((operation) => (operation as Fields)['requestBody'] ?? null),
  );
  const found = new Set(namesIn(bodies));
  for (const name of found) for (const below of namesIn(schemas[name] ?? null)) found.add(below);
  return found;
}

function namesIn(value: Json): string[] {
  return [...JSON.stringify(value).matchAll(/"#\/components\/schemas\/([A-Za-z]+)"/g)].map(([, name]) => name!);
}

/** Every known value stays readable, and none is the only one. */
function opened(schema: Json): Json {
  return mapped(schema, (fields) => {
    const { enum: known, const: only, additionalProperties: more, ...others } = fields;
    const values = known ?? (typeof only === 'string' ? [only] : undefined);
    return {
      ...others,
      ...(values === undefined ? {} : { type: 'string', 'x-extensible-enum': values }),
      ...(typeof only === 'boolean' ? { type: 'boolean' } : {}),
      ...(more === undefined || more === false ? {} : { additionalProperties: more }),
    };
  });
}

/** Without what generators of Go, Java and Python cannot express, where it says nothing that a description does not. */
function generatable(value: Json): Json {
  return mapped(value, (fields, name) => {
    // As an alternative it says that a value may be null; as a field, that today it always is.
    if (fields['type'] === 'null' && name !== 'anyOf')
      return { ...fields, type: [NULL_TEXTS.includes(name) ? 'string' : 'object', 'null'] };
    const { anyOf, allOf, ...others } = fields;
    if (Array.isArray(anyOf) && name === 'existing') return { ...others, type: 'object' };
    if (Array.isArray(anyOf) && anyOf.every((one) => isFields(one) && Object.keys(one).join() === 'format'))
      return others;
    const orNull = nullable(anyOf);
    if (orNull !== null) return { ...others, ...orNull };
    const [first, second] = Array.isArray(allOf) ? allOf : [];
    if (isFields(first) && isFields(second) && first['$ref'] === PROBLEM)
      return { $ref: PROBLEM, 'x-codes': ((second['properties'] as Fields)['code'] as Fields)['enum'] ?? [] };
    return fields;
  });
}

/** One typed alternative or null, as one schema; `null` for anything else. */
function nullable(anyOf: Json | undefined): Fields | null {
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return null;
  const [one, other] = anyOf as readonly Json[];
  if (!isFields(one) || !isFields(other) || other['type'] !== 'null' || typeof one['type'] !== 'string') return null;
  return { ...one, type: [one['type'], 'null'] };
}

/** Every object of the value, the innermost first, with the name of its field. */
function mapped(value: Json, change: (fields: Fields, name: string) => Fields, name = ''): Json {
  if (Array.isArray(value)) return value.map((item: Json) => mapped(item, change, name));
  if (!isFields(value)) return value;
  // Examples are values, not schemas.
  const entries = Object.entries(value).map(([field, inner]) =>
    field === 'example' || field === 'examples' ? [field, inner] : [field, mapped(inner, change, field)],
  );
  return change(Object.fromEntries(entries) as Fields, name);
}
