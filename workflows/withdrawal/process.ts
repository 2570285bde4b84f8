// The state of a withdrawal's process: the withdrawal as the last step answered it, its messages, and a few facts that
// the row does not hold. The next run (continue-as-new) begins without these facts, like one that is reopened.
import type { StoredWithdrawal, WithdrawalOpening, WithdrawalState } from '../../activities/types.js';
import { NO_TRACE, type PaymentContext } from '../../contract/temporal/payment-steps.js';
import { listSummary, type WaitingFor } from '../../contract/temporal/search-attributes.js';
import type { WithdrawalOrder } from '../../contract/temporal/payment.js';
import {
  isWithdrawalClosed,
  mayHaveLeft,
  withdrawalAllows,
  type WithdrawalSnapshot,
} from '../../domain/payments/withdrawal.js';
import { type PaymentKind, PaymentProcess } from '../steps/payment-process.js';
import { StatusReporter, type Wait } from '../steps/status-reporter.js';
import { now } from '../steps/time.js';

const WITHDRAWAL: PaymentKind<WithdrawalState> = {
  name: 'withdrawal',
  isClosed: ({ snapshot }) => isWithdrawalClosed(snapshot.status),
  after: (_, answered) => answered,
};

/** Why an approved withdrawal is not sent yet, and when it is checked again. */
export interface Postponement {
  readonly for: WaitingFor;
  readonly next: string;
  readonly until: string;
}

/** Times are RFC 3339. */
interface Progress {
  /** Look-ups of the key's holder, when the next is due, and when they began if that was after the creation. */
  keyLookUps: { readonly made: number; readonly nextAt: string | null; readonly since: string | null };
  /** Tries to have a withdrawal under review judged, and when the next is due. */
  judging: { readonly tries: number; readonly nextAt: string | null };
  /** Checks before the send that made it wait, and why it waits; null when the checks are due. */
  dispatch: { readonly checks: number; readonly postponed: Postponement | null };
  /** When the payout is looked up first; null before the send. */
  lookUpAt: string | null;
  /** Since when the outcome of the send is unknown; null: it is known, or nothing was sent. */
  unknownSince: string | null;
}

const AT_THE_START: Progress = {
  keyLookUps: { made: 0, nextAt: null, since: null },
  judging: { tries: 0, nextAt: null },
  dispatch: { checks: 0, postponed: null },
  lookUpAt: null,
  unknownSince: null,
};

export class WithdrawalProcess extends PaymentProcess<WithdrawalState> {
  /** Look-ups made and planned, of each kind. */
  progress: Progress = { ...AT_THE_START };
  /** Since the last check began, a notice said that what it waits for before its send has ended. */
  isCheckRequested = false;
  /** Callbacks that named the payout, and how many of them had come before the provider last answered. */
  private namedBy = 0;
  private answeredOf = 0;
  private result: WithdrawalOpening | null = null;
  /** Why look-ups have no answer; null when the last one was answered. */
  private lookUpError: string | null = null;
  /** People who wait for the rules' judgement before their approval. They are answered before the run ends. */
  approvalsWaiting = 0;

  /** `isNew`: the starter has published the search attributes of a withdrawal that was sent. */
  constructor(isNew: boolean) {
    super(WITHDRAWAL, new StatusReporter(isNew ? { status: 'processing', waitingFor: 'payout_result' } : null));
  }

  /** Adopts the outcome of the creation. Without a withdrawal every later message fails with NO_SUCH_PAYMENT. */
  create(order: WithdrawalOrder, opening: WithdrawalOpening): void {
    this.result = opening;
    if (opening.kind !== 'created') {
      this.refuseMessages(opening.kind);
      return;
    }
    const { id, operationId, operationName, provider, amountMinor, operatorReasons } = order;
    this.openWith({ id, operationId, operationName, provider, amountMinor, operatorReasons }, opening);
  }

  reopen(context: PaymentContext, stored: StoredWithdrawal): void {
    this.result = { kind: 'created', ...stored };
    this.openWith(context, stored);
    // It is not known what was under way in the last run, and a callback may have come: the payout is looked up.
    if (!mayHaveLeft(this.state.send)) return;
    this.followAtOnce();
    this.requestLookUp();
    if (this.withdrawal.status === 'approved') this.progress.unknownSince = now();
  }

  /** The outcome of the creation; `null` until it is decided. */
  get opening(): WithdrawalOpening | null {
    return this.result;
  }

  get withdrawal(): WithdrawalSnapshot {
    return this.state.snapshot;
  }

  /** Whether the payout left, or may have left. Before that there is nothing to look up. */
  get isSent(): boolean {
    const { stateIfOpen } = this;
    return stateIfOpen !== null && mayHaveLeft(stateIfOpen.send);
  }

  /** Notes that a callback named the payout, so the provider knows it. */
  override notice(): void {
    this.namedBy += 1;
    this.followNotice();
  }

  /** Much may have happened at the provider while the clock was advanced: what is followed is looked up. */
  clockMoved(): void {
    if (this.isSent && !this.isClosed) this.followNotice();
  }

  /** Looks up what a callback named, and again soon if that changes nothing. */
  followNotice(): void {
    this.followAtOnce();
    this.requestLookUp();
  }

  /** The repeated look-ups begin over, with short pauses, as soon as the requested one is answered. */
  private followAtOnce(): void {
    if (this.isSent) this.progress.lookUpAt = now();
  }

  /** How many callbacks have named the payout. */
  get notices(): number {
    return this.namedBy;
  }

  /** A callback came, and the provider has not been asked and answered since. */
  get hasNotice(): boolean {
    return this.namedBy > this.answeredOf;
  }

  /** The provider answered a look-up that began after so many callbacks. */
  noticesAnswered(count: number): void {
    this.answeredOf = count;
  }

  /** For validators: refuses a cancel that cannot succeed, before it enters the history. */
  assertCancellable(): void {
    if (this.stateIfOpen === null) return;
    const { status } = this.withdrawal;
    if (!withdrawalAllows('cancel', status) || (status === 'approved' && this.isSent)) throw this.notPossible(status);
  }

  /** When the rules judge it again. */
  get judgingNextAt(): string | null {
    return this.progress.judging.nextAt;
  }

  /** Notes that the send ended without a known outcome, for `reason` (a code). */
  outcomeUnknown(reason: string): void {
    this.progress.unknownSince ??= now();
    this.reporter.reportError(`the outcome of the send is unknown (${reason})`);
  }

  /** Nothing is on its way: what was planned for an earlier send, whose attempt sent nothing, counts no more. */
  nothingSent(): void {
    this.progress.lookUpAt = null;
    this.progress.unknownSince = null;
    this.payment.conditionEnded('PAYOUT_OUTCOME_UNKNOWN');
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

  /** Why look-ups have no answer (a code); null if the provider answers them and shows no trace. */
  get silence(): string | null {
    return this.lookUpError === NO_TRACE ? null : this.lookUpError;
  }

  protected override report(wait: Wait): void {
    const { status, decision } = this.withdrawal;
    const { context } = this.payment;
    const operatorReasons = context.operatorReasons === 0 ? [] : [`OP: ${context.operatorReasons}`];
    const summary = listSummary(context, [...decision.reasons, ...operatorReasons]);
    this.reporter.report(status, wait, { reviewReasons: decision.reasons, summary });
  }
}
