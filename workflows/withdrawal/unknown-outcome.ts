// A send whose outcome nobody knows: operations staff are told by a timer of its own, however the look-ups go.
import type { WithdrawalSnapshot } from '../../domain/withdrawal.js';
import { isWithdrawalClosed } from '../../domain/withdrawal.js';
import { now, secondsAfter } from '../steps/clock.js';
import { Alarm, type Waiting } from '../steps/waiting.js';
import type { WithdrawalRecord } from './record.js';

/** So long after the send operations staff are told, whether look-ups find nothing or are not answered at all. */
const ALERT_SECONDS = 120;

export class UnknownOutcome {
  private readonly alarm = new Alarm();
  /** Null while the outcome of the send is known, or there was none. */
  private tellAt: string | null = null;
  private reason = '';
  private isTold = false;
  /** Why the look-ups have no answer; null where the last one was answered. */
  private lookUpError: string | null = null;

  constructor(private readonly waiting: Waiting) {}

  /** True once it is time to tell. */
  get isDue(): boolean {
    return this.alarm.rings;
  }

  /** Nobody knows what became of the send; `reason` is what it said. */
  begin(reason: string): void {
    this.reason = reason;
    this.tellAt = secondsAfter(now(), ALERT_SECONDS);
    this.isTold = false;
    this.note();
  }

  /** Sets the timer, or takes it away once the outcome is known. A withdrawal whose send was answered never has it. */
  watch({ status }: WithdrawalSnapshot): void {
    if (this.tellAt === null || this.isTold || isWithdrawalClosed(status)) return this.alarm.silence();
    this.alarm.set(status === 'approved' ? this.tellAt : null, 'alert: payout outcome unknown');
  }

  /** The provider has given no answer for a while, and goes on being asked. */
  unanswered(error: string): void {
    this.lookUpError = error;
    this.waiting.note(`the provider does not answer look-ups (${error})`);
  }

  /** A look-up was answered, and nothing was found. */
  async nothingFound(record: WithdrawalRecord): Promise<void> {
    if (this.tellAt === null) return;
    this.lookUpError = null;
    this.note();
    // A person may have resolved the alert meanwhile: it is raised again as long as it holds.
    if (this.isTold) await this.tell(record);
  }

  async tell(record: WithdrawalRecord): Promise<void> {
    this.isTold = true;
    if (record.withdrawal.status !== 'approved') return;
    const { lookUpError } = this;
    const detail =
      lookUpError === null
        ? 'the provider shows no trace of it yet'
        : `the provider does not answer look-ups (${lookUpError})`;
    await record.alert('PAYOUT_OUTCOME_UNKNOWN', detail);
  }

  private note(): void {
    this.waiting.note(`the outcome of the send is unknown (${this.reason})`);
  }
}
