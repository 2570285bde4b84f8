// The withdrawal's loop: takes one thing at a time out of the inbox and applies it by the state table. Calls to provider,
// directory and rules run beside it and come back through the inbox, so that nothing keeps a cancel waiting.
import { ActivityFailure, allHandlersFinished, ApplicationFailure, TimeoutFailure } from '@temporalio/workflow';
import type { PayoutFinding, SendResult } from '../../activities/types.js';
import { NO_SUCH_PAYMENT } from '../../contract/temporal/deposit.js';
import type {
  WithdrawalActionOutcome,
  WithdrawalConclusion,
  WithdrawalConclusionOutcome,
  WithdrawalReview,
} from '../../contract/temporal/withdrawal.js';
import { listSummary } from '../../contract/temporal/search-attributes.js';
import type { ReviewDecision } from '../../domain/deposit.js';
import { isSamePerson } from '../../domain/people.js';
import { type DispatchVerdict, isDispatchVerdict, type WithdrawalVerdict } from '../../domain/rules/verdicts.js';
import {
  approvalsNeeded,
  DICT_BACKOFF_SECONDS,
  DICT_CHECK_BUDGET_SECONDS,
  isWithdrawalClosed,
  withdrawalAllows,
  type WithdrawalSnapshot,
} from '../../domain/withdrawal.js';
import { formatBrl } from '../../domain/money.js';
import { payoutSend, providerBriefly, rules } from '../steps/activity-proxies.js';
import { millisecondsUntil, now, secondsAfter } from '../steps/clock.js';
import { Inbox, newReply, type Reply } from '../steps/inbox.js';
import { askRules, type RulesAnswer } from '../steps/rules-answer.js';
import { Alarm, type Wait, Waiting, waitUntil } from '../steps/waiting.js';
import { decide, decideRequested, type KeyOwner, lookUpKeyOwner } from './admission.js';
import { type Asker, LookUps } from './look-ups.js';
import { LostPayout } from './lost-payout.js';
import { applyPayout } from './payouts.js';
import type { WithdrawalRecord } from './record.js';
import { UnknownOutcome } from './unknown-outcome.js';

type Item =
  | { readonly kind: 'cancel'; readonly reply: Reply<WithdrawalActionOutcome> }
  | { readonly kind: 'review'; readonly review: WithdrawalReview; readonly reply: Reply<WithdrawalActionOutcome> }
  | {
      readonly kind: 'conclude';
      readonly word: WithdrawalConclusion;
      readonly reply: Reply<WithdrawalConclusionOutcome>;
    }
  | { readonly kind: 'refresh'; readonly reply: Reply<WithdrawalSnapshot> | null }
  | (KeyOwner & { readonly kind: 'key_verdict'; readonly verdict: WithdrawalVerdict | null })
  | { readonly kind: 'dispatch_verdict'; readonly answer: RulesAnswer<DispatchVerdict> }
  | { readonly kind: 'send_result'; readonly result: SendResult }
  | { readonly kind: 'payout'; readonly payout: PayoutFinding | null; readonly askers: readonly Asker[] }
  | {
      readonly kind: 'last_look';
      readonly found: PayoutFinding | 'nothing' | 'no_answer';
      readonly word: WithdrawalConclusion;
      readonly reply: Reply<WithdrawalConclusionOutcome>;
    };

/** Where an approved withdrawal stands; once `sending`, no cancel can stop it. */
type Dispatch =
  | { readonly phase: 'due' | 'checking' | 'sent' }
  | { readonly phase: 'sending'; readonly since: string }
  | { readonly phase: 'waiting'; readonly wait: Wait; readonly until: string };

