// The api's client of the deposit workflow (contract/temporal/payment.ts).
import {
  cancelDeposit,
  chargeNotice,
  DEPOSIT_WORKFLOW,
  depositCreation,
  type DepositOrder,
  depositQuery,
  type DepositReview,
  expireDeposit,
  refreshDeposit,
  reviewDeposit,
} from '../../contract/temporal/payment.js';
import type { OperationClock } from '../../domain/operation-clock.js';
import { ask, type CreationAttempt, creationUpdateId, isUndecided, type Reply, type TemporalClient } from './calls.js';
import type { Deadlines } from './deadlines.js';
import { PaymentWorkflows } from './payment-workflows.js';

/** An undecided answer that arrives sooner comes from an earlier run: a new run waits longer for the rules engine. */
const EARLIER_ANSWER_MS = 3_000;

const CONTRACT = {
  kind: DEPOSIT_WORKFLOW,
  created: { status: 'pending', waitingFor: 'payment' },
  creation: depositCreation,
  query: depositQuery,
  cancel: cancelDeposit,
  review: reviewDeposit,
  refresh: refreshDeposit,
  notice: chargeNotice,
} as const;

export class DepositWorkflows extends PaymentWorkflows<DepositOrder, DepositReview['decision']> {
  constructor(temporal: TemporalClient, deadlines: Deadlines, nowMs?: () => number, panelUrl?: string) {
    super(CONTRACT, temporal, deadlines, nowMs, panelUrl);
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
