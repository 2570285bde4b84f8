// The fields that a provider documents, by object. Others are ignored, and reported as drift.

/** `null` if the content does not matter here. In brackets: a list of such. */
export interface KnownShape {
  readonly [field: string]: KnownShape | readonly [KnownShape] | null;
}

/** By their names, separated by spaces; what is inside them does not matter. */
export function fields(names: string): KnownShape {
  return Object.fromEntries(names.split(/\s+/).map((name) => [name, null]));
}

/** Whether a body has a field that is not documented. */
export function hasUnknownField(known: KnownShape, body: unknown): boolean {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
  return Object.entries(body).some(([name, value]) => {
    if (!Object.hasOwn(known, name)) return true;
    const inside = known[name];
    if (inside === null || inside === undefined) return false;
    if (!isList(inside)) return hasUnknownField(inside, value);
    return Array.isArray(value) && value.some((item) => hasUnknownField(inside[0], item));
  });
}

function isList(known: KnownShape | readonly [KnownShape]): known is readonly [KnownShape] {
  return Array.isArray(known);
}
