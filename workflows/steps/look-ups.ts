// The look-ups of a payment at its provider that somebody requested. Those that are requested while one runs share the
// next one. No caller waits while the provider does not answer: Temporal allows a run ten updates under way, and a
// person's decision needs one of them.
import { now, secondsAfter, waitUntil } from './time.js';

/**
 * Pauses before a payment is looked up again after a callback. A provider may call back before its own answers show
 * what happened; so no callback has to come twice.
 */
const NOTICED_PAUSES_SECONDS = [2, 5, 15, 60] as const;

export class LookUps {
  private requested = 0;
  private started = 0;
  private answered = 0;
  /** Reports that the look-up under way has no answer at once. */
  private isSilent = false;
  /** Look-ups after a callback that changed nothing so far, and when the next is due; `null` while one is under way. */
  private plan: { readonly made: number; readonly nextAt: string | null } | null = null;

  /** Requests a look-up. */
  request(): number {
    this.requested += 1;
    return this.requested;
  }

  /** A look-up was requested and has not started. */
  get isRequested(): boolean {
    return this.requested > this.started;
  }

  /**
   * Starts a look-up, which serves every request so far. `withdraw` puts them back if it is not made. After a callback
   * `answer` plans the next one, if this one left the payment unchanged.
   */
  start(): {
    readonly answer: (isUnchanged?: boolean) => void;
    readonly unanswered: () => void;
    readonly withdraw: () => void;
  } {
    const upTo = this.requested;
    const before = this.started;
    this.started = upTo;
    return {
      answer: (isUnchanged = false) => {
        this.isSilent = false;
        this.answered = Math.max(this.answered, upTo);
        this.planNext(isUnchanged);
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

  /** A callback came: the pauses start over. */
  noticed(): void {
    this.plan = { made: 0, nextAt: null };
  }

  /** When the payment is looked up again after a callback; `null` if that is not planned. */
  get nextAt(): string | null {
    return this.plan?.nextAt ?? null;
  }

  /** Requests the planned look-up, if it is due. */
  requestDue(): void {
    const { plan } = this;
    if (plan?.nextAt == null || plan.nextAt > now()) return;
    this.plan = { ...plan, nextAt: null };
    this.request();
  }

  private planNext(isUnchanged: boolean): void {
    if (this.plan === null) return;
    const { made } = this.plan;
    const pause = NOTICED_PAUSES_SECONDS[made];
    const isPlanned = isUnchanged && pause !== undefined;
    this.plan = isPlanned ? { made: made + 1, nextAt: secondsAfter(now(), pause) } : null;
  }
}
