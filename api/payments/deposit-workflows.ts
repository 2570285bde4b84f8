// The deposit workflow as the api talks to it. The contract is contract/temporal/deposit.ts.
import { WithStartWorkflowOperation } from '@temporalio/client';
import {
  cancelDeposit,
  chargeNotice,
  CREATION_UPDATE_ID,
  DEPOSIT_WORKFLOW,
  depositCreation,
  depositQuery,
  expireDeposit,
  refreshDeposit,
  type DepositActionOutcome,
  type DepositCreation,
  type DepositOrder,
  type DepositWorkflowInput,
} from '../../contract/temporal/deposit.js';
import type { DepositSnapshot } from '../../domain/deposit.js';
import type { Deadlines } from './deadlines.js';
import { QueryGate } from './query-gate.js';
import { creationOptions, type PaymentCard, reopenOptions } from './start-options.js';
import { ask, type Reply, type TemporalClient } from './temporal.js';

type DepositWorkflow = (input: DepositWorkflowInput) => Promise<unknown>;

/** A stored deposit as a reopened workflow's page shows it. */
export type StoredDeposit = Pick<DepositSnapshot, 'id' | 'operationId' | 'externalId' | 'status' | 'amountMinor'>;

export class DepositWorkflows {
  readonly #gate: QueryGate;

  constructor(
    private readonly temporal: TemporalClient,
    private readonly deadlines: Deadlines,
    private readonly nowMs: () => number = Date.now,
  ) {
    this.#gate = new QueryGate(nowMs);
  }

  /** Starts the deposit's workflow, or attaches to it, and waits for the outcome of its creation (D3). */
  async create(order: DepositOrder): Promise<Reply<DepositCreation>> {
    const card: PaymentCard = { kind: 'deposit', id: order.depositId, ...order, status: 'pending', waitingFor: 'payment' };
    const deadlineMs = this.nowMs() + this.deadlines.creationMs;
    const first = await ask(this.temporal, deadlineMs, () =>
      this.temporal.executeUpdateWithStart(depositCreation, {
        updateId: CREATION_UPDATE_ID,
        startWorkflowOperation: new WithStartWorkflowOperation<DepositWorkflow>(DEPOSIT_WORKFLOW, creationOptions(card, { kind: 'create', order })),
      }),
    );
    if (first.kind !== 'closed') return first;
    // The workflow has ended since the first try: its creation's outcome is in its history.
    return ask(this.temporal, deadlineMs, () => this.temporal.getHandle(order.depositId).getUpdateHandle<DepositCreation>(CREATION_UPDATE_ID).result());
  }

  /** What the open workflow holds; null if it does not say so in time. */
  query(depositId: string): Promise<DepositSnapshot | null> {
    return this.#gate.pass(() => ask(this.temporal, this.nowMs() + this.deadlines.queryMs, () => this.temporal.getHandle(depositId).query(depositQuery)));
  }

  cancel(depositId: string): Promise<Reply<DepositActionOutcome>> {
    return ask(this.temporal, this.nowMs() + this.deadlines.actionMs, () => this.temporal.getHandle(depositId).executeUpdate(cancelDeposit));
  }

  expire(depositId: string): Promise<Reply<DepositActionOutcome>> {
    return ask(this.temporal, this.nowMs() + this.deadlines.actionMs, () => this.temporal.getHandle(depositId).executeUpdate(expireDeposit));
  }

  /** Has the deposit look at its charge, reopening it if it has ended. */
  refresh(deposit: StoredDeposit, operationName: string, endToEndId: string | null): Promise<Reply<DepositSnapshot>> {
    return ask(this.temporal, this.nowMs() + this.deadlines.actionMs, () =>
      this.temporal.executeUpdateWithStart(refreshDeposit, {
        args: [{ endToEndId }],
        startWorkflowOperation: new WithStartWorkflowOperation<DepositWorkflow>(DEPOSIT_WORKFLOW, reopening(deposit, operationName)),
      }),
    );
  }

  /** Tells the deposit that its provider announced a payment, reopening it if it has ended. */
  notify(deposit: StoredDeposit, operationName: string, endToEndId: string): Promise<Reply<unknown>> {
    return ask(this.temporal, this.nowMs() + this.deadlines.signalMs, () =>
      this.temporal.signalWithStart<DepositWorkflow, [{ endToEndId: string }]>(DEPOSIT_WORKFLOW, {
        ...reopening(deposit, operationName),
        signal: chargeNotice,
        signalArgs: [{ endToEndId }],
      }),
    );
  }
}

function reopening(deposit: StoredDeposit, operationName: string) {
  const { id, operationId, externalId, status, amountMinor } = deposit;
  const card: PaymentCard = { kind: 'deposit', id, operationId, operationName, externalId, status, amountMinor, waitingFor: 'nothing' };
  return reopenOptions<DepositWorkflowInput>(card, { kind: 'reopen', depositId: id, operationId });
}
