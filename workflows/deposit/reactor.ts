// The deposit's loop: takes one item at a time from the inbox and applies it by the state table. Calls to the provider
// run beside the loop, so that a slow provider never delays a cancel or an approval.
import { allHandlersFinished, ApplicationFailure } from '@temporalio/workflow';
import type { ChargeResult } from '../../activities/types.js';
import { type DepositActionOutcome, type DepositReview, NO_SUCH_PAYMENT } from '../../contract/temporal/deposit.js';
import { listSummary } from '../../contract/temporal/search-attributes.js';
import {
  depositAllows,
  type DepositSnapshot,
  expiryOf,
  isDepositClosed,
  type ReviewDecision,
} from '../../domain/deposit.js';
import { store } from '../steps/activity-proxies.js';
import { alertNote } from '../steps/alert-note.js';
import { BackgroundCalls } from '../steps/background-calls.js';
import { now, secondsAfter } from '../steps/clock.js';
import { DeadlineTimer, waitUntil } from '../steps/deadline-timer.js';
import { Inbox, newReply, type Reply } from '../steps/inbox.js';
import { NO_WAIT, StatusReporter } from '../steps/status-reporter.js';
import { currentWait } from './current-wait.js';
import type { DepositItem, RefreshItem, ReturnItem } from './inbox-item.js';
import { applyExamination } from './payments.js';
import { ProviderCalls } from './provider-calls.js';
import type { DepositRecord } from './record.js';

/** Time after the 202 until a missing answer to the charge request becomes an alert. */
const CHARGE_ALERT_SECONDS = 300;

export class DepositReactor {
  private record: DepositRecord | null = null;
  private refused = false;
  private readonly inbox = new Inbox<DepositItem>();
  private readonly reporter: StatusReporter;
  private readonly timer = new DeadlineTimer();
  private readonly background = new BackgroundCalls();
  private readonly calls: ProviderCalls;
  /** Look-up requests from before the charge exists. */
  private deferred: RefreshItem[] = [];
  /** Set once the creation was answered with 202: from then on a missing answer becomes an alert. */
  private alertAt: string | null = null;

  /** `isNew`: the starter has published the search attributes of a deposit that waits for its payment. */
  constructor(isNew: boolean) {
    this.reporter = new StatusReporter(isNew ? { status: 'pending', waitingFor: 'payment' } : null);
    this.calls = new ProviderCalls(this.background, this.reporter, (item) => this.inbox.put(item));
  }

  /** The deposit as it is stored; null before it exists. */
  get deposit(): DepositSnapshot | null {
    return this.record?.deposit ?? null;
  }

  open(record: DepositRecord): void {
    this.record = record;
  }

  /** Puts a request into the inbox and waits for its answer. */
  async ask<Answer>(item: (reply: Reply<Answer>) => DepositItem): Promise<Answer> {
    if (this.refused) throw ApplicationFailure.nonRetryable('there is no such deposit', NO_SUCH_PAYMENT);
    const reply = newReply<Answer>();
    this.inbox.put(item(reply));
    return reply.promise;
  }

  /** A provider callback arrived: look the charge up as soon as it exists. */
  notice(): void {
    this.inbox.put({ kind: 'refresh', reply: null });
  }

  /** The deposit was not created, for the reason `outcome`: every later request fails with `NO_SUCH_PAYMENT`. */
  refuse(outcome: string): void {
    this.refused = true;
    this.reporter.report(outcome, NO_WAIT, { reviewReasons: [], summary: null });
  }

  /** The creation was answered before the provider answered. */
  answeredEarly(): void {
    this.alertAt = secondsAfter(now(), CHARGE_ALERT_SECONDS);
    // The loop is waiting and would not see the new deadline.
    const record = this.opened();
    this.timer.set(this.deadline(record), deadlineName(record.deposit));
    this.reportWait(record);
  }

  /**
   * Runs until the deposit is closed and nothing is under way. `charge`: the provider's answer, if the creation has it.
   */
  async run(charge: ChargeResult | null): Promise<void> {
    const record = this.opened();
    if (charge !== null) await this.chargeAnswered(record, charge);
    else if (record.deposit.status === 'created') this.calls.startCharge(record);
    for (;;) {
      this.reportWait(record);
      if (isDepositClosed(record.deposit.status)) this.timer.suspend();
      else this.timer.set(this.deadline(record), deadlineName(record.deposit));
      await waitUntil(() => !this.inbox.isEmpty || this.timer.isDue || this.isOver(record), null, 'inbox');
      const item = this.inbox.take();
      if (item !== undefined) await this.apply(record, item);
      else if (this.timer.isDue) await this.deadlinePassed(record);
      else return;
    }
  }

  private opened(): DepositRecord {
    if (this.record === null) throw new Error('the deposit is not open');
    return this.record;
  }

  private isOver({ deposit, publisher }: DepositRecord): boolean {
    return (
      isDepositClosed(deposit.status) &&
      this.inbox.isEmpty &&
      this.background.isIdle &&
      publisher.isIdle &&
      allHandlersFinished()
    );
  }

  private async apply(record: DepositRecord, item: DepositItem): Promise<void> {
    switch (item.kind) {
      case 'cancel':
        return this.act(record, item.reply, 'cancel', 'cancelled');
      case 'expire':
        return this.act(record, item.reply, 'expiry', null);
      case 'review':
        return this.review(record, item.review, item.reply);
      case 'refresh':
        return this.refresh(record, item);
      case 'charge_result':
        return this.chargeAnswered(record, item.result);
      case 'examined':
        await applyExamination(record, item.examination);
        item.replies.forEach((reply) => reply.answer(record.deposit));
        return;
      case 'return_result':
        return this.returned(record, item);
    }
  }

