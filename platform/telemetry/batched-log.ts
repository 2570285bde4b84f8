// Lines that are stored in batches beside the work that they are about, so that nothing waits for them. What comes too
// fast, or cannot be stored, is left out and counted: such a log is an aid.
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';

const MOST_WAITING = 2_000;
const BATCH = 500;
const INTERVAL_MS = 250;
const STORE_TIMEOUT_MS = 5_000;

export class BatchedLog<Line> {
  #waiting: Line[] = [];
  #leftOut = 0;
  #storing: Promise<void> | undefined;
  readonly #timer: NodeJS.Timeout;

  constructor(
    /** What the lines are, for the process's own log. */
    private readonly name: string,
    private readonly store: (lines: readonly Line[]) => Promise<void>,
    private readonly log: Logger,
  ) {
    this.#timer = setInterval(() => void this.flush(), INTERVAL_MS);
    this.#timer.unref();
  }

  add(line: Line): void {
    if (this.#waiting.length < MOST_WAITING) this.#waiting.push(line);
    else this.#leftOut += 1;
  }

  /** Stores what waits. */
  flush(): Promise<void> {
    this.#storing ??= this.#storeAll().finally(() => (this.#storing = undefined));
    return this.#storing;
  }

  async #storeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, BATCH);
      const stored = this.store(batch).then(
        () => true,
        (error: unknown) => {
          const reason = error instanceof Error ? error.name : 'unknown';
          this.log.debug({ error: reason, log: this.name }, 'lines could not be stored');
          return false;
        },
      );
      const isStored = await Promise.race([stored, pause(STORE_TIMEOUT_MS, false, { ref: false })]);
      if (!isStored) this.#leftOut += batch.length;
    }
    if (this.#leftOut > 0) this.log.warn({ lines: this.#leftOut, log: this.name }, 'lines are missing in a log');
    this.#leftOut = 0;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }
}
