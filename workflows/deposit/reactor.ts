// The deposit's loop: takes one thing at a time out of the inbox and applies it by the state table. Calls to the provider
// run beside it and come back through the inbox, so that a slow provider never keeps a cancel or an approval waiting.
import { ActivityFailure, allHandlersFinished, ApplicationFailure, isCancellation } from '@temporalio/workflow';
import type { ChargeFindings, ChargeResult, Examination, ReturnResult } from '../../activities/types.js';
import { type DepositActionOutcome, type DepositReview, NO_SUCH_PAYMENT } from '../../contract/temporal/deposit.js';
import { listSummary } from '../../contract/temporal/search-attributes.js';
import {
  depositAllows,
  type DepositSnapshot,
  EXPIRY_GRACE_SECONDS,
  isDepositClosed,
  type ReviewDecision,
} from '../../domain/deposit.js';
import { formatBrl } from '../../domain/money.js';
import { type CallLimit, provider, providerBriefly, store } from '../steps/activity-proxies.js';
import { alertNote } from '../steps/alert-note.js';
import { askUntilAnswered, errorCodeOf } from '../steps/asking.js';
import { now, secondsAfter } from '../steps/clock.js';
import { Inbox, newReply, type Reply } from '../steps/inbox.js';
import { Alarm, type Wait, Waiting, waitUntil } from '../steps/waiting.js';
import { examineCharge } from './examination.js';
import { applyExamination } from './payments.js';
import type { DepositRecord } from './record.js';

type Item =
  | { readonly kind: 'cancel' | 'expire'; readonly reply: Reply<DepositActionOutcome> }
  | { readonly kind: 'review'; readonly review: DepositReview; readonly reply: Reply<DepositActionOutcome> }
  | { readonly kind: 'refresh'; readonly reply: Reply<DepositSnapshot> | null }
  | { readonly kind: 'charge_result'; readonly result: ChargeResult }
  | {
      readonly kind: 'examined';
      readonly examination: Examination;
      readonly replies: readonly Reply<DepositSnapshot>[];
    }
  | {
      readonly kind: 'return_result';
      readonly result: ReturnResult;
      readonly decision: ReviewDecision;
      readonly reply: Reply<DepositActionOutcome>;
    };

/** After this long without a conclusive answer to a charge, operations staff are told. */
const CHARGE_ALERT_SECONDS = 300;
/** Pause between questions whether a return to the payer is done. */
const RETURN_POLL_SECONDS = 10;

/** Questions about what happened on the charge. */
interface LookUps {
  runningSince: string | null;
  waiting: Reply<DepositSnapshot>[];
  again: boolean;
}

/** Since when the provider is asked for the charge, for the return, or once more before expiry; null while it is not. */
interface Asking {
  charge: string | null;
  return: string | null;
  lastLook: string | null;
}

export class DepositReactor {
  private record: DepositRecord | null = null;
  private readonly inbox = new Inbox<Item>();
  private readonly waiting: Waiting;
  private readonly alarm = new Alarm();
  /** Questions that came before there was a charge to ask about. */
  private deferred: Item[] = [];
  private lookups: LookUps = { runningSince: null, waiting: [], again: false };
  private background = 0;
  private asking: Asking = { charge: null, return: null, lastLook: null };
  /** Set once the creation was answered with 202: from then on a missing answer becomes an alert. */
  private alertAt: string | null = null;
  private refused = false;

  /** `isNew`: the starter has published the search attributes of a deposit that waits for its payment. */
  constructor(isNew: boolean) {
    this.waiting = new Waiting(isNew ? { status: 'pending', waitingFor: 'payment' } : null);
  }

  /** The deposit as it is stored; null before it exists. */
  get deposit(): DepositSnapshot | null {
    return this.record?.deposit ?? null;
  }

  open(record: DepositRecord): void {
    this.record = record;
  }

  /** Puts a question into the inbox and waits for its answer. */
  async ask<Answer>(item: (reply: Reply<Answer>) => Item): Promise<Answer> {
    if (this.refused) throw ApplicationFailure.nonRetryable('there is no such deposit', NO_SUCH_PAYMENT);
    const reply = newReply<Answer>();
    this.inbox.put(item(reply));
    return reply.promise;
  }

  /** A callback's announcement: look at the provider, whenever that is possible. */
  notice(): void {
    this.inbox.put({ kind: 'refresh', reply: null });
  }

  /** There will be no deposit: `outcome` says why. */
  refuse(outcome: string): void {
    this.refused = true;
    this.waiting.say(outcome, { for: 'nothing', next: '', until: null }, { reviewReasons: [], summary: null });
  }

  /** The creation was answered before the provider did. */
  answeredEarly(): void {
    this.alertAt = secondsAfter(now(), CHARGE_ALERT_SECONDS);
    // The loop is asleep and nothing else would wake it to see the new deadline.
    const record = this.opened();
    this.alarm.set(this.deadline(record), deadlineName(record.deposit));
    this.sayWhatIsAwaited(record);
  }

