// Requests to look a payment up at its provider. Those that arrive while a look-up runs share the next one.
import { waitUntil } from './deadline-timer.js';

export class LookUpRequests {
  private requested = 0;
  private started = 0;
  private answered = 0;

  /** Requests a look-up. */
  request(): number {
    this.requested += 1;
    return this.requested;
  }

  /** A look-up was requested and has not started. */
  get isRequested(): boolean {
    return this.requested > this.started;
  }

  /** A look-up starts: it serves every request so far. `withdraw` puts them back if it is not made. */
  start(): { readonly answer: () => void; readonly withdraw: () => void } {
    const upTo = this.requested;
    const before = this.started;
    this.started = upTo;
    return {
      // The provider answered, or does not answer at once: those who wait get what is known.
      answer: () => (this.answered = Math.max(this.answered, upTo)),
      withdraw: () => (this.started = Math.min(this.started, before)),
    };
  }

  /** Requests a look-up and waits until it is answered, or known to have no answer at once. */
  async requestAnswer(): Promise<void> {
    const request = this.request();
    await waitUntil(() => this.answered >= request, null, 'the look-up is answered');
  }
}
