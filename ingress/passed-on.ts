// Notes which callbacks were passed on, those of a second in one statement. A note that is lost in a crash lets the
// provider's repeat start one more look-up, and nothing else.
import type { Logger } from 'pino';
import { Prisma } from '../prisma/generated/client.js';
import type { Database } from '../store/database.js';
import { rowsOf } from '../store/statements.js';

const WAIT_MS = 1_000;
/** So many are written before their second is over. */
const MOST_WAITING = 500;

export class PassedOn {
  /** By digest, those that are not written yet. */
  readonly #waiting = new Map<string, Uint8Array<ArrayBuffer>>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly logger: Logger,
  ) {}

  note(digest: Uint8Array<ArrayBuffer>): void {
    this.#waiting.set(keyOf(digest), digest);
    if (this.#waiting.size >= MOST_WAITING) void this.flush();
    else this.#timer ??= setTimeout(() => void this.flush(), WAIT_MS);
  }

  /** Whether it was passed on, and the database may not know yet. */
  has(digest: Uint8Array): boolean {
    return this.#waiting.has(keyOf(digest));
  }

  /** Writes what is waiting. Never rejects. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return (this.#writing = this.#writing.then(() => this.#write()));
  }

  async #write(): Promise<void> {
    const digests = [...this.#waiting.values()];
    if (digests.length === 0) return;
    try {
      await rowsOf(
        this.database,
        Prisma.sql`
        UPDATE provider_callback SET passed_on_at = now()
        WHERE digest = ANY(${digests}::bytea[])`,
      );
    } catch (error) {
      const { name } = error as Error;
      this.logger.warn({ error: name, callbacks: digests.length }, 'callbacks that were passed on could not be noted');
    }
    for (const digest of digests) this.#waiting.delete(keyOf(digest));
  }
}

function keyOf(digest: Uint8Array): string {
  return Buffer.from(digest).toString('base64');
}
