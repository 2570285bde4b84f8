// A payment as its process holds it: the answer of the last step. Steps change it, in the database; the process adopts
// what they answer.
import type { AskedPayment, PaymentContext, Stored } from '../../contract/temporal/payment-steps.js';
import type { AlertKind } from '../../domain/alerts.js';
import { PROCESS_ALERTS, type ProcessCondition } from '../../domain/payments/process-alerts.js';
import { raiseAlert } from './alerts.js';

export interface PaymentSnapshot {
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

  /** Raises the alert of a standing condition, once until the condition ends. */
  async alertOnce(condition: ProcessCondition, code: string | null = null): Promise<void> {
    const { kind } = PROCESS_ALERTS[condition];
    if (this.raised.has(kind)) return;
    this.raised.add(kind);
    await raiseAlert(this.ref, condition, code);
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