  /** A move on request. Repeated in the state `repeated`, it returns the same answer and publishes no event. */
  private async act(
    record: DepositRecord,
    reply: Reply<DepositActionOutcome>,
    trigger: 'cancel' | 'expiry',
    repeated: 'cancelled' | null,
  ): Promise<void> {
    if (depositAllows(trigger, record.deposit.status)) await record.moveAsAsked(trigger);
    else if (record.deposit.status !== repeated)
      return reply.answer({ kind: 'invalid_state', deposit: record.deposit });
    reply.answer({ kind: 'done', deposit: record.deposit });
  }

  private async review(
    record: DepositRecord,
    { decision, person, reason }: DepositReview,
    reply: Reply<DepositActionOutcome>,
  ): Promise<void> {
    const { deposit } = record;
    // An amount other than the charged one is never credited: it can only be returned in full.
    const impossible = decision === 'approve' && deposit.reviewReasons.includes('AMOUNT_MISMATCH');
    const isReturning = this.calls.underWay.return !== null;
    const isAllowed = depositAllows(decision, deposit.status) && !isReturning && !impossible;
    if (!isAllowed) return reply.answer({ kind: 'invalid_state', deposit });
    const decided: ReviewDecision = { person, decision, reason, at: now() };
    if (decision === 'return') return this.calls.startReturn(record, decided, reply);
    await record.moveAsAsked('approve', { decidedBy: [...deposit.decidedBy, decided] });
    reply.answer({ kind: 'done', deposit: record.deposit });
  }

  private async chargeAnswered(record: DepositRecord, result: ChargeResult): Promise<void> {
    switch (result.kind) {
      case 'created': {
        const { instructions, expiresAt } = result;
        await record.move('charge_created', { instructions, expiresAt }, { resolves: ['CHARGE_UNANSWERED'] });
        break;
      }
      case 'refused': {
        const { failureCode } = result;
        const detail = `${record.deposit.id}: the PIX has no sandbox marker`;
        const alert =
          failureCode === 'environment_guard' ? { alert: alertNote('ENVIRONMENT_GUARD', detail, 'charge') } : {};
        await record.move('charge_refused', { failureCode }, { resolves: ['CHARGE_UNANSWERED'], ...alert });
      }
    }
    this.deferred.splice(0).forEach((item) => this.inbox.put(item));
  }

  private refresh(record: DepositRecord, item: RefreshItem): void {
    if (record.deposit.status === 'created') this.deferred.push(item);
    else this.calls.lookUp(record, item.reply);
  }

  private async returned(record: DepositRecord, { result, decision, reply }: ReturnItem): Promise<void> {
    this.calls.returnEnded();
    const { deposit } = record;
    switch (result.kind) {
      case 'refused': {
        const { code } = result;
        const detail = `${deposit.id}: the provider refused the return (${code})`;
        await this.alert(record, 'RETURN_REFUSED', detail, decision.at);
        await record.keepAct({ ...decision, decision: 'return_refused', code, number: `refused-${decision.at}` });
        return reply.answer({ kind: 'invalid_state', deposit });
      }
      case 'done':
        await record.move('return', { decidedBy: [...deposit.decidedBy, decision] });
        return reply.answer({ kind: 'done', deposit: record.deposit });
    }
  }

  private deadline({ deposit }: DepositRecord): string | null {
    switch (deposit.status) {
      case 'created':
        return this.alertAt;
      case 'pending':
        return expiryOf(deposit);
      case 'under_review':
      case 'paid':
      case 'expired':
      case 'cancelled':
      case 'failed':
      case 'returned':
      case 'refunded':
      case 'chargeback':
        return null;
    }
  }

  private async deadlinePassed(record: DepositRecord): Promise<void> {
    if (record.deposit.status === 'created') {
      this.alertAt = null;
      const detail = `${record.deposit.id}: no conclusive answer to the charge request yet`;
      return this.alert(record, 'CHARGE_UNANSWERED', detail, null);
    }
    this.calls.markLastLook(now());
    this.reportWait(record);
    await this.lookOnceMore(record);
    this.calls.markLastLook(null);
    if (this.deposit?.status === 'pending') await record.move('expiry', {});
  }

  /**
   * A callback can be lost, and a paid charge can look open for a while: look the charge up before the deposit expires.
   */
  private async lookOnceMore(record: DepositRecord): Promise<void> {
    const findings = await this.calls.lastLook(record);
    if (findings !== null) await applyExamination(record, { findings, assessed: null });
  }

  private async alert(
    { deposit }: DepositRecord,
    kind: 'CHARGE_UNANSWERED' | 'RETURN_REFUSED',
    detail: string,
    occasion: string | null,
  ): Promise<void> {
    const { operationId, id: objectId } = deposit;
    await store.raiseAlert({ ...alertNote(kind, detail, occasion), operationId, objectId, at: now() });
  }

  private reportWait({ deposit, order }: DepositRecord): void {
    const { status, reviewReasons } = deposit;
    const wait = currentWait(deposit, this.calls.underWay, this.alertAt);
    this.reporter.report(status, wait, { reviewReasons, summary: listSummary(order, reviewReasons) });
  }
}

function deadlineName(deposit: DepositSnapshot): string {
  return deposit.status === 'pending' ? 'expire the deposit' : 'alert: the provider has not answered the charge';
}