/** Until the next check of an approved withdrawal that cannot be sent yet, after so many checks; in seconds. */
type Pause = (checks: number) => number;
/** Somebody has to act first. */
const pauseForPeople: Pause = (checks) => [10, 20, 30, 60, 120, 300][checks] ?? 900;
/** Rules or provider are away: it goes on within a minute of their return, unless they were away for most of a day. */
const pauseForOutage: Pause = (checks) => [10, 20, 30][checks] ?? (checks <= 1_002 ? 45 : 900);
const HOURS_RECHECK_SECONDS = 300;
export class WithdrawalReactor {
  private record: WithdrawalRecord | null = null;
  private readonly inbox = new Inbox<Item>();
  private readonly waiting = new Waiting(null);
  private readonly alarm = new Alarm();
  private readonly outcome = new UnknownOutcome(this.waiting);
  private lookupEndToEndId: string | null = null;
  private dispatch: Dispatch = { phase: 'due' };
  private rechecks = 0;
  private readonly lookUps = new LookUps({
    answered: (payout, askers) => this.inbox.put({ kind: 'payout', payout, askers }),
    unanswered: (error) => this.outcome.unanswered(error),
  });
  /** Attempts to send, and the last of them that is known to have sent nothing. */
  private sends = { attempt: 0, knownUnsent: 0 };
  private readonly lost = new LostPayout();
  private keyCheck: { asked: number; runningSince: string | null; nextAt: string } | null = null;
  private background = 0;
  private refused = false;

  /** The withdrawal as it is stored; null before it exists. */
  get withdrawal(): WithdrawalSnapshot | null {
    return this.record?.withdrawal ?? null;
  }

  open(record: WithdrawalRecord, lookupEndToEndId: string | null): void {
    this.record = record;
    this.lookupEndToEndId = lookupEndToEndId;
    if (record.withdrawal.status !== 'requested') return;
    this.keyCheck = { asked: 1, runningSince: null, nextAt: secondsAfter(now(), DICT_BACKOFF_SECONDS[0]) };
  }

  /** Puts a question into the inbox and waits for its answer. */
  async ask<Answer>(item: (reply: Reply<Answer>) => Item): Promise<Answer> {
    if (this.refused) throw ApplicationFailure.nonRetryable('there is no such withdrawal', NO_SUCH_PAYMENT);
    const reply = newReply<Answer>();
    this.inbox.put(item(reply));
    return reply.promise;
  }

  /** A callback's announcement: look at the provider. */
  notice(): void {
    this.inbox.put({ kind: 'refresh', reply: null });
  }

  /** Answers questions about a withdrawal that was never made. */
  refuseAll(): void {
    this.refused = true;
  }

  /** Runs until the withdrawal is closed and nothing is under way. */
  async run(): Promise<void> {
    const { record } = this;
    if (record === null) throw new Error('the withdrawal is not open');
    for (;;) {
      if (record.withdrawal.status === 'approved' && this.dispatch.phase === 'due') this.startDispatchCheck(record);
      this.sayWhatIsAwaited(record);
      this.setAlarms(record.withdrawal);
      await waitUntil(() => !this.inbox.isEmpty || this.isDue || this.isOver(record), null, 'inbox');
      const item = this.inbox.take();
      if (item !== undefined) await this.handle(record, item);
      else if (this.outcome.isDue) await this.outcome.tell(record);
      else if (this.alarm.rings) this.deadlinePassed(record);
      else return;
    }
  }

  /** A time has come. */
  private get isDue(): boolean {
    return this.outcome.isDue || this.alarm.rings;
  }

  private setAlarms(withdrawal: WithdrawalSnapshot): void {
    if (isWithdrawalClosed(withdrawal.status) || this.lookUps.since !== null) this.alarm.silence();
    else this.alarm.set(this.deadline(withdrawal), this.deadlineName(withdrawal.status));
    this.outcome.watch(withdrawal);
  }

  private isOver({ withdrawal, publisher }: WithdrawalRecord): boolean {
    return (
      isWithdrawalClosed(withdrawal.status) &&
      this.inbox.isEmpty &&
      this.background === 0 &&
      publisher.isIdle &&
      allHandlersFinished()
    );
  }

