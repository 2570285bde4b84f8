// The state of a deposit's process: the deposit as the last step answered it, its messages, and a few facts that the
// row does not hold. The next run (continue-as-new) begins without these facts, like one that is reopened.
import type { DepositOpening, DepositState, StoredDeposit } from '../../activities/types.js';
import type { DepositOrder } from '../../contract/temporal/payment.js';
import type { PaymentContext } from '../../contract/temporal/payment-steps.js';
import { listSummary } from '../../contract/temporal/search-attributes.js';
import {
  DEPOSIT_TRANSITIONS,
  type DepositSnapshot,
  type DepositTrigger,
  isDepositClosed,
} from '../../domain/payments/deposit.js';
import { CHARGE_ALERT_SECONDS } from '../../domain/payments/outside-waits.js';
import { type PaymentKind, PaymentProcess } from '../steps/payment-process.js';
import { StatusReporter, type Wait } from '../steps/status-reporter.js';
import { secondsAfter } from '../steps/time.js';

const DEPOSIT: PaymentKind<DepositState> = {
  name: 'deposit',
  isClosed: ({ snapshot, isReturning }) => isDepositClosed(snapshot.status) && !isReturning,
  after: ({ snapshot: { instructions } }, { snapshot, ...state }) => ({
    ...state,
    snapshot: { ...snapshot, instructions: snapshot.instructions ?? instructions },
  }),
};

export class DepositProcess extends PaymentProcess<DepositState> {
  private result: DepositOpening | null = null;
  /** When the missing answer to the charge request becomes an alert; `null` once it has, or the provider answered. */
  private alertAt: string | null = null;

  /** `isNew`: the starter has published the search attributes of a deposit that waits for its payment. */
  constructor(isNew: boolean) {
    super(DEPOSIT, new StatusReporter(isNew ? { status: 'pending', waitingFor: 'payment' } : null));
  }

  /** Adopts the outcome of the creation. Without a deposit every later message fails with NO_SUCH_PAYMENT. */
  create(order: DepositOrder, opening: DepositOpening): void {
    this.result = opening;
    if (opening.kind !== 'created') {
      this.refuseMessages(opening.kind);
      return;
    }
    const { id, operationId, operationName, provider, amountMinor } = order;
    this.openWith({ id, operationId, operationName, provider, amountMinor, operatorReasons: 0 }, opening);
    this.planChargeAlert();
  }

  reopen(context: PaymentContext, stored: StoredDeposit): void {
    this.result = { kind: 'created', ...stored };
    this.openWith(context, stored);
    this.planChargeAlert();
    // It is not known what was under way in the last run, and a callback may have come: the charge is looked up.
    if (this.deposit.status !== 'created') this.notice();
  }

  /** The outcome of the creation; `null` until it is decided. */
  get opening(): DepositOpening | null {
    return this.result;
  }

  get deposit(): DepositSnapshot {
    return this.state.snapshot;
  }

  /** For validators: refuses what the state table does not allow, before it enters the history. */
  assertAllows(trigger: DepositTrigger): void {
    this.assertState(...DEPOSIT_TRANSITIONS[trigger].from);
  }

  /** It is looked up again after a while if nothing has changed. */
  override notice(): void {
    this.lookUps.noticed();
    super.notice();
  }

  get chargeAlertAt(): string | null {
    return this.alertAt;
  }

  chargeAlertRaised(): void {
    this.alertAt = null;
  }

  /** A provider that does not answer becomes an alert, whether or not a caller still waits for the creation. */
  private planChargeAlert(): void {
    const { status, createdAt } = this.deposit;
    if (status === 'created') this.alertAt = secondsAfter(createdAt, CHARGE_ALERT_SECONDS);
  }

  protected override report(wait: Wait): void {
    const { status, reviewReasons } = this.deposit;
    const summary = listSummary(this.payment.context, reviewReasons);
    this.reporter.report(status, wait, { reviewReasons, summary });
  }
}
