// The withdrawal workflow as the api talks to it. The contract is contract/temporal/withdrawal.ts.
import { WithStartWorkflowOperation } from '@temporalio/client';
import { CREATION_UPDATE_ID } from '../../contract/temporal/deposit.js';
import {
  cancelWithdrawal,
  payoutNotice,
  refreshWithdrawal,
  reviewWithdrawal,
  WITHDRAWAL_WORKFLOW,
  withdrawalCreation,
  withdrawalQuery,
  type WithdrawalActionOutcome,
  type WithdrawalCreation,
  type WithdrawalOrder,
  type WithdrawalReview,
  type WithdrawalWorkflowInput,
} from '../../contract/temporal/withdrawal.js';
import type { WithdrawalSnapshot } from '../../domain/withdrawal.js';
import type { Deadlines } from './deadlines.js';
import { QueryGate } from './query-gate.js';
import { creationOptions, type PaymentCard, reopenOptions } from './start-options.js';
import { ask, askReopening, type Reply, type TemporalClient } from './calls.js';

type WithdrawalWorkflow = (input: WithdrawalWorkflowInput) => Promise<unknown>;

/** A stored withdrawal as a reopened workflow's page shows it. */
export type StoredWithdrawal = Pick<WithdrawalSnapshot, 'id' | 'operationId' | 'externalId' | 'status' | 'amountMinor'>;

export class WithdrawalWorkflows {
  readonly #gate: QueryGate;

  constructor(
    private readonly temporal: TemporalClient,
    private readonly deadlines: Deadlines,
    private readonly nowMs: () => number = Date.now,
  ) {
    this.#gate = new QueryGate(nowMs);
  }

  /** Starts the withdrawal's workflow, or attaches to it, and waits for its decision (D3). */
  async create(order: WithdrawalOrder): Promise<Reply<WithdrawalCreation>> {
    const card: PaymentCard = {
      kind: 'withdrawal',
      id: order.withdrawalId,
      ...order,
      status: 'requested',
      waitingFor: 'rules_decision',
    };
    const deadlineMs = this.nowMs() + this.deadlines.creationMs;
    const first = await ask(this.temporal, deadlineMs, () =>
      this.temporal.executeUpdateWithStart(withdrawalCreation, {
        updateId: CREATION_UPDATE_ID,
        startWorkflowOperation: new WithStartWorkflowOperation<WithdrawalWorkflow>(
          WITHDRAWAL_WORKFLOW,
          creationOptions(card, { kind: 'create', order }),
        ),
      }),
    );
    if (first.kind !== 'closed') return first;
    // The workflow has ended since the first try: its creation's outcome is in its history.
    return ask(this.temporal, deadlineMs, () =>
      this.temporal.getHandle(order.withdrawalId).getUpdateHandle<WithdrawalCreation>(CREATION_UPDATE_ID).result(),
    );
  }

  /** What the open workflow holds; null if it does not say so in time. */
  query(withdrawalId: string): Promise<WithdrawalSnapshot | null> {
    return this.#gate.pass(() =>
      ask(this.temporal, this.nowMs() + this.deadlines.queryMs, () =>
        this.temporal.getHandle(withdrawalId).query(withdrawalQuery),
      ),
    );
  }

  cancel(withdrawalId: string): Promise<Reply<WithdrawalActionOutcome>> {
    return ask(this.temporal, this.nowMs() + this.deadlines.actionMs, () =>
      this.temporal.getHandle(withdrawalId).executeUpdate(cancelWithdrawal),
    );
  }

  review(withdrawalId: string, review: WithdrawalReview): Promise<Reply<WithdrawalActionOutcome>> {
    return ask(this.temporal, this.nowMs() + this.deadlines.actionMs, () =>
      this.temporal.getHandle(withdrawalId).executeUpdate(reviewWithdrawal, { args: [review] }),
    );
  }

  /** Has the withdrawal look at its payout, reopening it if it has ended. */
  refresh(withdrawal: StoredWithdrawal, operationName: string): Promise<Reply<WithdrawalSnapshot>> {
    return askReopening(this.temporal, this.nowMs() + this.deadlines.actionMs, () =>
      this.temporal.executeUpdateWithStart(refreshWithdrawal, {
        startWorkflowOperation: new WithStartWorkflowOperation<WithdrawalWorkflow>(
          WITHDRAWAL_WORKFLOW,
          reopening(withdrawal, operationName),
        ),
      }),
    );
  }

  /** Tells the withdrawal that its provider announced something, reopening it if it has ended. */
  notify(withdrawal: StoredWithdrawal, operationName: string): Promise<Reply<unknown>> {
    return ask(this.temporal, this.nowMs() + this.deadlines.signalMs, () =>
      this.temporal.signalWithStart<WithdrawalWorkflow, []>(WITHDRAWAL_WORKFLOW, {
        ...reopening(withdrawal, operationName),
        signal: payoutNotice,
        signalArgs: [],
      }),
    );
  }
}

function reopening(withdrawal: StoredWithdrawal, operationName: string) {
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
  return reopenOptions<WithdrawalWorkflowInput>(card, { kind: 'reopen', withdrawalId: id, operationId });
}
