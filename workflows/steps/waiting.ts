// What a payment waits for, said in one place: every wait goes through here, so that the Temporal UI can always tell what
// is awaited, since when, what happens next and what went wrong last.
import {
  CancellationScope,
  condition,
  isCancellation,
  setCurrentDetails,
  sleep,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import { SEARCH_ATTRIBUTES, type WaitingFor } from '../../contract/temporal/search-attributes.js';
import { millisecondsUntil, now } from './clock.js';

export interface Wait {
  readonly for: WaitingFor;
  /** What is being done at this moment: a call that is under way, perhaps past the time that it was planned for. */
  readonly underWay?: { readonly what: string; readonly since: string } | null;
  /** What happens next, in words; empty where that depends on what is under way. */
  readonly next: string;
  /** When it happens by itself; null where somebody or something else must act. */
  readonly until: string | null;
  /** Over in a moment: said on the payment's page, not in the search attributes. */
  readonly isBrief?: boolean;
}

/** What the list of the Temporal UI shows besides. */
export interface Listed {
  readonly reviewReasons: readonly string[];
  /** See `listSummary`; null: what the starter has published stays. */
  readonly summary: string | null;
}

/** The waiting line of one payment. */
export class Waiting {
  private status = '';
  private wait: Wait = { for: 'nothing', next: '', until: null };
  private since = now();
  /** The last wait that was not brief: it goes on where the same comes back after a brief one. */
  private lasting: { for: WaitingFor; since: string; lastError: LastError | null } = {
    for: 'nothing',
    since: this.since,
    lastError: null,
  };

  /** `published`: what the starter of the workflow has put into the search attributes already. */
  constructor(private published: { status: string; waitingFor: WaitingFor } | null) {}

  /** Says what is awaited from now on. Search attributes change only when the kind of wait or the status does. */
  say(status: string, wait: Wait, { reviewReasons, summary }: Listed): void {
    const isBrief = wait.isBrief === true;
    if (status !== this.status || (!isBrief && wait.for !== this.lasting.for))
      this.lasting = { for: wait.for, since: now(), lastError: null };
    if (!isBrief) this.since = this.lasting.since;
    else if (wait.for !== this.wait.for) this.since = now();
    this.status = status;
    this.wait = wait;
    this.show();
    if (isBrief || (this.published?.status === status && this.published.waitingFor === wait.for)) return;
    this.published = { status, waitingFor: wait.for };
    upsertSearchAttributes([
      { key: SEARCH_ATTRIBUTES.PaymentStatus, value: status },
      { key: SEARCH_ATTRIBUTES.WaitingFor, value: wait.for },
      { key: SEARCH_ATTRIBUTES.ReviewReasons, value: [...reviewReasons] },
      ...(summary === null ? [] : [{ key: SEARCH_ATTRIBUTES.Summary, value: summary }]),
    ]);
  }

  /** Notes the last thing that went wrong in this wait (a code, never personal data); null: it is over. */
  note(error: string | null): void {
    this.lasting.lastError = error === null ? null : { text: error, at: now() };
    this.show();
  }

  private show(): void {
    const { wait, since, status } = this;
    const { lastError } = this.lasting;
    const line =
      wait.for === 'nothing'
        ? `**${status}** · nothing is awaited`
        : `**${status}** · waits for **${wait.for.replaceAll('_', ' ')}** since ${since}`;
    setCurrentDetails(
      [line, ...stepsOf(wait), ...(lastError === null ? [] : [`last error: ${lastError.text} (${lastError.at})`])].join(
        ' · ',
      ),
    );
  }
}

interface LastError {
  readonly text: string;
  readonly at: string;
}

function stepsOf({ underWay = null, next, until }: Wait): string[] {
  const current =
    underWay === null ? [] : [`now: ${underWay.what} since ${underWay.since}; tries so far: Pending Activities`];
  return next === '' ? current : [...current, `next: ${next}${until === null ? '' : ` at ${until}`}`];
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

  /** Sets, moves or (null) removes the deadline. `what` is done then: it names the timer in the Temporal UI. */
  set(deadline: string | null, what: string): void {
    this.silent = false;
    if (deadline === this.deadline) return;
    this.scope?.cancel();
    this.scope = null;
    this.deadline = deadline;
    this.ringing = false;
    if (deadline !== null) this.start(deadline, what);
  }

  private start(deadline: string, what: string): void {
    const scope = new CancellationScope();
    this.scope = scope;
    const ring = async () => {
      await sleep(Math.max(1, millisecondsUntil(deadline)), { summary: `${what} at ${deadline}` });
      this.ringing = true;
    };
    void scope.run(ring).catch((error: unknown) => {
      if (!isCancellation(error)) throw error;
    });
  }
}

/**
 * Waits until something is true or an instant has come; the one helper under every wait. Answers whether it became true.
 * `what` is done at the deadline: it names the timer in the Temporal UI.
 */
export async function waitUntil(isTrue: () => boolean, deadline: string | null, what: string): Promise<boolean> {
  if (deadline === null) {
    await condition(isTrue);
    return true;
  }
  if (isTrue()) return true;
  const milliseconds = millisecondsUntil(deadline);
  return milliseconds === 0 ? false : condition(isTrue, milliseconds, { summary: `${what} at ${deadline}` });
}
