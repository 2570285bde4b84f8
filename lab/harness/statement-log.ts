// Reads what clients send to Postgres, message by message, and keeps the text of every statement that is executed: an
// exact count of round trips over all processes, independent of libraries.

/**
 * https://www.postgresql.org/docs/current/protocol-message-formats.html: these two come before the start-up message,
 * without a type.
 */
const ENCRYPTION_REQUESTS: ReadonlySet<number> = new Set([80_877_103, 80_877_104]);

export class StatementLog {
  /** In the order in which they were sent. */
  readonly statements: string[] = [];

  forget(): void {
    this.statements.length = 0;
  }

  /** A reader for one connection's bytes from the client. */
  reader(): (chunk: Buffer) => void {
    let unread = Buffer.alloc(0);
    let isStarted = false;
    const prepared = new Map<string, string>();
    const portals = new Map<string, string>();
    const read = (type: string, body: Buffer) => {
      if (type === 'P') prepared.set(...twoTexts(body));
      else if (type === 'B') {
        const [portal, statement] = twoTexts(body);
        portals.set(portal, prepared.get(statement) ?? '');
      } else if (type === 'E') this.statements.push(portals.get(textAt(body, 0)) ?? '');
      else if (type === 'Q') this.statements.push(textAt(body, 0));
    };
    return (chunk) => {
      unread = Buffer.concat([unread, chunk]);
      for (;;) {
        const typeBytes = isStarted ? 1 : 0;
        if (unread.length < typeBytes + 4) return;
        const length = unread.readInt32BE(typeBytes);
        if (unread.length < typeBytes + length) return;
        const body = unread.subarray(typeBytes + 4, typeBytes + length);
        if (isStarted) read(String.fromCharCode(unread[0] ?? 0), body);
        else isStarted = !ENCRYPTION_REQUESTS.has(body.readInt32BE(0));
        unread = unread.subarray(typeBytes + length);
      }
    };
  }
}

function textAt(body: Buffer, start: number): string {
  return body.toString('utf8', start, body.indexOf(0, start));
}

/** Parse: the statement's name and its text. Bind: the portal and the statement's name. */
function twoTexts(body: Buffer): [string, string] {
  const end = body.indexOf(0);
  return [textAt(body, 0), textAt(body, end + 1)];
}
