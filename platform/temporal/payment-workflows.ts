// The clients of the payment workflows (contract/temporal/payment.ts): what both kinds do alike, and each kind.
import { WithStartWorkflowOperation } from '@temporalio/client';
import type { QueryDefinition, SignalDefinition, UpdateDefinition } from '@temporalio/common';
import {
  cancelDeposit,
  cancelWithdrawal,
  chargeNotice,
  CREATION_UPDATE_ID,
  DEPOSIT_WORKFLOW,
  depositCreation,
  type DepositOrder,
  depositQuery,
  type DepositReview,
  expireDeposit,
  type PaymentOrder,
  type PaymentWorkflowInput,
  payoutNotice,
  refreshDeposit,
  refreshWithdrawal,
  type Review,
  reviewDeposit,
  reviewWithdrawal,
  WITHDRAWAL_WORKFLOW,
  withdrawalCreation,
  type WithdrawalOrder,
  withdrawalQuery,
  type WithdrawalReview,
} from '../../contract/temporal/payment.js';
import type { PaymentId } from '../../contract/temporal/payment-steps.js';
import type { OperationClock } from '../../domain/operation-clock.js';
import {
  ask,
  askReopening,
  type CreationAttempt,
  creationUpdateId,
  type Deadlines,
  isUndecided,
  QueryGate,
  type Reply,
  type TemporalClient,
} from './calls.js';
import { creationOptions, type PaymentCard, reopenOptions } from './start-options.js';

/** The workflow of one kind of payment, with the messages that both kinds have. */
interface PaymentContract<Decision extends string> {
  readonly kind: 'deposit' | 'withdrawal';
  /** What most payments are listed with once they are created. */
  readonly created: Pick<PaymentCard, 'status' | 'waitingFor'>;
  readonly creation: UpdateDefinition<unknown>;
  readonly query: QueryDefinition<unknown>;
  readonly cancel: UpdateDefinition<unknown>;
  readonly review: UpdateDefinition<unknown, [Review<Decision>]>;
  readonly refresh: UpdateDefinition<unknown>;
  readonly notice: SignalDefinition;
}

/** The part of a stored payment that reopening its workflow needs. */
export type ExistingPayment = Pick<PaymentCard, 'id' | 'operationId' | 'externalId' | 'status' | 'amountMinor'>;

type PaymentWorkflow<Order extends PaymentOrder> = (input: PaymentWorkflowInput<Order>) => Promise<unknown>;

/** Anybody may have answered: store/sealing/proofs.ts says what of it may be believed. */
abstract class PaymentWorkflows<Order extends PaymentOrder, Decision extends string> {
  readonly #gate: QueryGate;

  protected constructor(
    private readonly contract: PaymentContract<Decision>,
    protected readonly temporal: TemporalClient,
    protected readonly deadlines: Deadlines,
    protected readonly nowMs: () => number = Date.now,
    private readonly panelUrl?: string,
  ) {
    this.#gate = new QueryGate(nowMs);
  }

  /**
   * Starts the payment's workflow, or attaches to it, and waits for the outcome of its creation.
   * @param orderOf the order for each run that may be started, each with a proof of its own
   */
  async create(orderOf: () => Order, as: CreationAttempt = 'first', clock?: OperationClock): Promise<Reply<unknown>> {
    const deadlineMs = this.nowMs() + this.deadlines.creationMs;
    const order = orderOf();
    const first = await this.attempt(order, creationUpdateId(as), deadlineMs, clock);
    return first.kind === 'closed' ? this.recorded(order, deadlineMs) : first;
  }

  /** `noteError`: what Temporal answered instead. */
  protected attempt(
    order: Order,
    updateId: string,
    deadlineMs: number,
    clock?: OperationClock,
    noteError: (error: unknown) => void = () => undefined,
  ): Promise<Reply<unknown>> {
    const { kind, creation, created } = this.contract;
    const card: PaymentCard = { kind, ...order, ...created, panelUrl: this.panelUrl };
    const input: PaymentWorkflowInput<Order> = { kind: 'create', order, ...(clock && { clock }) };
    return ask<unknown>(this.temporal, deadlineMs, async () => {
      const startWorkflowOperation = new WithStartWorkflowOperation<PaymentWorkflow<Order>>(
        kind,
        creationOptions(card, input),
      );
      try {
        return await this.temporal.executeUpdateWithStart(creation, { updateId, startWorkflowOperation });
      } catch (error) {
        noteError(error);
        throw error;
      }
    });
  }

  /** The workflow has ended since the first try: the outcome of its creation is in its history. */
  protected recorded({ id }: Order, deadlineMs: number): Promise<Reply<unknown>> {
    return ask(this.temporal, deadlineMs, () =>
      this.temporal.getHandle(id).getUpdateHandle<unknown>(CREATION_UPDATE_ID).result(),
    );
  }