  private async handle(record: WithdrawalRecord, item: Item): Promise<void> {
    switch (item.kind) {
      case 'cancel':
        return this.cancel(record, item.reply);
      case 'review':
        return this.review(record, item.review, item.reply);
      case 'conclude':
        return this.conclude(record, item.word, item.reply);
      case 'refresh':
        return this.refresh(record, item.reply);
      case 'key_verdict':
        return this.keyChecked(record, item);
      case 'dispatch_verdict':
        return this.dispatchDecided(record, item.answer);
      case 'send_result':
        return this.sent(record, item.result);
      case 'payout':
        return this.payoutFound(record, item);
      case 'last_look':
        return this.lastLooked(record, item);
    }
  }

  /** The send has left, or may have: from here on only the provider's answer counts. */
  private get sendHasLeft(): boolean {
    return this.dispatch.phase === 'sending' || this.dispatch.phase === 'sent';
  }

  private async cancel(record: WithdrawalRecord, reply: Reply<WithdrawalActionOutcome>): Promise<void> {
    const { status } = record.withdrawal;
    const possible = withdrawalAllows('cancel', status) && !(status === 'approved' && this.sendHasLeft);
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
    // The same person is not a second approver, but may still refuse what they approved.
    if (decision === 'approve' && decided.decidedBy.some((earlier) => isSamePerson(earlier.person, person)))
      return reply.answer({ kind: 'same_person', withdrawal });
    const decidedBy: ReviewDecision[] = [...decided.decidedBy, { person, decision, reason, at: now() }];
    const isLast = decision === 'refuse' || decidedBy.length >= approvalsNeeded(decided.reasons);
    const change = { decision: { ...decided, decidedBy, decidedAt: isLast ? now() : null } };
    if (isLast) await record.moveAsAsked(decision, change);
    else await record.note(change);
    reply.answer({ kind: 'done', withdrawal: record.withdrawal });
  }

  // The key's holder

  private startKeyCheck(record: WithdrawalRecord, check: NonNullable<typeof this.keyCheck>): void {
    check.runningSince = now();
    check.asked += 1;
    this.inBackground(async () => {
      const owner = await lookUpKeyOwner(record.order);
      const { finding } = owner;
      const outOfTime = millisecondsUntil(secondsAfter(record.withdrawal.createdAt, DICT_CHECK_BUDGET_SECONDS)) === 0;
      const conclusive = finding !== 'unavailable' || outOfTime;
      const verdict = conclusive ? await decide(record.order, finding, 'dict') : null;
      this.inbox.put({ kind: 'key_verdict', ...owner, verdict: verdict as WithdrawalVerdict | null });
    });
  }

  private async keyChecked(record: WithdrawalRecord, item: Extract<Item, { kind: 'key_verdict' }>): Promise<void> {
    const { verdict, ...owner } = item;
    const check = this.keyCheck;
    if (check === null || record.withdrawal.status !== 'requested') return;
    check.runningSince = null;
    if (verdict === null) {
      const pause = DICT_BACKOFF_SECONDS[Math.min(check.asked, DICT_BACKOFF_SECONDS.length) - 1] ?? 60;
      const end = secondsAfter(record.withdrawal.createdAt, DICT_CHECK_BUDGET_SECONDS);
      const next = secondsAfter(now(), pause);
      check.nextAt = next < end ? next : end;
      return this.waiting.note(`DICT does not answer (${owner.reason ?? 'no answer'})`);
    }
    this.lookupEndToEndId = owner.endToEndId;
    if (await decideRequested(record, verdict)) this.keyCheck = null;
    else this.decideAgain(record, check, owner);
  }

  /** The operation's automatic cap was used up in between: the rules see it at the next decision. */
  private decideAgain(record: WithdrawalRecord, check: NonNullable<typeof this.keyCheck>, owner: KeyOwner): void {
    check.runningSince = now();
    this.inBackground(async () => {
      const verdict = await decide(record.order, owner.finding, 'dict');
      this.inbox.put({ ...owner, kind: 'key_verdict', verdict: verdict as WithdrawalVerdict });
    });
  }

  // Dispatch

  private startDispatchCheck({ withdrawal }: WithdrawalRecord): void {
    this.dispatch = { phase: 'checking' };
    this.inBackground(async () => {
      const question = { withdrawalId: withdrawal.id, operationId: withdrawal.operationId, at: now() };
      const ask = () => rules.decideDispatch('check lists, cash box and operation before sending', question);
      const answer = await askRules(ask, isDispatchVerdict);
      this.inbox.put({ kind: 'dispatch_verdict', answer });
    });
  }

