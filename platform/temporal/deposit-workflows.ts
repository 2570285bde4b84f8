// The api's client of the deposit workflow (contract/temporal/deposit.ts).
import { WithStartWorkflowOperation } from '@temporalio/client';
import {
  cancelDeposit,
  chargeNotice,
  DEPOSIT_WORKFLOW,
  depositCreation,
  depositQuery,
  expireDeposit,
  type DepositReview,
  refreshDeposit,
  reviewDeposit,
  type DepositEnd,
  type DepositOrder,
  type DepositWorkflowInput,
} from '../../contract/temporal/deposit.js';
import { CREATION_UPDATE_ID } from '../../contract/temporal/payment.js';
import type { DepositSnapshot } from '../../domain/payments/deposit.js';
import type { OperationClock } from '../../domain/operation-clock.js';
import type { Deadlines } from './deadlines.js';
import { QueryGate } from './query-gate.js';
import { creationOptions, type PaymentCard, reopenOptions } from './start-options.js';
import {
  ask,
  askReopening,
  type CreationAttempt,
  creationUpdateId,
  isUndecided,
  type Reply,
  type TemporalClient,
} from './calls.js';

/** An undecided answer that arrives sooner comes from an earlier run: a new run waits longer for the rules engine. */
const EARLIER_ANSWER_MS = 3_000;

type DepositWorkflow = (input: DepositWorkflowInput) => Promise<DepositEnd>;

/** The part of a stored deposit that reopening its workflow needs. */
export type ExistingDeposit = Pick<DepositSnapshot, 'id' | 'operationId' | 'externalId' | 'status' | 'amountMinor'>;

export class DepositWorkflows {
  readonly #gate: QueryGate;

  constructor(
    private readonly temporal: TemporalClient,
    private readonly deadlines: Deadlines,
    private readonly nowMs: () => number = Date.now,
    private readonly panelUrl?: string,
  ) {
    this.#gate = new QueryGate(nowMs);
  }

  /**
   * Starts the deposit's workflow, or attaches to it, and waits for the outcome of its creation. Anybody may have
   * answered: store/sealing/vouched-answers.ts says what of it may be believed.
   * @param orderOf the order for each run that may be started, each with a proof of its own
   */
  async create(
    orderOf: () => DepositOrder,
    as: CreationAttempt = 'first',
    clock?: OperationClock,
  ): Promise<Reply<unknown>> {
    const startedMs = this.nowMs();
    const deadlineMs = startedMs + this.deadlines.creationMs;
    let isUndecidedRun = false;
    const attempt = (order: DepositOrder, updateId: string) =>
      ask<unknown>(this.temporal, deadlineMs, async () => {
        const startWorkflowOperation = new WithStartWorkflowOperation<DepositWorkflow>(
          DEPOSIT_WORKFLOW,
          creation(order, this.panelUrl, clock),
        );
        try {
          return await this.temporal.executeUpdateWithStart(depositCreation, { updateId, startWorkflowOperation });
        } catch (error) {
          isUndecidedRun = isUndecided(error);
          throw error;
        }
      });
    const order = orderOf();
    let first = await attempt(order, creationUpdateId(as));
    // Temporal answers a known update id from the history of the failed run and starts no run. A new id starts one.
    if (isUndecidedRun && this.nowMs() - startedMs < EARLIER_ANSWER_MS)
      first = await attempt(orderOf(), creationUpdateId('anew'));
    if (first.kind !== 'closed') return first;
    // The workflow has ended since the first try. The outcome of its creation is in its history.
    const handle = this.temporal.getHandle<DepositWorkflow>(order.id);
    const recorded = await ask(this.temporal, deadlineMs, () =>
      handle.getUpdateHandle<unknown>(CREATION_UPDATE_ID).result(),
    );
    if (recorded.kind !== 'closed') return recorded;
    // If an update with another id decided the creation, the run's result has the refusal.
    const end = await ask<unknown>(this.temporal, deadlineMs, () => handle.result());
    return end.kind === 'answer' ? refusalOf(end.value) : end;
  }

