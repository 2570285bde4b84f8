// The state of a withdrawal's process: the withdrawal as the last step answered it, the desk, and the few things that
// it knows besides the row. They are one plain value (CarriedWithdrawal) when the process goes on in a new run.
import { ApplicationFailure } from '@temporalio/workflow';
import type { StoredWithdrawal, WithdrawalOpening, WithdrawalState } from '../../activities/types.js';
import { NO_SUCH_PAYMENT, NOT_POSSIBLE } from '../../contract/temporal/deposit.js';
import { NO_TRACE, type PaymentContext } from '../../contract/temporal/payment-steps.js';
import { listSummary } from '../../contract/temporal/search-attributes.js';
import type { CarriedWithdrawal, WithdrawalCreation, WithdrawalOrder } from '../../contract/temporal/withdrawal.js';
import {
  isWithdrawalClosed,
  mayHaveLeft,
  withdrawalAllows,
  type WithdrawalSnapshot,
  type WithdrawalStatus,
} from '../../domain/withdrawal.js';
import { now } from '../steps/clock.js';
import { waitUntil } from '../steps/deadline-timer.js';
import { Desk } from '../steps/desk.js';
import { LookUpRequests } from '../steps/look-up-requests.js';
import { Payment } from '../steps/payment.js';
import { NO_WAIT, StatusReporter, type Wait } from '../steps/status-reporter.js';

const OF_WITHDRAWALS = {
  versionOf: ({ withdrawal }: WithdrawalState) => withdrawal.version,
  isClosed: ({ withdrawal }: WithdrawalState) => isWithdrawalClosed(withdrawal.status),
} as const;

type Progress = Omit<CarriedWithdrawal, 'context' | 'seenVersion' | 'raised' | 'isLookUpWanted' | 'isNoticed'>;
type Mutable<Value> = { -readonly [Name in keyof Value]: Value[Name] };

const AT_THE_START: Progress = {
  keyLookUps: { made: 0, nextAt: null },
  judging: { tries: 0, nextAt: null },
  dispatch: { checks: 0, postponed: null },
  lookUpAt: null,
  unknownSince: null,
};

export class WithdrawalProcess {
  readonly desk = new Desk((wait) => this.report(wait));
  readonly lookUps = new LookUpRequests();
  /** Look-ups made and planned, of each kind. */
  progress: Mutable<Progress> = { ...AT_THE_START };
  private readonly reporter = new StatusReporter(null);
  private isNoticed = false;
  private opened: Payment<WithdrawalState> | null = null;
  private opening: WithdrawalOpening | null = null;
  /** Why look-ups have no answer; null when the last one was answered. */
  private lookUpError: string | null = null;

  /** Takes over what became of the creation. Without a withdrawal every later message fails with NO_SUCH_PAYMENT. */
  create(order: WithdrawalOrder, opening: WithdrawalOpening): void {
    this.opening = opening;
    if (opening.kind !== 'created') {
      this.desk.refuse(ApplicationFailure.nonRetryable('there is no such withdrawal', NO_SUCH_PAYMENT));
      this.reporter.report(opening.kind, NO_WAIT, { reviewReasons: [], summary: null });
      return;
    }
    const { withdrawalId: id, operationId, operationName, provider, amountMinor, operatorReasons } = order;
    const context = { id, operationId, operationName, provider, amountMinor, operatorReasons };
    this.opened = Payment.of(context, opening, OF_WITHDRAWALS);
  }

  reopen(context: PaymentContext, stored: StoredWithdrawal): void {
    this.opening = { kind: 'created', ...stored };
    this.opened = Payment.of(context, stored, OF_WITHDRAWALS);
    // What was under way when the last run was lost is not known: the provider is asked at once.
    if (!mayHaveLeft(this.state.send)) return;
    this.requestLookUp();
    if (this.withdrawal.status === 'approved') this.progress.unknownSince = now();
  }

  continue(carried: CarriedWithdrawal, stored: StoredWithdrawal): void {
    const { context, seenVersion, raised, isLookUpWanted, isNoticed, ...progress } = carried;
    this.opening = { kind: 'created', ...stored };
    this.opened = Payment.of(context, stored, { ...OF_WITHDRAWALS, seenVersion, raised });
    this.progress = progress;
    this.isNoticed = isNoticed;
    if (isLookUpWanted) this.requestLookUp();
  }

  carried(): CarriedWithdrawal {
    const { context, seenVersion, raisedAlerts: raised } = this.payment;
    const { isNoticed, isLookUpRequested: isLookUpWanted, progress } = this;
    return { context, seenVersion, raised, isLookUpWanted, isNoticed, ...progress };
  }

