// Publishes what a payment waits for, so that the Temporal UI always shows it: the wait, its start, the next step and
// the last error.
import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import { SEARCH_ATTRIBUTES, type WaitingFor } from '../../contract/temporal/search-attributes.js';
import { now } from './time.js';

export interface Wait {
  readonly for: WaitingFor;
  /** A call that runs at this moment, possibly past the time it was planned for. */
  readonly underWay?: { readonly what: string; readonly since: string } | null;
  /** What happens next; empty while that depends on the call under way. */
  readonly next: string;
  /** When `next` happens without further input; `null` if it depends on a person or another system. */
  readonly until: string | null;
  /** Ends in a moment, so it is shown on the payment's page only, not in the search attributes. */
  readonly isBrief?: boolean;
}

/** The wait of a payment that is over. */
export const NO_WAIT: Wait = { for: 'nothing', next: '', until: null };

/** Further search attributes of the payment, for the list in the Temporal UI. */
export interface ListFields {
  readonly reviewReasons: readonly string[];
  /** See `listSummary`; `null` keeps the value that the starter published. */
  readonly summary: string | null;
}

/** What staff see of a wait. */
interface LastingWait {
  readonly for: WaitingFor;
  /** RFC 3339. */
  readonly since: string;
  /** The last error of this wait (a code, never personal data). */
  readonly lastError: { readonly text: string; readonly at: string } | null;
}

/** The values of the search attributes, to compare them with the next ones. */
interface PublishedStatus {
  readonly status: string;
  readonly waitingFor: WaitingFor;
  readonly reviewReasons: string;
  /** `null` for the value that the starter published. */
  readonly summary: string | null;
}

/** Reports the status and the wait of one payment. */
export class StatusReporter {
  /** `null`: not known. */
  private published: PublishedStatus | null;
  private status = '';
  private wait: Wait = NO_WAIT;
  private since = now();
  /** The last wait that was not brief. It keeps its start and error when the same wait returns after a brief one. */
  private lasting: LastingWait = { for: 'nothing', since: this.since, lastError: null };

  /** `published`: the search attributes that the starter of the workflow has already set. */
  constructor(published: { readonly status: string; readonly waitingFor: WaitingFor } | null) {
    this.published = published === null ? null : { ...published, reviewReasons: '', summary: null };
  }

  /** Reports the current wait. Updates search attributes only when the status or the kind of wait changes. */
  report(status: string, wait: Wait, { reviewReasons, summary }: ListFields): void {
    const isBrief = wait.isBrief === true;
    if (status !== this.status || (!isBrief && wait.for !== this.lasting.for))
      this.lasting = { for: wait.for, since: now(), lastError: null };
    if (!isBrief) this.since = this.lasting.since;
    else if (wait.for !== this.wait.for) this.since = now();
    this.status = status;
    this.wait = wait;
    this.show();
    if (isBrief || (this.published?.status === status && this.published.waitingFor === wait.for)) return;
    this.publish({ status, waitingFor: wait.for, reviewReasons: reviewReasons.join(), summary }, reviewReasons);
  }

  /** Writes the search attributes that changed. */
  private publish(next: PublishedStatus, reviewReasons: readonly string[]): void {
    const before = this.published;
    const summary = next.summary ?? before?.summary ?? null;
    this.published = { ...next, summary };
    upsertSearchAttributes([
      ...(next.status === before?.status ? [] : [{ key: SEARCH_ATTRIBUTES.PaymentStatus, value: next.status }]),
      ...(next.waitingFor === before?.waitingFor
        ? []
        : [{ key: SEARCH_ATTRIBUTES.WaitingFor, value: next.waitingFor }]),
      ...(next.reviewReasons === before?.reviewReasons
        ? []
        : [{ key: SEARCH_ATTRIBUTES.ReviewReasons, value: [...reviewReasons] }]),
      ...(summary === null || summary === before?.summary ? [] : [{ key: SEARCH_ATTRIBUTES.Summary, value: summary }]),
    ]);
  }

  /** Shows the last error of the current wait (a code, never personal data); null clears it. */
  reportError(error: string | null): void {
    // After an error a brief wait is likely to last: the error stays with it.
    if (error !== null && this.wait.isBrief === true && this.wait.for !== this.lasting.for)
      this.lasting = { for: this.wait.for, since: this.since, lastError: null };
    this.lasting = { ...this.lasting, lastError: error === null ? null : { text: error, at: now() } };
    this.show();
  }

  private show(): void {
    const { wait, since, status } = this;
    const { lastError } = this.lasting;
    const line =
      wait.for === 'nothing'
        ? `**${status}** · nothing is awaited`
        : `**${status}** · waits for **${wait.for.replaceAll('_', ' ')}** since ${since}`;
    const errors = lastError === null ? [] : [`last error: ${lastError.text} (${lastError.at})`];
    setCurrentDetails([line, ...stepsOf(wait), ...errors].join(' · '));
  }
}

function stepsOf({ underWay = null, next, until }: Wait): string[] {
  const current =
    underWay === null ? [] : [`now: ${underWay.what} since ${underWay.since}; tries so far: Pending Activities`];
  return next === '' ? current : [...current, `next: ${next}${until === null ? '' : ` at ${until}`}`];
}
