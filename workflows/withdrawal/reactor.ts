// The withdrawal's loop: takes one item at a time from the inbox and applies it by the state table. Calls to the
// provider, the key directory and the rules run beside the loop, so that a slow call never delays a cancel.
import { allHandlersFinished, ApplicationFailure } from '@temporalio/workflow';
import { NO_SUCH_PAYMENT } from '../../contract/temporal/deposit.js';
import { listSummary } from '../../contract/temporal/search-attributes.js';
import type {
  WithdrawalActionOutcome,
  WithdrawalReview,
  WriteOffDecision,
  WriteOffOutcome,
} from '../../contract/temporal/withdrawal.js';
import type { ReviewDecision } from '../../domain/deposit.js';
import { isSamePerson } from '../../domain/people.js';
import {
  approvalsNeeded,
  isWithdrawalClosed,
  withdrawalAllows,
  type WithdrawalSnapshot,
} from '../../domain/withdrawal.js';
import { BackgroundCalls } from '../steps/background-calls.js';
import { now } from '../steps/clock.js';
import { DeadlineTimer, waitUntil } from '../steps/deadline-timer.js';
import { Inbox, newReply, type Reply } from '../steps/inbox.js';
import { StatusReporter } from '../steps/status-reporter.js';
import { currentWait } from './current-wait.js';
import { Dispatch } from './dispatch.js';
import type { PayoutItem, WithdrawalItem } from './inbox-item.js';
import { KeyCheck } from './key-check.js';
import { LookUps } from './look-ups.js';
import { applyPayout } from './payouts.js';
import type { WithdrawalRecord } from './record.js';
import { UnknownOutcome } from './unknown-outcome.js';
import { WriteOff } from './write-off.js';

/** What the withdrawal does at its next deadline. */
interface Deadline {
  /** RFC 3339; null: none is set. */
  readonly at: string | null;
  /** Names the timer in the Temporal UI. */
  readonly what: string;
  readonly act: () => void;
}

const NO_DEADLINE: Deadline = { at: null, what: '', act: () => undefined };

export class WithdrawalReactor {
  private record: WithdrawalRecord | null = null;
  private refused = false;
  private readonly inbox = new Inbox<WithdrawalItem>();
  private readonly reporter = new StatusReporter(null);
  private readonly timer = new DeadlineTimer();
  private readonly background = new BackgroundCalls();
  private readonly put = (item: WithdrawalItem) => this.inbox.put(item);
  private readonly outcome = new UnknownOutcome(this.reporter);
  private readonly keyCheck = new KeyCheck(this.background, this.reporter, this.put);
  private readonly writeOff = new WriteOff(this.background, this.put);
  private readonly lookUps = new LookUps(this.background, {
    answered: (payout, replies) => this.put({ kind: 'payout', payout, replies }),
    unanswered: (error) => this.outcome.unanswered(error),
  });
  private readonly dispatch = new Dispatch({
    background: this.background,
    reporter: this.reporter,
    lookUps: this.lookUps,
    outcome: this.outcome,
    put: this.put,
    reportWait: (record) => this.reportWait(record),
  });

  /** The withdrawal as it is stored; null before it exists. */
  get withdrawal(): WithdrawalSnapshot | null {
    return this.record?.withdrawal ?? null;
  }

  /** Starts with a stored withdrawal. `lookupEndToEndId`: the key look-up that its decision used, if any. */
  open(record: WithdrawalRecord, lookupEndToEndId: string | null): void {
    this.record = record;
    this.keyCheck.open(lookupEndToEndId, record.withdrawal.status === 'requested');
  }

  /** Puts a request into the inbox and waits for its answer. */
  async ask<Answer>(item: (reply: Reply<Answer>) => WithdrawalItem): Promise<Answer> {
    if (this.refused) throw ApplicationFailure.nonRetryable('there is no such withdrawal', NO_SUCH_PAYMENT);
    const reply = newReply<Answer>();
    this.inbox.put(item(reply));
    return reply.promise;
  }