  private async dispatchDecided(record: WithdrawalRecord, answer: RulesAnswer<DispatchVerdict>): Promise<void> {
    if (record.withdrawal.status !== 'approved' || this.dispatch.phase !== 'checking') return;
    if (answer.kind !== 'verdict') {
      this.recheckLater(
        { for: 'dispatch_check', next: 'the rules engine is asked again', until: null },
        pauseForOutage,
      );
      this.sayWhatIsAwaited(record);
      this.waiting.note('the rules engine does not answer');
      return record.alert('DISPATCH_CHECK_UNAVAILABLE', 'the checks before sending cannot be made');
    }
    const { verdict } = answer;
    if (verdict.kind === 'send') return this.startSend(record);
    if (verdict.kind === 'blocked') {
      const { decision } = record.withdrawal;
      return record.move('blocked_at_dispatch', {
        decision: { ...decision, reasons: [...decision.reasons, 'BLOCKLIST_HIT_AT_DISPATCH'] },
      });
    }
    if (verdict.for === 'automatic_hours') {
      // Looked at before that too: the rule set may be another by then.
      const recheck = secondsAfter(now(), HOURS_RECHECK_SECONDS);
      const until = recheck < verdict.until ? recheck : verdict.until;
      const next = `checked again (the window opens at ${verdict.until})`;
      this.dispatch = { phase: 'waiting', wait: { for: 'automatic_hours', next, until }, until };
      return;
    }
    this.recheckLater({
      for: verdict.for === 'cash_box' ? 'cash_box' : 'dispatch_check',
      next: 'checked again',
      until: null,
    });
    await (verdict.for === 'cash_box'
      ? record.alert('CASH_BOX_SHORT', 'the cash box does not cover it')
      : record.alert('OPERATION_SUSPENDED', 'the operation is suspended'));
  }

  private startSend({ order }: WithdrawalRecord): void {
    this.dispatch = { phase: 'sending', since: now() };
    this.inBackground(async () => {
      this.inbox.put({ kind: 'send_result', result: await this.sendOnce(order) });
    });
  }

  /**
   * An attempt that was lost with its worker is followed by another. Only one of them can have the permission: either the lost one had it, and
   * this one learns `unknown`; or this one takes it, and the lost one can never send.
   */
  private async sendOnce(order: WithdrawalRecord['order']): Promise<SendResult> {
    const summary = `send the payout of ${formatBrl(BigInt(order.amountMinor))} (once)`;
    for (;;) {
      const attempt = (this.sends.attempt += 1);
      const input = { order, lookupEndToEndId: this.lookupEndToEndId, attempt, takesOverFrom: this.sends.knownUnsent };
      try {
        const result = await payoutSend.sendPayout(summary, input);
        if (result.kind === 'not_sent') this.sends.knownUnsent = attempt;
        return result;
      } catch (error) {
        if (!(error instanceof ActivityFailure)) throw error;
        if (!(error.cause instanceof TimeoutFailure)) return { kind: 'unknown', reason: 'the send failed' };
      }
    }
  }

  private async sent(record: WithdrawalRecord, result: SendResult): Promise<void> {
    switch (result.kind) {
      case 'reply':
        await applyPayout(record, result.payout);
        return this.followPayout(record);
      case 'unknown':
        this.outcome.begin(result.reason);
        return this.followPayout(record);
      case 'not_sent':
        this.recheckLater({ for: 'payout_reply', next: 'the first send is tried again', until: null }, pauseForOutage);
        this.waiting.note(`nothing was sent (${result.reason})`);
        return record.alert('PROVIDER_UNREACHABLE', `nothing was sent (${result.reason})`);
      case 'guarded':
        this.recheckLater({ for: 'dispatch_check', next: 'checked again', until: null });
        return record.alert('PAYOUT_ENVIRONMENT_GUARD', 'its operation belongs to another environment');
    }
  }

