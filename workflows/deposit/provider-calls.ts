// The deposit's calls to the provider: create the charge, look it up, return a payment. They run beside the loop and
// put their results into its inbox.
import { ActivityFailure, isCancellation } from '@temporalio/workflow';
import type { ChargeFindings } from '../../activities/types.js';
import type { DepositActionOutcome } from '../../contract/temporal/deposit.js';
import type { DepositSnapshot, ReviewDecision } from '../../domain/deposit.js';
import { formatBrl } from '../../domain/money.js';
import { type CallLimit, provider, providerBriefly } from '../steps/activity-proxies.js';
import type { BackgroundCalls } from '../steps/background-calls.js';
import { callUntilAnswered, errorCodeOf } from '../steps/call-until-answered.js';
import { now, secondsAfter } from '../steps/clock.js';
import { waitUntil } from '../steps/deadline-timer.js';
import type { Reply } from '../steps/inbox.js';
import type { StatusReporter } from '../steps/status-reporter.js';
import { examineCharge } from './examination.js';
import type { DepositItem } from './inbox-item.js';
import type { DepositRecord } from './record.js';

/** Pause between calls that ask whether a return to the payer is done. */
const RETURN_POLL_SECONDS = 10;

/** When each running call started; null while it does not run. */
export interface CallsUnderWay {
  readonly charge: string | null;
  readonly lookUp: string | null;
  readonly return: string | null;
  readonly lastLook: string | null;
}

export class ProviderCalls {
  private running: CallsUnderWay = { charge: null, lookUp: null, return: null, lastLook: null };
  /** Answered by the next look-up. */
  private replies: Reply<DepositSnapshot>[] = [];
  private lookUpAgain = false;

  constructor(
    private readonly background: BackgroundCalls,
    private readonly reporter: StatusReporter,
    private readonly put: (item: DepositItem) => void,
  ) {}

  get underWay(): CallsUnderWay {
    return this.running;
  }

  /** Creates the charge. Repeats the call until the provider answers. */
  startCharge({ order }: DepositRecord): void {
    this.mark('charge', now());
    const summary = `create the charge of ${formatBrl(BigInt(order.amountMinor))}`;
    this.background.start(async () => {
      const call = (limit: CallLimit) => provider.createCharge(summary, { order }, limit);
      const result = await callUntilAnswered(call, (error) => this.unanswered(error));
      this.mark('charge', null);
      this.put({ kind: 'charge_result', result });
    });
  }

  /** Looks the charge up. Requests that arrive while a look-up runs share one more. */
  lookUp(record: DepositRecord, reply: Reply<DepositSnapshot> | null): void {
    if (reply !== null) this.replies.push(reply);
    if (this.running.lookUp !== null) this.lookUpAgain = true;
    else this.startLookUp(record);
  }

  /** Returns the payment to its payer. Repeats the call until the return is done or refused. */
  startReturn({ order, deposit }: DepositRecord, decision: ReviewDecision, reply: Reply<DepositActionOutcome>): void {
    const { endToEndId, paidAmountMinor } = deposit;
    if (endToEndId === null || paidAmountMinor === null) return reply.answer({ kind: 'invalid_state', deposit });
    this.mark('return', now());
    const summary = `return ${formatBrl(BigInt(paidAmountMinor))} to the payer`;
    const input = { order, endToEndId, amountMinor: paidAmountMinor };
    this.background.start(async () => {
      for (;;) {
        const call = (limit: CallLimit) => provider.returnPayment(summary, input, limit);
        const result = await callUntilAnswered(call, (error) => this.unanswered(error));
        if (result.kind !== 'pending') return this.put({ kind: 'return_result', result, decision, reply });
        await waitUntil(() => false, secondsAfter(now(), RETURN_POLL_SECONDS), 'ask again whether the return is done');
      }
    });
  }

  /** The result of the return is applied. */
  returnEnded(): void {
    this.mark('return', null);
  }

  /** Marks the last look-up before expiry as started (`since`) or ended (null). */
  markLastLook(since: string | null): void {
    this.mark('lastLook', since);
  }

  /**
   * Looks the charge up once before it expires. Null: the provider did not answer, so a later payment counts as late.
   */
  async lastLook({ order }: DepositRecord): Promise<ChargeFindings | null> {
    try {
      return await providerBriefly.lookUpCharge('look once more before it expires', { order });
    } catch (error) {
      if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
      this.reporter.reportError(`the provider could not be asked before expiry (${errorCodeOf(error)})`);
      return null;
    }
  }

  private startLookUp(record: DepositRecord): void {
    const replies = this.replies.splice(0);
    this.mark('lookUp', now());
    this.lookUpAgain = false;
    this.background.start(async () => {
      const examination = await examineCharge(record, (error) => this.unanswered(error));
      this.reporter.reportError(null);
      this.put({ kind: 'examined', examination, replies });
      this.mark('lookUp', null);
      if (this.lookUpAgain) this.startLookUp(record);
    });
  }

  private unanswered(error: string): void {
    this.reporter.reportError(`the provider does not answer (${error})`);
  }

  private mark(call: keyof CallsUnderWay, since: string | null): void {
    this.running = { ...this.running, [call]: since };
  }
}
