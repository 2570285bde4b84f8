// An operation as answers name it.

/** `null` for what is about the whole gateway. */
export function namedOperation(id: string | null, names: ReadonlyMap<string, string>) {
  return id === null ? null : { id, name: names.get(id) ?? id };
}
