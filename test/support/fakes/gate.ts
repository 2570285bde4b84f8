// Holds a fake's answer back until a test lets it go. A running activity stops time: never sleep behind a closed gate.

export class Gate {
  private waiting: (() => void)[] = [];
  private isClosed = false;
  private arrivals = 0;

  close(): void {
    this.isClosed = true;
  }

  open(): void {
    this.isClosed = false;
    this.waiting.splice(0).forEach((go) => go());
  }

  /** How many stand before the gate. */
  get queue(): number {
    return this.waiting.length;
  }

  /** How many have come, passed or not. */
  get arrived(): number {
    return this.arrivals;
  }

  async passed(): Promise<void> {
    this.arrivals += 1;
    if (this.isClosed) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }
}
