// Look-ups after a callback. A provider may call back before its own answers show what happened: then the payment is
// looked up again a few times within two minutes, and no callback has to come twice.
import { now, secondsAfter } from './clock.js';

/** Pauses before the payment is looked up again. */
const PAUSES_SECONDS = [2, 5, 15, 60] as const;

/** Look-ups that changed nothing so far, and when the next is due; `null` while one is under way. */
interface Plan {
  readonly made: number;
  readonly nextAt: string | null;
}

export class NoticedLookUps {
  private plan: Plan | null = null;

  /** A callback came: its look-up is requested at once, and the pauses start over. */
  noticed(): void {
    this.plan = { made: 0, nextAt: null };
  }

  /** When the payment is looked up again; `null` if that is not planned. */
  get nextAt(): string | null {
    return this.plan?.nextAt ?? null;
  }

  /** A look-up was answered. If it changed nothing after a callback, the next one is planned. */
  answered({ isUnchanged }: { readonly isUnchanged: boolean }): void {
    if (this.plan === null) return;
    const { made } = this.plan;
    const pause = PAUSES_SECONDS[made];
    const isPlanned = isUnchanged && pause !== undefined;
    this.plan = isPlanned ? { made: made + 1, nextAt: secondsAfter(now(), pause) } : null;
  }

  /** Whether the planned look-up is due. Its time is reset: the caller requests it. */
  takeDue(): boolean {
    const { plan } = this;
    if (plan?.nextAt == null || plan.nextAt > now()) return false;
    this.plan = { ...plan, nextAt: null };
    return true;
  }
}