  /** Runs until the deposit is closed and nothing is under way. `charge`: the provider's answer, if it was there at once. */
  async run(charge: ChargeResult | null): Promise<void> {
    const record = this.opened();
    if (charge !== null) await this.chargeAnswered(record, charge);
    else if (record.deposit.status === 'created') this.startCharge(record);
    for (;;) {
      this.sayWhatIsAwaited(record);
      if (isDepositClosed(record.deposit.status)) this.alarm.silence();
      else this.alarm.set(this.deadline(record), deadlineName(record.deposit));
      await waitUntil(() => !this.inbox.isEmpty || this.alarm.rings || this.isOver(record), null, 'inbox');
      const item = this.inbox.take();
      if (item !== undefined) await this.handle(record, item);
      else if (this.alarm.rings) await this.deadlinePassed(record);
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
      this.background === 0 &&
      publisher.isIdle &&
      allHandlersFinished()
    );
  }

  private async handle(record: DepositRecord, item: Item): Promise<void> {
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

  /** A plain move on request; asked again in its own result it is the same answer and no new event. */
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
    // Another amount than was charged is never credited: it goes back in full.
    const impossible = decision === 'approve' && deposit.reviewReasons.includes('AMOUNT_MISMATCH');
    const isReturning = this.asking.return !== null;
    const isAllowed = depositAllows(decision, deposit.status) && !isReturning && !impossible;
    if (!isAllowed) return reply.answer({ kind: 'invalid_state', deposit });
    const decided: ReviewDecision = { person, decision, reason, at: now() };
    if (decision === 'return') return this.startReturn(record, decided, reply);
    await record.moveAsAsked('approve', { decidedBy: [...deposit.decidedBy, decided] });
    reply.answer({ kind: 'done', deposit: record.deposit });
  }

  private async chargeAnswered(record: DepositRecord, result: ChargeResult): Promise<void> {
    if (result.kind === 'created') {
      const { instructions, expiresAt } = result;
      await record.move('charge_created', { instructions, expiresAt }, { resolves: ['CHARGE_UNANSWERED'] });
    } else {
      const guarded = result.failureCode === 'environment_guard';
      const alert = {
        kind: 'ENVIRONMENT_GUARD',
        detail: `${record.deposit.id}: the PIX has no sandbox marker`,
        occasion: 'charge',
      } as const;
      await record.move(
        'charge_refused',
        { failureCode: result.failureCode },
        { resolves: ['CHARGE_UNANSWERED'], ...(guarded ? { alert } : {}) },
      );
    }
    this.deferred.splice(0).forEach((item) => this.inbox.put(item));
  }

  /** Asks the provider what happened on the charge; one question at a time, and once more for who came meanwhile. */
  private refresh(record: DepositRecord, item: Extract<Item, { kind: 'refresh' }>): void {
    if (record.deposit.status === 'created') {
      this.deferred.push(item);
      return;
    }
    if (item.reply !== null) this.lookups.waiting.push(item.reply);
    if (this.lookups.runningSince !== null) this.lookups.again = true;
    else this.startLookup(record);
  }

  private startLookup(record: DepositRecord): void {
    const replies = this.lookups.waiting.splice(0);
    this.lookups.runningSince = now();
    this.lookups.again = false;
    this.inBackground(async () => {
      const examination = await examineCharge(record, (error) => this.unanswered(error));
      this.waiting.note(null);
      this.inbox.put({ kind: 'examined', examination, replies });
      this.lookups.runningSince = null;
      if (this.lookups.again) this.startLookup(record);
    });
  }

  private startCharge({ order }: DepositRecord): void {
    this.asking.charge = now();
    const summary = `create the charge of ${formatBrl(BigInt(order.amountMinor))}`;
    this.inBackground(async () => {
      const ask = (limit: CallLimit) => provider.createCharge(summary, { order }, limit);
      const result = await askUntilAnswered(ask, (error) => this.unanswered(error));
      this.asking.charge = null;
      this.inbox.put({ kind: 'charge_result', result });
    });
  }

  private startReturn(
    { order, deposit }: DepositRecord,
    decision: ReviewDecision,
    reply: Reply<DepositActionOutcome>,
  ): void {
    const { endToEndId, paidAmountMinor } = deposit;
    if (endToEndId === null || paidAmountMinor === null) return reply.answer({ kind: 'invalid_state', deposit });
    this.asking.return = now();
    const summary = `return ${formatBrl(BigInt(paidAmountMinor))} to the payer`;
    const input = { order, endToEndId, amountMinor: paidAmountMinor };
    this.inBackground(async () => {
      for (;;) {
        const ask = (limit: CallLimit) => provider.returnPayment(summary, input, limit);
        const result = await askUntilAnswered(ask, (error) => this.unanswered(error));
        if (result.kind !== 'pending') return this.inbox.put({ kind: 'return_result', result, decision, reply });
        await waitUntil(() => false, secondsAfter(now(), RETURN_POLL_SECONDS), 'ask again whether the return is done');
      }
    });
  }

