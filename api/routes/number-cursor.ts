// The cursor of a list whose rows are numbered.

/** base64url of the row's number. */
export function encodeNumberCursor(id: bigint): string {
  return Buffer.from(id.toString(), 'utf8').toString('base64url');
}

/** `null` for any text that `encodeNumberCursor` does not make. */
export function decodeNumberCursor(cursor: string): bigint | null {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  return /^[1-9][0-9]{0,17}$/.test(text) && encodeNumberCursor(BigInt(text)) === cursor ? BigInt(text) : null;
}