  /** A provider callback arrived: look the payout up. */
  notice(): void {
    this.inbox.put({ kind: 'refresh', reply: null });
  }

  /** The withdrawal was not created: every later request fails with `NO_SUCH_PAYMENT`. */
  refuseAll(): void {
    this.refused = true;
  }

  /** Runs until the withdrawal is closed and nothing is under way. */
  async run(): Promise<void> {
    const { record } = this;
    if (record === null) throw new Error('the withdrawal is not open');
    for (;;) {
      if (record.withdrawal.status === 'approved' && this.dispatch.state.phase === 'due')
        this.dispatch.startCheck(record);
      this.reportWait(record);
      this.setTimers(record);
      await waitUntil(() => !this.inbox.isEmpty || this.isDue || this.isOver(record), null, 'inbox');
      const item = this.inbox.take();
      if (item !== undefined) await this.apply(record, item);
      else if (this.outcome.isDue) await this.outcome.raise(record);
      else if (this.timer.isDue) this.deadline(record).act();
      else return;
    }
  }

  private get isDue(): boolean {
    return this.outcome.isDue || this.timer.isDue;
  }

  private isOver({ withdrawal, publisher }: WithdrawalRecord): boolean {
    return (
      isWithdrawalClosed(withdrawal.status) &&
      this.inbox.isEmpty &&
      this.background.isIdle &&
      publisher.isIdle &&
      allHandlersFinished()
    );
  }

  private async apply(record: WithdrawalRecord, item: WithdrawalItem): Promise<void> {
    switch (item.kind) {
      case 'cancel':
        return this.cancel(record, item.reply);
      case 'review':
        return this.review(record, item.review, item.reply);
      case 'write_off':
        return this.decideWriteOff(record, item.decision, item.reply);
      case 'refresh':
        return this.refresh(record, item.reply);
      case 'key_verdict':
        return this.keyCheck.answered(record, item);
      case 'dispatch_verdict':
        return this.dispatch.checked(record, item.answer, this.keyCheck.lookupEndToEndId);
      case 'send_result':
        return this.dispatch.sent(record, item.result);
      case 'payout':
        return this.payoutLookedUp(record, item);
      case 'last_look':
        return this.writeOff.lastLooked(record, item);
    }
  }

  private async cancel(record: WithdrawalRecord, reply: Reply<WithdrawalActionOutcome>): Promise<void> {
    const { status } = record.withdrawal;
    const possible = withdrawalAllows('cancel', status) && !(status === 'approved' && this.dispatch.hasLeft);
    if (possible) await record.moveAsAsked('cancel');
    reply.answer({
      kind: possible || status === 'cancelled' ? 'done' : 'invalid_state',
      withdrawal: record.withdrawal,
    });
  }

  private async review(
    record: WithdrawalRecord,
    { decision, person, reason }: WithdrawalReview,
    reply: Reply<WithdrawalActionOutcome>,
  ): Promise<void> {
    const { withdrawal } = record;
    const { decision: decided } = withdrawal;
    if (!withdrawalAllows(decision, withdrawal.status)) return reply.answer({ kind: 'invalid_state', withdrawal });
    // The same person cannot approve twice, but may refuse what they approved.
    if (decision === 'approve' && decided.decidedBy.some((earlier) => isSamePerson(earlier.person, person)))
      return reply.answer({ kind: 'same_person', withdrawal });
    const decidedBy: ReviewDecision[] = [...decided.decidedBy, { person, decision, reason, at: now() }];
    const isLast = decision === 'refuse' || decidedBy.length >= approvalsNeeded(decided.reasons);
    const change = { decision: { ...decided, decidedBy, decidedAt: isLast ? now() : null } };
    if (isLast) await record.moveAsAsked(decision, change);
    else await record.note(change);
    reply.answer({ kind: 'done', withdrawal: record.withdrawal });
  }