  /** The answer to the creation, once it is decided. */
  async creation(): Promise<WithdrawalCreation> {
    await waitUntil(() => this.opening !== null, null, 'the creation is decided');
    const { opening } = this;
    if (opening === null) throw new Error('the creation is not decided');
    return opening.kind === 'created' ? { kind: 'created', withdrawal: opening.state.withdrawal } : opening;
  }

  get payment(): Payment<WithdrawalState> {
    if (this.opened === null) throw new Error('the withdrawal is not open');
    return this.opened;
  }

  get state(): WithdrawalState {
    return this.payment.state;
  }

  get withdrawal(): WithdrawalSnapshot {
    return this.state.withdrawal;
  }

  /** For the query: null until the withdrawal exists. */
  get snapshot(): WithdrawalSnapshot | null {
    return this.opened?.state.withdrawal ?? null;
  }

  get isClosed(): boolean {
    return isWithdrawalClosed(this.withdrawal.status);
  }

  /** The withdrawal is closed, and nothing is under way. */
  get isOver(): boolean {
    return this.isClosed && !this.isLookUpRequested && this.desk.isIdle && this.payment.isIdle;
  }

  /** Waits until there is a payment. Throws NO_SUCH_PAYMENT if there is none. */
  untilOpen(): Promise<void> {
    return this.desk.untilOpen(() => this.opened !== null);
  }

  get shouldContinueAsNew(): boolean {
    return this.desk.shouldContinueAsNew && this.payment.isIdle;
  }

  /** The payout left, or may have. Before that there is nothing to look up. */
  get isSent(): boolean {
    const state = this.opened?.state;
    return state !== undefined && mayHaveLeft(state.send);
  }

  /** Before the send there is nothing to look up. A callback that comes during the send is looked up after it. */
  requestLookUp(): void {
    this.lookUps.request();
  }

  /** A callback named the payout: the provider knows it. */
  notice(): void {
    this.isNoticed = true;
    this.requestLookUp();
  }

  /** A callback came since the last look-up. */
  get hasNotice(): boolean {
    return this.isNoticed;
  }

  /** Whether a callback came since the last look-up; the next question starts anew. */
  takeNotice(): boolean {
    const { isNoticed } = this;
    this.isNoticed = false;
    return isNoticed;
  }

  get isLookUpRequested(): boolean {
    return this.lookUps.isRequested;
  }

  /** For validators: refuses a cancel that cannot succeed, before it enters the history. */
  assertCancellable(): void {
    const state = this.opened?.state;
    if (state === undefined) return;
    const { status } = state.withdrawal;
    if (!withdrawalAllows('cancel', status) || (status === 'approved' && mayHaveLeft(state.send)))
      throw ApplicationFailure.nonRetryable(`not possible: the withdrawal is ${status}`, NOT_POSSIBLE);
  }

  /** The same for other messages. */
  assertState(...possible: readonly WithdrawalStatus[]): void {
    const status = this.snapshot?.status;
    if (status === undefined || possible.includes(status)) return;
    throw ApplicationFailure.nonRetryable(`not possible: the withdrawal is ${status}`, NOT_POSSIBLE);
  }

  /** When the rules are asked again to judge it. */
  get judgingNextAt(): string | null {
    return this.progress.judging.nextAt;
  }

  /** The send ended without a known outcome, for `reason` (a code). */
  outcomeUnknown(reason: string): void {
    this.progress.unknownSince ??= now();
    this.reporter.reportError(`the outcome of the send is unknown (${reason})`);
  }

  /** The provider has not answered look-ups for a while. They continue. */
  lookUpUnanswered(error: string): void {
    this.lookUpError = error;
    this.reporter.reportError(
      error === NO_TRACE
        ? 'the provider shows no trace of the payout yet'
        : `the provider does not answer look-ups (${error})`,
    );
  }

  lookUpAnswered(): void {
    this.lookUpError = null;
    if (this.withdrawal.status !== 'approved') this.reporter.reportError(null);
  }

  /** What the alert about an unknown outcome says. */
  get unknownDetail(): string {
    return this.lookUpError === null || this.lookUpError === NO_TRACE
      ? 'the provider shows no trace of it yet'
      : `the provider does not answer look-ups (${this.lookUpError})`;
  }

  reportError(error: string | null): void {
    this.reporter.reportError(error);
  }

  private report(wait: Wait): void {
    const { status, decision } = this.withdrawal;
    const { context } = this.payment;
    const operatorReasons = context.operatorReasons === 0 ? [] : [`OP: ${context.operatorReasons}`];
    const summary = listSummary(context, [...decision.reasons, ...operatorReasons]);
    this.reporter.report(status, wait, { reviewReasons: decision.reasons, summary });
  }
}
