// The JSON of providers. Empty text is absence: where a bank has no value, some leave the field out and some write "".

/** The content without its empty texts; `undefined` if it is not JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text, (_, value: unknown) =>
      typeof value === 'string' && !/\S/.test(value) ? undefined : value,
    );
  } catch {
    return undefined;
  }
}

/**
 * The same of a callback's bytes. Only references are read of it, and they are ASCII: bytes that are no UTF-8, such as
 * a name in ISO-8859-1, become marks in texts that nobody reads.
 */
export function readJsonBytes(bytes: Buffer): unknown {
  return readJson(new TextDecoder('utf-8').decode(bytes));
}