  /**
   * The deposit that the open workflow holds, as somebody answered (see `create`); null without an answer in time, or
   * beyond the operation's share.
   */
  query({ id, operationId }: Pick<DepositSnapshot, 'id' | 'operationId'>): Promise<unknown> {
    return this.#gate.pass(operationId, () =>
      ask<unknown>(this.temporal, this.nowMs() + this.deadlines.queryMs, () =>
        this.temporal.getHandle(id).query(depositQuery),
      ),
    );
  }

  cancel(depositId: string): Promise<Reply<unknown>> {
    return ask<unknown>(this.temporal, this.nowMs() + this.deadlines.actionMs, () =>
      this.temporal.getHandle(depositId).executeUpdate(cancelDeposit),
    );
  }

  expire(depositId: string): Promise<Reply<unknown>> {
    return ask<unknown>(this.temporal, this.nowMs() + this.deadlines.actionMs, () =>
      this.temporal.getHandle(depositId).executeUpdate(expireDeposit),
    );
  }

  /** A person's decision on a review. */
  review(depositId: string, review: DepositReview): Promise<Reply<unknown>> {
    return ask<unknown>(this.temporal, this.nowMs() + this.deadlines.actionMs, () =>
      this.temporal.getHandle(depositId).executeUpdate(reviewDeposit, { args: [review], updateId: review.actId }),
    );
  }

  /** Requests a look-up of the charge. Reopens a closed deposit. */
  refresh(deposit: ExistingDeposit, operationName: string, endToEndId: string | null): Promise<Reply<unknown>> {
    return askReopening<unknown>(this.temporal, this.nowMs() + this.deadlines.actionMs, () =>
      this.temporal.executeUpdateWithStart(refreshDeposit, {
        args: [{ endToEndId }],
        startWorkflowOperation: new WithStartWorkflowOperation<DepositWorkflow>(
          DEPOSIT_WORKFLOW,
          reopening(deposit, operationName),
        ),
      }),
    );
  }

  /** Starts the workflow of an open deposit that has none. A running one stays as it is. */
  reopen(deposit: ExistingDeposit, operationName: string): Promise<Reply<unknown>> {
    return ask(this.temporal, this.nowMs() + this.deadlines.signalMs, () =>
      this.temporal.start<DepositWorkflow>(DEPOSIT_WORKFLOW, reopening(deposit, operationName)),
    );
  }

  /** Reports a provider callback to the deposit. Reopens a closed deposit. */
  notify(deposit: ExistingDeposit, operationName: string, endToEndId: string): Promise<Reply<unknown>> {
    return ask(this.temporal, this.nowMs() + this.deadlines.signalMs, () =>
      this.temporal.signalWithStart<DepositWorkflow, [{ endToEndId: string }]>(DEPOSIT_WORKFLOW, {
        ...reopening(deposit, operationName),
        signal: chargeNotice,
        signalArgs: [{ endToEndId }],
      }),
    );
  }
}

/** A run that ended with a status has stored a deposit, so its row answers. */
function refusalOf(end: unknown): Reply<unknown> {
  return typeof end === 'string' ? { kind: 'closed' } : { kind: 'answer', value: end };
}

function creation(order: DepositOrder, panelUrl: string | undefined, clock?: OperationClock) {
  const card: PaymentCard = {
    kind: 'deposit',
    ...order,
    status: 'pending',
    waitingFor: 'payment',
    panelUrl,
  };
  return creationOptions<DepositWorkflowInput>(card, { kind: 'create', order, ...(clock && { clock }) });
}

function reopening(deposit: ExistingDeposit, operationName: string) {
  const { id, operationId, externalId, status, amountMinor } = deposit;
  const card: PaymentCard = {
    kind: 'deposit',
    id,
    operationId,
    operationName,
    externalId,
    status,
    amountMinor,
    waitingFor: 'nothing',
  };
  return reopenOptions<DepositWorkflowInput>(card, { kind: 'reopen', id, operationId });
}
