// Notes which callbacks were passed on, those of a second in one statement. A note that is lost in a crash lets the
// provider's repeat start one more look-up, and nothing else.
import type { Logger } from 'pino';
import { notePassedOn } from '../store/callbacks/callbacks.js';
import type { Database } from '../store/database.js';

const WAIT_MS = 1_000;
/** How many are written at once, before the second ends. */
const MOST_WAITING = 500;

export class PassedOn {
  /** Digests (hex) that are not written yet. */
  readonly #waiting = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly logger: Logger,
  ) {}

  note(digest: Uint8Array): void {
    this.#waiting.add(hexOf(digest));
    if (this.#waiting.size >= MOST_WAITING) void this.flush();
    else this.#timer ??= setTimeout(() => void this.flush(), WAIT_MS);
  }

  /** Whether it was passed on, even if the database does not show it yet. */
  has(digest: Uint8Array): boolean {
    return this.#waiting.has(hexOf(digest));
  }

  /** Writes what is waiting. Never rejects. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return (this.#writing = this.#writing.then(() => this.#write()));
  }

  async #write(): Promise<void> {
    const digests = [...this.#waiting];
    if (digests.length === 0) return;
    try {
      await notePassedOn(this.database, digests);
    } catch (error) {
      const { name } = error as Error;
      this.logger.warn({ error: name, callbacks: digests.length }, 'callbacks that were passed on could not be noted');
    }
    for (const digest of digests) this.#waiting.delete(digest);
  }
}

function hexOf(digest: Uint8Array): string {
  return Buffer.from(digest).toString('hex');
}