  private async returned(
    record: DepositRecord,
    { result, decision, reply }: Extract<Item, { kind: 'return_result' }>,
  ): Promise<void> {
    this.asking.return = null;
    const { deposit } = record;
    if (result.kind === 'refused') {
      await this.alert(
        record,
        'RETURN_REFUSED',
        `${deposit.id}: the provider refused the return (${result.code})`,
        decision.at,
      );
      const { code } = result;
      await record.keepAct({ ...decision, decision: 'return_refused', code, number: `refused-${decision.at}` });
      return reply.answer({ kind: 'invalid_state', deposit });
    }
    await record.move('return', { decidedBy: [...deposit.decidedBy, decision] });
    reply.answer({ kind: 'done', deposit: record.deposit });
  }

  private async deadlinePassed(record: DepositRecord): Promise<void> {
    if (record.deposit.status === 'created') {
      this.alertAt = null;
      return this.alert(
        record,
        'CHARGE_UNANSWERED',
        `${record.deposit.id}: no conclusive answer to the charge request yet`,
      );
    }
    this.asking.lastLook = now();
    this.sayWhatIsAwaited(record);
    await this.lookOnceMore(record);
    this.asking.lastLook = null;
    if (this.deposit?.status === 'pending') await record.move('expiry', {});
  }

  /** A callback can be lost, and a paid charge can look open for a while: ask once before the deposit expires. */
  private async lookOnceMore(record: DepositRecord): Promise<void> {
    const findings = await this.lastFindings(record);
    if (findings !== null) await applyExamination(record, { findings, assessed: null });
  }

  /** Null: the provider cannot be asked now. A payment that is found later is recorded as late. */
  private async lastFindings({ order }: DepositRecord): Promise<ChargeFindings | null> {
    try {
      return await providerBriefly.lookUpCharge('look once more before it expires', { order });
    } catch (error) {
      if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
      this.waiting.note(`the provider could not be asked before expiry (${errorCodeOf(error)})`);
      return null;
    }
  }

  private unanswered(error: string): void {
    this.waiting.note(`the provider does not answer (${error})`);
  }

  private deadline({ deposit }: DepositRecord): string | null {
    if (deposit.status === 'pending') return expiryOf(deposit);
    return deposit.status === 'created' ? this.alertAt : null;
  }

  private inBackground(work: () => Promise<void>): void {
    this.background += 1;
    void work().finally(() => {
      this.background -= 1;
    });
  }

  private async alert(
    { deposit }: DepositRecord,
    kind: 'CHARGE_UNANSWERED' | 'RETURN_REFUSED',
    detail: string,
    occasion: string | null = null,
  ): Promise<void> {
    await store.raiseAlert({
      ...alertNote(kind, detail, occasion),
      operationId: deposit.operationId,
      objectId: deposit.id,
      at: now(),
    });
  }

  private sayWhatIsAwaited({ deposit, order }: DepositRecord): void {
    const { status, reviewReasons } = deposit;
    this.waiting.say(status, this.wait(deposit), { reviewReasons, summary: listSummary(order, reviewReasons) });
  }

  private staffAreTold(): Pick<Wait, 'next' | 'until'> {
    const until = this.alertAt;
    return { next: until === null ? '' : 'operations staff are told', until };
  }

  private wait(deposit: DepositSnapshot): Wait {
    switch (deposit.status) {
      case 'created': {
        const asked = underWay('the provider is asked until it answers', this.asking.charge);
        return { for: 'provider_charge', underWay: asked, ...this.staffAreTold() };
      }
      case 'pending': {
        const lastLook = underWay('the provider is asked once more before it expires', this.asking.lastLook);
        if (lastLook !== null) return { for: 'payment', underWay: lastLook, next: '', until: null };
        const look = underWay('the provider is asked about the payment', this.lookups.runningSince);
        return { for: 'payment', underWay: look, next: 'expires', until: expiryOf(deposit) };
      }
      case 'under_review': {
        const returning = underWay('the provider is asked until the return is done', this.asking.return);
        return returning !== null
          ? { for: 'return_to_payer', underWay: returning, next: '', until: null }
          : {
              for: 'review',
              next: `a person approves or returns it (${deposit.reviewReasons.join(', ')})`,
              until: null,
            };
      }
      default:
        return { for: 'nothing', next: '', until: null };
    }
  }
}

function underWay(what: string, since: string | null): NonNullable<Wait['underWay']> | null {
  return since === null ? null : { what, since };
}

function expiryOf(deposit: DepositSnapshot): string {
  return secondsAfter(deposit.expiresAt, EXPIRY_GRACE_SECONDS);
}

function deadlineName(deposit: DepositSnapshot): string {
  return deposit.status === 'pending' ? 'expire the deposit' : 'alert: the provider has not answered the charge';
}