  private followPayout(record: WithdrawalRecord): void {
    this.dispatch = { phase: 'sent' };
    this.lookUps.plan();
    if (this.lookUps.isWanted) this.startLookUp(record);
  }

  private recheckLater(wait: Wait, pauseSeconds: Pause = pauseForPeople): void {
    const until = secondsAfter(now(), pauseSeconds(this.rechecks));
    this.rechecks += 1;
    this.lookUps.drop();
    this.dispatch = { phase: 'waiting', wait: { ...wait, until }, until };
  }

  // Following a payout

  private async refresh(record: WithdrawalRecord, reply: Reply<WithdrawalSnapshot> | null): Promise<void> {
    const { status } = record.withdrawal;
    const nothingSent = !isWithdrawalClosed(status) && status !== 'processing' && !this.sendHasLeft;
    if (nothingSent) return reply?.answer(record.withdrawal);
    if (reply !== null) this.lookUps.join(reply);
    // A callback: the provider knows it.
    else this.lost.showsTrace();
    // While the send is under way its own reply comes first; then the look-up that was asked for.
    if (this.lookUps.since !== null || this.dispatch.phase === 'sending') this.lookUps.want();
    else this.startLookUp(record);
  }

  private startLookUp({ order }: WithdrawalRecord): void {
    this.inBackground(() => this.lookUps.make(order));
  }

  private async payoutFound(record: WithdrawalRecord, item: Extract<Item, { kind: 'payout' }>): Promise<void> {
    const { payout, askers } = item;
    this.waiting.note(null);
    if (payout !== null) await this.payoutSeen(record, payout);
    else if (record.withdrawal.status === 'approved') {
      // Not found proves nothing: it may still arrive. It is looked up until the answer is conclusive.
      this.lost.foundNothing();
      await this.outcome.nothingFound(record);
    }
    askers.forEach((asker) => asker.answer(record.withdrawal));
  }

  private payoutSeen(record: WithdrawalRecord, payout: PayoutFinding): Promise<void> {
    this.lost.showsTrace();
    return applyPayout(record, payout);
  }

  // A send that was lost

  /** The first person's word is a request; the second's is followed by one more look. */
  private async conclude(
    record: WithdrawalRecord,
    word: WithdrawalConclusion,
    reply: Reply<WithdrawalConclusionOutcome>,
  ): Promise<void> {
    const { withdrawal } = record;
    if (withdrawal.status !== 'approved' || this.dispatch.phase !== 'sent')
      return reply.answer({ kind: 'invalid_state', withdrawal });
    const step = this.lost.step(word);
    switch (step.kind) {
      case 'request': {
        const lapsesAt = await this.lost.request(record, word);
        return reply.answer({ kind: 'requested', withdrawal: record.withdrawal, lapsesAt });
      }
      case 'confirm':
        return this.startLastLook(record, word, reply);
      default:
        reply.answer({ ...step, withdrawal });
    }
  }

  private startLastLook(
    { order }: WithdrawalRecord,
    word: WithdrawalConclusion,
    reply: Reply<WithdrawalConclusionOutcome>,
  ): void {
    this.inBackground(async () => {
      this.inbox.put({ kind: 'last_look', found: await lastLook(), word, reply });
    });
    async function lastLook(): Promise<PayoutFinding | 'nothing' | 'no_answer'> {
      try {
        const found = await providerBriefly.lookUpPayout('look once more before it is concluded', { order });
        return found.kind === 'found' ? found.payout : 'nothing';
      } catch (error) {
        if (error instanceof ActivityFailure) return 'no_answer';
        throw error;
      }
    }
  }

  private async lastLooked(
    record: WithdrawalRecord,
    { found, word, reply }: Extract<Item, { kind: 'last_look' }>,
  ): Promise<void> {
    if (found === 'no_answer') return reply.answer({ kind: 'provider_silent', withdrawal: record.withdrawal });
    if (found !== 'nothing') await this.payoutSeen(record, found);
    const isConcluded = found === 'nothing' && (await this.lost.confirm(record, word));
    reply.answer({ kind: isConcluded ? 'concluded' : 'lapsed', withdrawal: record.withdrawal });
  }

