// The state of a deposit's process: the deposit as the last step answered it, the desk, and the few things that it
// knows besides the row. They are one plain value (CarriedDeposit) when the process goes on in a new run.
import { ApplicationFailure } from '@temporalio/workflow';
import type { DepositOpening, DepositState, StoredDeposit } from '../../activities/types.js';
import {
  type CarriedDeposit,
  type DepositOrder,
  NO_SUCH_PAYMENT,
  NOT_POSSIBLE,
} from '../../contract/temporal/deposit.js';
import type { PaymentContext } from '../../contract/temporal/payment-steps.js';
import { listSummary } from '../../contract/temporal/search-attributes.js';
import { type DepositSnapshot, type DepositStatus, isDepositClosed } from '../../domain/deposit.js';
import { now, secondsAfter } from '../steps/clock.js';
import { Desk } from '../steps/desk.js';
import { LookUpRequests } from '../steps/look-up-requests.js';
import { Payment } from '../steps/payment.js';
import { NO_WAIT, StatusReporter, type Wait } from '../steps/status-reporter.js';

/** Time after the 202 until a missing answer to the charge request becomes an alert. */
const CHARGE_ALERT_SECONDS = 300;

const OF_DEPOSITS = {
  versionOf: ({ deposit }: DepositState) => deposit.version,
  isClosed: ({ deposit }: DepositState) => isDepositClosed(deposit.status),
} as const;

export class DepositProcess {
  readonly desk = new Desk((wait) => this.report(wait));
  readonly lookUps = new LookUpRequests();
  private readonly reporter: StatusReporter;
  private opened: Payment<DepositState> | null = null;
  private result: DepositOpening | null = null;
  /** When the missing answer to the charge request becomes an alert; null: it is raised, or not due. */
  private alertAt: string | null = null;

  /** `isNew`: the starter has published the search attributes of a deposit that waits for its payment. */
  constructor(isNew: boolean) {
    this.reporter = new StatusReporter(isNew ? { status: 'pending', waitingFor: 'payment' } : null);
  }

  create(order: DepositOrder, opening: Extract<DepositOpening, { kind: 'created' }>): void {
    const { depositId: id, operationId, operationName, provider, amountMinor } = order;
    const context = { id, operationId, operationName, provider, amountMinor, operatorReasons: 0 };
    this.result = opening;
    this.opened = Payment.of(context, opening, OF_DEPOSITS);
  }

  reopen(context: PaymentContext, stored: StoredDeposit): void {
    this.result = { kind: 'created', ...stored };
    this.opened = Payment.of(context, stored, OF_DEPOSITS);
    // What was under way when the last run was lost is not known: the provider is asked.
    if (this.deposit.status !== 'created') this.requestLookUp();
  }

  continue(carried: CarriedDeposit, stored: StoredDeposit): void {
    const { context, seenVersion, raised, chargeAlertAt, isLookUpWanted } = carried;
    this.result = { kind: 'created', ...stored };
    this.opened = Payment.of(context, stored, { ...OF_DEPOSITS, seenVersion, raised });
    this.alertAt = chargeAlertAt;
    if (isLookUpWanted) this.requestLookUp();
  }

  carried(): CarriedDeposit {
    const { context, seenVersion, raisedAlerts: raised } = this.payment;
    return {
      context,
      seenVersion,
      raised,
      chargeAlertAt: this.alertAt,
      isLookUpWanted: this.isLookUpRequested,
    };
  }

  /** The deposit was not created: every later message fails with NO_SUCH_PAYMENT. */
  refuse(opening: Exclude<DepositOpening, { kind: 'created' }>): void {
    this.result = opening;
    this.desk.refuse(ApplicationFailure.nonRetryable('there is no such deposit', NO_SUCH_PAYMENT));
    this.reporter.report(opening.kind, NO_WAIT, { reviewReasons: [], summary: null });
  }

  /** What became of the creation; null until it is decided. */
  get opening(): DepositOpening | null {
    return this.result;
  }

  get payment(): Payment<DepositState> {
    if (this.opened === null) throw new Error('the deposit is not open');
    return this.opened;
  }

  get state(): DepositState {
    return this.payment.state;
  }

  get deposit(): DepositSnapshot {
    return this.state.deposit;
  }

  /** For the query: null until the deposit exists. */
  get snapshot(): DepositSnapshot | null {
    return this.opened?.state.deposit ?? null;
  }

  get isClosed(): boolean {
    return isDepositClosed(this.deposit.status);
  }

  /** The deposit is closed, and nothing is under way. */
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

  requestLookUp(): void {
    this.lookUps.request();
  }

  get isLookUpRequested(): boolean {
    return this.lookUps.isRequested;
  }

  /** The creation was answered before the provider answered: from now on its silence becomes an alert. */
  answeredWithoutCharge(): void {
    this.alertAt = secondsAfter(now(), CHARGE_ALERT_SECONDS);
  }

  get chargeAlertAt(): string | null {
    return this.alertAt;
  }

  chargeAlertRaised(): void {
    this.alertAt = null;
  }

  /** For validators: refuses a message that cannot succeed in the current state, before it enters the history. */
  assertState(...possible: readonly DepositStatus[]): void {
    const status = this.snapshot?.status;
    if (status === undefined || possible.includes(status)) return;
    throw ApplicationFailure.nonRetryable(`not possible: the deposit is ${status}`, NOT_POSSIBLE);
  }

  reportError(error: string | null): void {
    this.reporter.reportError(error);
  }

  private report(wait: Wait): void {
    const { status, reviewReasons } = this.deposit;
    const summary = listSummary(this.payment.context, reviewReasons);
    this.reporter.report(status, wait, { reviewReasons, summary });
  }
}
