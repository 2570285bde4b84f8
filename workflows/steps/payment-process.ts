// The process of a payment, of either kind: the payment as the last step answered it, the queue of messages, the
// requested look-ups, and the report of what the payment waits for.
import { allHandlersFinished, ApplicationFailure } from '@temporalio/workflow';
import { type NextStep, NO_SUCH_PAYMENT, NOT_POSSIBLE } from '../../contract/temporal/payment.js';
import type { AskedPayment, PaymentContext, Stored, Vouched } from '../../contract/temporal/payment-steps.js';
import type { AlertKind } from '../../domain/alerts.js';
import { PROCESS_ALERTS, type ProcessCondition } from '../../domain/payments/outside-waits.js';
import { LookUps } from './look-ups.js';
import { MessageQueue } from './message-queue.js';
import { NO_WAIT, type StatusReporter, type Wait } from './status-reporter.js';
import { step } from './step.js';
import { clockRevision } from './time.js';

interface PaymentSnapshot {
  readonly status: string;
  readonly version: number;
}

/** The fields that every payment's state has. */
export interface PaymentState {
  readonly snapshot: PaymentSnapshot;
  /** Vouches for the snapshot. */
  readonly proof: string | null;
  /** Rises with every write of the row. */
  readonly revision: number;
}

/** How a process finds its way in the state of its kind of payment. */
export interface PaymentKind<State> {
  readonly name: 'deposit' | 'withdrawal';
  readonly isClosed: (state: State) => boolean;
  /** The state to keep after a later answer, which may leave out what never changes. */
  readonly after: (held: State, answered: State) => State;
}

/** A payment as its process holds it: the answer of the last step. Steps change it, in the database. */
export class Payment<State extends PaymentState> {
  private readonly raised = new Set<AlertKind>();
  private seen: number;

  private constructor(
    private readonly kind: PaymentKind<State>,
    readonly context: PaymentContext,
    private held: State,
  ) {
    this.seen = held.snapshot.version;
  }

  /** `stored` is the first step's answer. */
  static of<State extends PaymentState>(
    kind: PaymentKind<State>,
    context: PaymentContext,
    stored: Stored<State>,
  ): Payment<State> {
    return new Payment(kind, context, kind.after(stored.state, stored.state));
  }

  get state(): State {
    return this.held;
  }

  /** What every step is given. */
  get ref(): AskedPayment {
    const { id, operationId } = this.context;
    return { id, operationId, seenVersion: this.seen };
  }

  /** The same with the provider, for steps that call it. */
  get providerRef(): AskedPayment & { readonly provider: string } {
    return { ...this.ref, provider: this.context.provider };
  }

  /** Adopts a step's answer, unless a later step has answered already. */
  adopt<Answer extends Stored<State>>(answer: Answer): Answer {
    const { state } = answer;
    if (state.revision >= this.held.revision) this.held = this.kind.after(this.held, state);
    this.seen = Math.max(this.seen, state.snapshot.version);
    return answer;
  }

  /** Raises the alert of a condition that lasts, once until it ends. Steps raise the other alerts. */
  async alertOnce(condition: ProcessCondition, code: string | null = null): Promise<void> {
    const { kind } = PROCESS_ALERTS[condition];
    if (this.raised.has(kind)) return;
    this.raised.add(kind);
    const { id, operationId } = this.context;
    await step.raiseAlert({ id, operationId, condition, code });
  }

  /** Whether this run has raised the alert, and its condition lasts. */
  hasRaised(kind: AlertKind): boolean {
    return this.raised.has(kind);
  }

  /** Notes that the condition ended. */
  conditionEnded(...kinds: readonly AlertKind[]): void {
    for (const kind of kinds) this.raised.delete(kind);
  }
}

export abstract class PaymentProcess<State extends PaymentState> {
  readonly messages = new MessageQueue((wait) => this.report(wait));
  readonly lookUps = new LookUps();
  private opened: Payment<State> | null = null;

  protected constructor(
    private readonly kind: PaymentKind<State>,
    protected readonly reporter: StatusReporter,
  ) {}

  protected abstract report(wait: Wait): void;

  /** Opens the process with a stored payment. */
  abstract reopen(context: PaymentContext, stored: Stored<State>): void;

  protected openWith(context: PaymentContext, stored: Stored<State>): void {
    this.opened = Payment.of(this.kind, context, stored);
  }

  /** The payment was not created, for `reason`: every later message fails with NO_SUCH_PAYMENT. */
  protected refuseMessages(reason: string): void {
    this.messages.refuse(ApplicationFailure.nonRetryable(`there is no such ${this.kind.name}`, NO_SUCH_PAYMENT));
    this.reporter.report(reason, NO_WAIT, { reviewReasons: [], summary: null });
  }

  get payment(): Payment<State> {
    if (this.opened === null) throw new Error(`the ${this.kind.name} is not open`);
    return this.opened;
  }

  get state(): State {
    return this.payment.state;
  }

  /** For queries and validators. `null` until the payment exists. */
  get stateIfOpen(): State | null {
    return this.opened?.state ?? null;
  }

  /** The same for its snapshot, with the proof of the step that stored it. */
  get vouched(): Vouched<State['snapshot']> | null {
    const state = this.stateIfOpen;
    return state === null ? null : { snapshot: state.snapshot, proof: state.proof };
  }

  /** When it goes on by itself, by the operation's clock. `null` until there is a payment. */
  get nextStep(): NextStep | null {
    const state = this.stateIfOpen;
    if (state === null) return null;
    return { ...this.messages.next, revision: state.revision, clockRevision: clockRevision() };
  }

  get isClosed(): boolean {
    return this.kind.isClosed(this.state);
  }

  /** The payment is closed, and nothing is under way. */
  get isOver(): boolean {
    return this.isClosed && !this.isLookUpRequested && this.messages.isIdle && allHandlersFinished();
  }

  /** Waits until there is a payment. Throws NO_SUCH_PAYMENT if there is none. */
  untilOpen(): Promise<void> {
    return this.messages.untilOpen(() => this.opened !== null);
  }

  /** Serves the messages of a closed payment until nothing is under way, or a look-up is requested. */
  async untilOver(): Promise<void> {
    await this.messages.serve({ wait: () => NO_WAIT, isOver: () => this.isOver || this.isLookUpRequested });
  }

  get shouldContinueAsNew(): boolean {
    return this.messages.shouldContinueAsNew;
  }

  /** A callback named the payment. It is looked up; a provider may call back before its own answers show the change. */
  notice(): void {
    this.requestLookUp();
  }

  requestLookUp(): void {
    this.lookUps.request();
  }

  get isLookUpRequested(): boolean {
    return this.lookUps.isRequested;
  }

  /** For validators: refuses a message that cannot succeed in the current state, before it enters the history. */
  assertState(...possible: readonly State['snapshot']['status'][]): void {
    const status = this.stateIfOpen?.snapshot.status;
    if (status !== undefined && !possible.includes(status)) throw this.notPossible(status);
  }

  protected notPossible(status: string): ApplicationFailure {
    return ApplicationFailure.nonRetryable(`not possible: the ${this.kind.name} is ${status}`, NOT_POSSIBLE);
  }

  reportError(error: string | null): void {
    this.reporter.reportError(error);
  }
}
