// A deposit and its steps over rows, rules and a provider in memory, without Temporal.
import { createDepositSteps } from '../../../activities/payments/index.js';
import type { DepositDependencies } from '../../../activities/payments/deposit/ports.js';
import type { DepositSteps } from '../../../activities/payments/types.js';
import type { PaymentFinding } from '../../../domain/payments/charge-findings.js';
import { depositOrder, paymentFinding } from '../../../lab/harness/deposit-fixtures.js';
import { FakeWorld } from '../../support/fake-activities.js';

export const AT = '2026-11-21T12:00:00.000Z';
export const LATER = '2026-11-21T12:05:00.000Z';

export class DepositWorld extends FakeWorld {
  readonly order = depositOrder({ sealer: this.sealer, operationId: 'op_1' });

  /** The steps, with other books or rules if wanted. */
  step(change: Partial<DepositDependencies> = {}): DepositSteps {
    return createDepositSteps({
      deposits: this.database.deposits,
      rules: this.rules.engine,
      charges: this.provider.chargeCalls,
      sealer: this.sealer,
      environment: 'sandbox',
      ...change,
    });
  }

  ref(seenVersion = 0, at = LATER) {
    const { id, operationId, provider } = this.order;
    return { id, operationId, seenVersion, at, provider };
  }

  charge() {
    return this.provider.charge(this.order.id);
  }

  row() {
    return this.database.deposits.row(this.order.id);
  }

  published() {
    return this.database.events.map(({ type }) => type);
  }

  alerts() {
    return this.database.alerts.map(({ kind, occasion }) => [kind, occasion]);
  }

  balance(account: 'available' | 'pending_in' | 'suspense') {
    return this.database.balance('op_1', account);
  }

  payment(change: Partial<PaymentFinding> = {}) {
    return paymentFinding(this.sealer, this.order, change);
  }
}
