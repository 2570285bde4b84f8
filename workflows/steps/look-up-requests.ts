// Requests to look a payment up at its provider. Those that arrive while a look-up runs share the next one. No caller
// waits while the provider does not answer: Temporal allows a run ten updates under way, and a person's decision needs
// one of them.
import { waitUntil } from './deadline-timer.js';

export class LookUpRequests {
  private requested = 0;
  private started = 0;
  private answered = 0;
  /** Reports that the look-up under way has no answer at once. */
  private isSilent = false;

  /** Requests a look-up. */
  request(): number {
    this.requested += 1;
    return this.requested;
  }

  /** A look-up was requested and has not started. */
  get isRequested(): boolean {
    return this.requested > this.started;
  }

  /** Starts a look-up, which serves every request so far. `withdraw` puts them back if it is not made. */
  start(): { readonly answer: () => void; readonly unanswered: () => void; readonly withdraw: () => void } {
    const upTo = this.requested;
    const before = this.started;
    this.started = upTo;
    return {
      answer: () => {
        this.isSilent = false;
        this.answered = Math.max(this.answered, upTo);
      },
      // The look-up continues: callers who wait, and those who arrive before it ends, get what is known so far.
      unanswered: () => (this.isSilent = true),
      withdraw: () => {
        this.isSilent = false;
        this.started = Math.min(this.started, before);
      },
    };
  }

  /** Requests a look-up and waits until it is answered, or known to have no answer at once. */
  async requestAnswer(): Promise<void> {
    const request = this.request();
    await waitUntil(() => this.answered >= request || this.isSilent);
  }
}