  // Time

  private deadline({ status }: WithdrawalSnapshot): string | null {
    if (status === 'requested') return this.keyCheck?.runningSince === null ? this.keyCheck.nextAt : null;
    if (status === 'approved' && this.dispatch.phase === 'waiting') return this.dispatch.until;
    const followed = status === 'processing' || (status === 'approved' && this.dispatch.phase === 'sent');
    return followed ? this.lookUps.nextAt : null;
  }

  /** What is done at the deadline. */
  private deadlineName(status: WithdrawalSnapshot['status']): string {
    if (status === 'requested') return 'ask DICT again for the holder of the key';
    return this.dispatch.phase === 'waiting' ? 'check again whether it can be sent' : 'look the payout up again';
  }

  private deadlinePassed(record: WithdrawalRecord): void {
    const { status } = record.withdrawal;
    if (status === 'requested' && this.keyCheck !== null) this.startKeyCheck(record, this.keyCheck);
    else if (status === 'approved' && this.dispatch.phase === 'waiting') this.dispatch = { phase: 'due' };
    else this.startLookUp(record);
  }

  private inBackground(work: () => Promise<void>): void {
    this.background += 1;
    void work().finally(() => {
      this.background -= 1;
    });
  }

  private sayWhatIsAwaited({ withdrawal, order }: WithdrawalRecord): void {
    const { reasons } = withdrawal.decision;
    const operatorReasons = order.operatorReasons === 0 ? [] : [`OP: ${order.operatorReasons}`];
    const summary = listSummary(order, [...reasons, ...operatorReasons]);
    const wait = this.wait(withdrawal, order.operatorReasons);
    this.waiting.say(withdrawal.status, wait, { reviewReasons: reasons, summary });
  }

  private wait({ id, status, decision }: WithdrawalSnapshot, operatorReasons: number): Wait {
    switch (status) {
      case 'requested':
        return { for: 'key_owner', ...this.keyStep() };
      case 'under_review': {
        const missing = approvalsNeeded(decision.reasons) - decision.decidedBy.length;
        // The operator's own reasons are free text, which may name a person: Temporal knows only how many there are.
        const more = operatorReasons === 0 ? '' : `; OP: ${operatorReasons}, see gateway review show ${id}`;
        const approvals = `${missing} approval${missing === 1 ? '' : 's'}`;
        const why = `${decision.reasons.join(', ')}${more}`;
        return { for: 'review', next: `${approvals} or a refusal (${why})`, until: null };
      }
      case 'approved':
        return this.dispatchWait();
      case 'processing':
        return { for: 'payout_result', ...this.lookUpStep('asked how it stands', 'the provider is asked again') };
      default:
        return { for: 'nothing', next: '', until: null };
    }
  }

  private dispatchWait(): Wait {
    switch (this.dispatch.phase) {
      case 'waiting':
        return this.dispatch.wait;
      case 'sent': {
        const request = this.lost.pendingRequest;
        const step = this.lookUpStep(`asked for it by its reference${request}`, `looked up by its reference${request}`);
        return { for: 'payout_reply', ...step };
      }
      case 'sending': {
        const { since } = this.dispatch;
        return { for: 'payout_reply', ...underWay('it is being sent, once,', since) };
      }
      case 'due':
      case 'checking':
        return {
          for: 'dispatch_check',
          next: 'lists and cash box are checked, then it is sent',
          until: null,
          isBrief: true,
        };
    }
  }

  private keyStep(): Step {
    const { runningSince = null, nextAt = null } = this.keyCheck ?? {};
    if (runningSince !== null) return underWay('DICT is being asked', runningSince);
    return { next: 'DICT is asked again', until: nextAt };
  }

  private lookUpStep(asked: string, next: string): Step {
    const { since, nextAt } = this.lookUps;
    return since === null ? { next, until: nextAt } : underWay(`the provider is being ${asked}`, since);
  }
}

type Step = Pick<Wait, 'underWay' | 'next' | 'until'>;

function underWay(what: string, since: string): Step {
  return { underWay: { what, since }, next: '', until: null };
}
