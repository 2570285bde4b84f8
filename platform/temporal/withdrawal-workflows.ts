// The api's client of the withdrawal workflow (contract/temporal/withdrawal.ts).
import { WithStartWorkflowOperation } from '@temporalio/client';
import { CREATION_UPDATE_ID } from '../../contract/temporal/payment.js';
import {
  cancelWithdrawal,
  payoutNotice,
  refreshWithdrawal,
  reviewWithdrawal,
  WITHDRAWAL_WORKFLOW,
  withdrawalCreation,
  withdrawalQuery,
  type WithdrawalOrder,
  type WithdrawalReview,
  type WithdrawalWorkflowInput,
} from '../../contract/temporal/withdrawal.js';
import type { WithdrawalSnapshot } from '../../domain/payments/withdrawal.js';
import type { OperationClock } from '../../domain/operation-clock.js';
import type { Deadlines } from './deadlines.js';
import { QueryGate } from './query-gate.js';
import { creationOptions, type PaymentCard, reopenOptions } from './start-options.js';
import { ask, askReopening, type CreationAttempt, creationUpdateId, type Reply, type TemporalClient } from './calls.js';

type WithdrawalWorkflow = (input: WithdrawalWorkflowInput) => Promise<unknown>;

/** The part of a stored withdrawal that reopening its workflow needs. */
export type ExistingWithdrawal = Pick<
  WithdrawalSnapshot,
  'id' | 'operationId' | 'externalId' | 'status' | 'amountMinor'
>;

export class WithdrawalWorkflows {
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
   * Starts the withdrawal's workflow, or attaches to it, and waits for its decision. Anybody may have answered:
   * store/sealing/vouched-answers.ts says what of it may be believed.
   * @param orderOf the order of the run that may be started, with a proof that no other run has
   */
  async create(
    orderOf: () => WithdrawalOrder,
    as: CreationAttempt = 'first',
    clock?: OperationClock,
  ): Promise<Reply<unknown>> {
    const order = orderOf();
    const card: PaymentCard = {
      kind: 'withdrawal',
      ...order,
      status: 'processing',
      waitingFor: 'payout_result',
      panelUrl: this.panelUrl,
    };
    const deadlineMs = this.nowMs() + this.deadlines.creationMs;
    const first = await ask<unknown>(this.temporal, deadlineMs, () =>
      this.temporal.executeUpdateWithStart(withdrawalCreation, {
        updateId: creationUpdateId(as),
        startWorkflowOperation: new WithStartWorkflowOperation<WithdrawalWorkflow>(
          WITHDRAWAL_WORKFLOW,
          creationOptions(card, { kind: 'create', order, ...(clock && { clock }) }),
        ),
      }),
    );
    if (first.kind !== 'closed') return first;
    // The workflow has ended since the first try. The outcome of its creation is in its history.
    return ask<unknown>(this.temporal, deadlineMs, () =>
      this.temporal.getHandle(order.id).getUpdateHandle<unknown>(CREATION_UPDATE_ID).result(),
    );
  }

  /**
   * The withdrawal that the open workflow holds, as somebody answered (see `create`); null without an answer in time,
   * or beyond the operation's share.
   */
  query({ id, operationId }: Pick<WithdrawalSnapshot, 'id' | 'operationId'>): Promise<unknown> {
    return this.#gate.pass(operationId, () =>
      ask<unknown>(this.temporal, this.nowMs() + this.deadlines.queryMs, () =>
        this.temporal.getHandle(id).query(withdrawalQuery),
      ),
    );
  }

  cancel(withdrawalId: string): Promise<Reply<unknown>> {
    return ask<unknown>(this.temporal, this.nowMs() + this.deadlines.actionMs, () =>
      this.temporal.getHandle(withdrawalId).executeUpdate(cancelWithdrawal),
    );
  }

  review(withdrawalId: string, review: WithdrawalReview): Promise<Reply<unknown>> {
    return ask<unknown>(this.temporal, this.nowMs() + this.deadlines.actionMs, () =>
      this.temporal.getHandle(withdrawalId).executeUpdate(reviewWithdrawal, { args: [review], updateId: review.actId }),
    );
  }

  /** Requests a look-up of the payout. Reopens a closed withdrawal. */
  refresh(withdrawal: ExistingWithdrawal, operationName: string): Promise<Reply<unknown>> {
    return askReopening<unknown>(this.temporal, this.nowMs() + this.deadlines.actionMs, () =>
      this.temporal.executeUpdateWithStart(refreshWithdrawal, {
        startWorkflowOperation: new WithStartWorkflowOperation<WithdrawalWorkflow>(
          WITHDRAWAL_WORKFLOW,
          reopening(withdrawal, operationName),
        ),
      }),
    );
  }

  /** Starts the workflow of an open withdrawal that has none. A running one stays as it is. */
  reopen(withdrawal: ExistingWithdrawal, operationName: string): Promise<Reply<unknown>> {
    return ask(this.temporal, this.nowMs() + this.deadlines.signalMs, () =>
      this.temporal.start<WithdrawalWorkflow>(WITHDRAWAL_WORKFLOW, reopening(withdrawal, operationName)),
    );
  }

  /** Reports a provider callback to the withdrawal. Reopens a closed withdrawal. */
  notify(withdrawal: ExistingWithdrawal, operationName: string): Promise<Reply<unknown>> {
    return ask(this.temporal, this.nowMs() + this.deadlines.signalMs, () =>
      this.temporal.signalWithStart<WithdrawalWorkflow, []>(WITHDRAWAL_WORKFLOW, {
        ...reopening(withdrawal, operationName),
        signal: payoutNotice,
        signalArgs: [],
      }),
    );
  }
}

function reopening(withdrawal: ExistingWithdrawal, operationName: string) {
  const { id, operationId, externalId, status, amountMinor } = withdrawal;
  const card: PaymentCard = {
    kind: 'withdrawal',
    id,
    operationId,
    operationName,
    externalId,
    status,
    amountMinor,
    waitingFor: 'nothing',
  };
  return reopenOptions<WithdrawalWorkflowInput>(card, { kind: 'reopen', id, operationId });
}