  private async decideWriteOff(
    record: WithdrawalRecord,
    decision: WriteOffDecision,
    reply: Reply<WriteOffOutcome>,
  ): Promise<void> {
    const { withdrawal } = record;
    if (withdrawal.status !== 'approved' || this.dispatch.state.phase !== 'sent')
      return reply.answer({ kind: 'invalid_state', withdrawal });
    return this.writeOff.decide(record, decision, reply);
  }

  /** `reply` is null for a provider callback. */
  private async refresh(record: WithdrawalRecord, reply: Reply<WithdrawalSnapshot> | null): Promise<void> {
    const { status } = record.withdrawal;
    const nothingSent = !isWithdrawalClosed(status) && status !== 'processing' && !this.dispatch.hasLeft;
    if (nothingSent) return reply?.answer(record.withdrawal);
    if (reply !== null) this.lookUps.join(reply);
    // A callback proves that the provider knows the payout.
    else this.writeOff.foundTrace();
    // The send's own reply comes first; the look-up follows it.
    if (this.lookUps.since !== null || this.dispatch.state.phase === 'sending') this.lookUps.request();
    else this.lookUps.start(record.order);
  }

  private async payoutLookedUp(record: WithdrawalRecord, { payout, replies }: PayoutItem): Promise<void> {
    this.reporter.reportError(null);
    if (payout !== null) {
      this.writeOff.foundTrace();
      await applyPayout(record, payout);
    } else if (record.withdrawal.status === 'approved') {
      // "Not found" proves nothing: the payout may still arrive. Look-ups continue until one is conclusive.
      this.writeOff.foundNothing();
      await this.outcome.nothingFound(record);
    }
    replies.forEach((reply) => reply.answer(record.withdrawal));
  }

  private setTimers(record: WithdrawalRecord): void {
    const { withdrawal } = record;
    if (isWithdrawalClosed(withdrawal.status) || this.lookUps.since !== null) this.timer.suspend();
    else {
      const { at, what } = this.deadline(record);
      this.timer.set(at, what);
    }
    this.outcome.watch(withdrawal);
  }

  private deadline(record: WithdrawalRecord): Deadline {
    switch (record.withdrawal.status) {
      case 'requested': {
        const { runningSince, nextAt } = this.keyCheck;
        const at = runningSince === null ? nextAt : null;
        return { at, what: 'ask DICT again for the holder of the key', act: () => this.keyCheck.start(record) };
      }
      case 'approved':
        return this.dispatchDeadline(record);
      case 'processing':
        return this.lookUpDeadline(record);
      case 'under_review':
      case 'paid':
      case 'rejected':
      case 'failed':
      case 'cancelled':
      case 'returned':
        return NO_DEADLINE;
    }
  }

  private dispatchDeadline(record: WithdrawalRecord): Deadline {
    const { state } = this.dispatch;
    switch (state.phase) {
      case 'waiting':
        return { at: state.until, what: 'check again whether it can be sent', act: () => this.dispatch.recheck() };
      case 'sent':
        return this.lookUpDeadline(record);
      case 'due':
      case 'checking':
      case 'sending':
        return NO_DEADLINE;
    }
  }

  private lookUpDeadline({ order }: WithdrawalRecord): Deadline {
    return { at: this.lookUps.nextAt, what: 'look the payout up again', act: () => this.lookUps.start(order) };
  }

  private reportWait(record: WithdrawalRecord): void {
    const { withdrawal, order } = record;
    const { reasons } = withdrawal.decision;
    const operatorReasons = order.operatorReasons === 0 ? [] : [`OP: ${order.operatorReasons}`];
    const summary = listSummary(order, [...reasons, ...operatorReasons]);
    const { keyCheck, lookUps, writeOff } = this;
    const wait = currentWait(record, { keyCheck, dispatch: this.dispatch.state, lookUps, writeOff });
    this.reporter.report(withdrawal.status, wait, { reviewReasons: reasons, summary });
  }
}
