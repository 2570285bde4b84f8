// The cursor of a list whose rows are numbered.

/** base64url of the row's number. */
function encodeNumberCursor(id: bigint): string {
  return Buffer.from(id.toString(), 'utf8').toString('base64url');
}

/** `null` for any text that `encodeNumberCursor` does not make. */
export function decodeNumberCursor(cursor: string): bigint | null {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  return /^[1-9][0-9]{0,17}$/.test(text) && encodeNumberCursor(BigInt(text)) === cursor ? BigInt(text) : null;
}

/** The cursor behind the last row of a page; `null` if no page follows. */
export function cursorBehind(rows: readonly { readonly id: bigint | string }[], hasMore: boolean): string | null {
  const last = rows.at(-1);
  return hasMore && last !== undefined ? encodeNumberCursor(BigInt(last.id)) : null;
}
