// The alert for a send whose outcome is unknown. It has its own timer, so that it is raised even when no look-up is
// answered.
import { isWithdrawalClosed, type WithdrawalSnapshot } from '../../domain/withdrawal.js';
import { now, secondsAfter } from '../steps/clock.js';
import { DeadlineTimer } from '../steps/deadline-timer.js';
import type { StatusReporter } from '../steps/status-reporter.js';
import type { WithdrawalRecord } from './record.js';

/** Time from the send to the alert, whether look-ups find nothing or get no answer. */
const ALERT_SECONDS = 120;

export class UnknownOutcome {
  private readonly timer = new DeadlineTimer();
  /** Null while the outcome of the send is known, or nothing was sent. */
  private alertAt: string | null = null;
  private reason = '';
  private isRaised = false;
  /** Why the running look-up has no answer yet; null when the last one was answered. */
  private lookUpError: string | null = null;

  constructor(private readonly reporter: StatusReporter) {}

  /** True once the alert is due. */
  get isDue(): boolean {
    return this.timer.isDue;
  }

  /** The send ended without a known outcome, for `reason` (a code). */
  begin(reason: string): void {
    this.reason = reason;
    this.alertAt = secondsAfter(now(), ALERT_SECONDS);
    this.isRaised = false;
    this.reportUnknown();
  }

  /** Sets the timer, or removes it once the outcome is known. A withdrawal whose send was answered never has it. */
  watch({ status }: WithdrawalSnapshot): void {
    if (this.alertAt === null || this.isRaised || isWithdrawalClosed(status)) return this.timer.suspend();
    this.timer.set(status === 'approved' ? this.alertAt : null, 'alert: payout outcome unknown');
  }

  /** The provider has not answered a look-up for a while. The look-up continues. */
  unanswered(error: string): void {
    this.lookUpError = error;
    this.reporter.reportError(`the provider does not answer look-ups (${error})`);
  }

  /** A look-up was answered, and nothing was found. */
  async nothingFound(record: WithdrawalRecord): Promise<void> {
    if (this.alertAt === null) return;
    this.lookUpError = null;
    this.reportUnknown();
    // A person may have resolved the alert. It is raised again while its condition holds.
    if (this.isRaised) await this.raise(record);
  }

  async raise(record: WithdrawalRecord): Promise<void> {
    this.isRaised = true;
    if (record.withdrawal.status !== 'approved') return;
    const { lookUpError } = this;
    const detail =
      lookUpError === null
        ? 'the provider shows no trace of it yet'
        : `the provider does not answer look-ups (${lookUpError})`;
    await record.alert('PAYOUT_OUTCOME_UNKNOWN', detail);
  }

  private reportUnknown(): void {
    this.reporter.reportError(`the outcome of the send is unknown (${this.reason})`);
  }
}