  /**
   * The payment that the open workflow holds, as somebody answered; null without an answer in time, or beyond the
   * operation's share.
   */
  query({ id, operationId }: PaymentId): Promise<unknown> {
    return this.#gate.pass(operationId, () =>
      ask<unknown>(this.temporal, this.nowMs() + this.deadlines.queryMs, () =>
        this.temporal.getHandle(id).query(this.contract.query),
      ),
    );
  }

  cancel(id: string): Promise<Reply<unknown>> {
    return this.act(() => this.temporal.getHandle(id).executeUpdate(this.contract.cancel));
  }

  /** A person's decision on a review. */
  review(id: string, review: Review<Decision>): Promise<Reply<unknown>> {
    const options = { args: [review] as [Review<Decision>], updateId: review.actId };
    return this.act(() => this.temporal.getHandle(id).executeUpdate(this.contract.review, options));
  }

  protected act(call: () => Promise<unknown>): Promise<Reply<unknown>> {
    return ask(this.temporal, this.nowMs() + this.deadlines.actionMs, call);
  }

  /** Requests a look-up at the provider. Reopens a closed payment. */
  refresh(payment: ExistingPayment, operationName: string): Promise<Reply<unknown>> {
    const { kind, refresh } = this.contract;
    return askReopening<unknown>(this.temporal, this.nowMs() + this.deadlines.actionMs, () =>
      this.temporal.executeUpdateWithStart(refresh, {
        startWorkflowOperation: new WithStartWorkflowOperation<PaymentWorkflow<Order>>(
          kind,
          this.reopening(payment, operationName),
        ),
      }),
    );
  }

  /** Starts the workflow of an open payment that has none. A running one stays as it is. */
  reopen(payment: ExistingPayment, operationName: string): Promise<Reply<unknown>> {
    return ask(this.temporal, this.nowMs() + this.deadlines.signalMs, () =>
      this.temporal.start<PaymentWorkflow<Order>>(this.contract.kind, this.reopening(payment, operationName)),
    );
  }

  /** Reports a provider callback to the payment. Reopens a closed one. */
  notify(payment: ExistingPayment, operationName: string): Promise<Reply<unknown>> {
    const { kind, notice: signal } = this.contract;
    return ask(this.temporal, this.nowMs() + this.deadlines.signalMs, () =>
      this.temporal.signalWithStart<PaymentWorkflow<Order>, []>(kind, {
        ...this.reopening(payment, operationName),
        signal,
        signalArgs: [],
      }),
    );
  }

  private reopening({ id, operationId, externalId, status, amountMinor }: ExistingPayment, operationName: string) {
    const { kind } = this.contract;
    const stored = { id, operationId, externalId, status, amountMinor };
    const card: PaymentCard = { kind, ...stored, operationName, waitingFor: 'nothing' };
    return reopenOptions<PaymentWorkflowInput<Order>>(card, { kind: 'reopen', id, operationId });
  }
}

const DEPOSIT = {
  kind: DEPOSIT_WORKFLOW,
  created: { status: 'pending', waitingFor: 'payment' },
  creation: depositCreation,
  query: depositQuery,
  cancel: cancelDeposit,
  review: reviewDeposit,
  refresh: refreshDeposit,
  notice: chargeNotice,
} as const;

/** An undecided answer that arrives sooner comes from an earlier run: a new run waits longer for the rules engine. */
const EARLIER_ANSWER_MS = 3_000;

export class DepositWorkflows extends PaymentWorkflows<DepositOrder, DepositReview['decision']> {
  constructor(temporal: TemporalClient, deadlines: Deadlines, nowMs?: () => number, panelUrl?: string) {
    super(DEPOSIT, temporal, deadlines, nowMs, panelUrl);
  }

  override async create(
    orderOf: () => DepositOrder,
    as: CreationAttempt = 'first',
    clock?: OperationClock,
  ): Promise<Reply<unknown>> {
    const startedMs = this.nowMs();
    const deadlineMs = startedMs + this.deadlines.creationMs;
    let isUndecidedRun = false;
    const note = (error: unknown) => {
      isUndecidedRun = isUndecided(error);
    };
    const order = orderOf();
    let first = await this.attempt(order, creationUpdateId(as), deadlineMs, clock, note);
    // Temporal answers a known update id from the history of the failed run and starts no run. A new id starts one.
    if (isUndecidedRun && this.nowMs() - startedMs < EARLIER_ANSWER_MS)
      first = await this.attempt(orderOf(), creationUpdateId('anew'), deadlineMs, clock, note);
    if (first.kind !== 'closed') return first;
    const recorded = await this.recorded(order, deadlineMs);
    if (recorded.kind !== 'closed') return recorded;
    // If an update with another id decided the creation, the run's result has the refusal.
    const end = await ask<unknown>(this.temporal, deadlineMs, () => this.temporal.getHandle(order.id).result());
    return end.kind === 'answer' ? refusalOf(end.value) : end;
  }

  expire(id: string): Promise<Reply<unknown>> {
    return this.act(() => this.temporal.getHandle(id).executeUpdate(expireDeposit));
  }
}

/** A run that ended with a status has stored a deposit, so its row answers. */
function refusalOf(end: unknown): Reply<unknown> {
  return typeof end === 'string' ? { kind: 'closed' } : { kind: 'answer', value: end };
}

const WITHDRAWAL = {
  kind: WITHDRAWAL_WORKFLOW,
  created: { status: 'processing', waitingFor: 'payout_result' },
  creation: withdrawalCreation,
  query: withdrawalQuery,
  cancel: cancelWithdrawal,
  review: reviewWithdrawal,
  refresh: refreshWithdrawal,
  notice: payoutNotice,
} as const;

export class WithdrawalWorkflows extends PaymentWorkflows<WithdrawalOrder, WithdrawalReview['decision']> {
  constructor(temporal: TemporalClient, deadlines: Deadlines, nowMs?: () => number, panelUrl?: string) {
    super(WITHDRAWAL, temporal, deadlines, nowMs, panelUrl);
  }
}
