// Opaque places in lists. They hold the position before the next page, and no personal data, because they are part of
// addresses.

export function writeCursor(parts: readonly string[]): string {
  return Buffer.from(JSON.stringify(parts), 'utf8').toString('base64url');
}

/** The given number of texts; `null` for a cursor that is not ours. */
export function readCursor(cursor: string, length: number): readonly string[] | null {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    const isOurs = Array.isArray(parts) && parts.length === length && parts.every((part) => typeof part === 'string');
    return isOurs ? (parts as string[]) : null;
  } catch {
    return null;
  }
}
