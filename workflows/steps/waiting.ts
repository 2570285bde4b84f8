// What a payment waits for, said in one place: every wait goes through here, so that the Temporal UI can always tell what
// is awaited, since when, what happens next and what went wrong last.
import { CancellationScope, condition, isCancellation, setCurrentDetails, sleep, upsertSearchAttributes } from '@temporalio/workflow';
import { SEARCH_ATTRIBUTES, type WaitingFor } from '../../contract/temporal/search-attributes.js';
import { millisecondsUntil, now } from './clock.js';

export interface Wait {
  readonly for: WaitingFor;
  /** What happens next, in words. */
  readonly next: string;
  /** When it happens by itself; null where somebody or something else must act. */
  readonly until: string | null;
  /** Over in a moment: said on the payment's page, not in the search attributes. */
  readonly isBrief?: boolean;
}

/** The waiting line of one payment. */
export class Waiting {
  private status = '';
  private wait: Wait = { for: 'nothing', next: '', until: null };
  private since = now();
  private lastError: string | null = null;

  /** `published`: what the starter of the workflow has put into the search attributes already. */
  constructor(private published: { status: string; waitingFor: WaitingFor } | null) {}

  /** Says what is awaited from now on. Search attributes change only when the kind of wait or the status does. */
  say(status: string, wait: Wait, reviewReasons: readonly string[]): void {
    if (wait.for !== this.wait.for || status !== this.status) {
      this.since = now();
      this.lastError = null;
    }
    this.status = status;
    this.wait = wait;
    this.show();
    if (wait.isBrief === true || (this.published?.status === status && this.published.waitingFor === wait.for)) return;
    this.published = { status, waitingFor: wait.for };
    upsertSearchAttributes([
      { key: SEARCH_ATTRIBUTES.PaymentStatus, value: status },
      { key: SEARCH_ATTRIBUTES.WaitingFor, value: wait.for },
      { key: SEARCH_ATTRIBUTES.ReviewReasons, value: [...reviewReasons] },
    ]);
  }

  /** Notes the last thing that went wrong; a code, never personal data. */
  note(error: string): void {
    this.lastError = error;
    this.show();
  }

  private show(): void {
    const { wait, since, lastError, status } = this;
    const when = wait.until === null ? '' : ` at ${wait.until}`;
    const line =
      wait.for === 'nothing'
        ? `**${status}** · nothing is awaited`
        : `**${status}** · waits for **${wait.for.replaceAll('_', ' ')}** since ${since} · next: ${wait.next}${when}`;
    setCurrentDetails(lastError === null ? line : `${line} · last error: ${lastError}`);
  }
}

/**
 * The one standing deadline of a payment: a durable timer that is set anew only when the deadline changes, so that a
 * payment that is looked at often does not fill its history with timers.
 */
export class Alarm {
  private deadline: string | null = null;
  private scope: CancellationScope | null = null;
  private ringing = false;
  private silent = false;

  /** True once the deadline has passed; `set` to another deadline silences it. */
  get rings(): boolean {
    return this.ringing && !this.silent;
  }

  /** Nobody heeds it until it is set again. Its timer is left alone: taking it away would cost more than letting it be. */
  silence(): void {
    this.silent = true;
  }

  /** Sets, moves or (null) removes the deadline. `reason` names the timer in the Temporal UI. */
  set(deadline: string | null, reason: string): void {
    this.silent = false;
    if (deadline === this.deadline) return;
    this.scope?.cancel();
    this.scope = null;
    this.deadline = deadline;
    this.ringing = false;
    if (deadline !== null) this.start(deadline, reason);
  }

  private start(deadline: string, reason: string): void {
    const scope = new CancellationScope();
    this.scope = scope;
    const ring = async () => {
      await sleep(Math.max(1, millisecondsUntil(deadline)), { summary: `${reason} at ${deadline}` });
      this.ringing = true;
    };
    void scope.run(ring).catch((error: unknown) => {
      if (!isCancellation(error)) throw error;
    });
  }
}

/**
 * Waits until something is true or an instant has come; the one helper under every wait. Answers whether it became true.
 * `reason` names the timer in the Temporal UI.
 */
export async function waitUntil(isTrue: () => boolean, deadline: string | null, reason: string): Promise<boolean> {
  if (deadline === null) {
    await condition(isTrue);
    return true;
  }
  if (isTrue()) return true;
  const milliseconds = millisecondsUntil(deadline);
  return milliseconds === 0 ? false : condition(isTrue, milliseconds, { summary: `${reason} at ${deadline}` });
}
