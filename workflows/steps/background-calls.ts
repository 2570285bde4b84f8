// Calls that run beside a workflow's loop. Their results come back through the inbox.

export class BackgroundCalls {
  private running = 0;

  /** True when no call is under way. A workflow ends only then. */
  get isIdle(): boolean {
    return this.running === 0;
  }

  start(call: () => Promise<void>): void {
    this.running += 1;
    void call().finally(() => {
      this.running -= 1;
    });
  }
}
