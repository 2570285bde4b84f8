// Every pause of the simulator goes through here, so that tests can speed it up and closing leaves no timer behind.

/** Node fires timers beyond this at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

export class Delays {
  readonly #timers = new Set<NodeJS.Timeout>();
  #closed = false;

  /** `pace` 1 is real time; 0.05 makes every pause twenty times shorter. */
  constructor(private readonly pace: number) {}

  after(delayMs: number, action: () => void): void {
    if (this.#closed) return;
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer);
        action();
      },
      Math.min(delayMs * this.pace, LONGEST_TIMER_MS),
    );
    this.#timers.add(timer);
  }

  /** Resolves after the pause; never, once closed. */
  pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => this.after(delayMs, resolve));
  }

  close(): void {
    this.#closed = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }
}
