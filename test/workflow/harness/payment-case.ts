// What the deposits and withdrawals of the workflow tests have in common: their doubles, their workflow, and reopening
// it.
import type { WaitingFor } from '../../../contract/temporal/search-attributes.js';
import type { DepositSnapshot } from '../../../domain/payments/deposit.js';
import type { PaymentActKind } from '../../../domain/staff.js';
import type { WithdrawalSnapshot } from '../../../domain/payments/withdrawal.js';
import type { PaymentCard } from '../../../platform/temporal/start-options.js';
import { eventually } from '../../../lab/harness/eventually.js';
import { expectOutcome, type Outcome } from './expect-outcome.js';
import type { PaymentStage } from './stage.js';
import { reopening } from './wait.js';

interface Order {
  readonly operationId: string;
  readonly operationName: string;
  readonly externalId: string;
  readonly amountMinor: bigint;
}

export abstract class PaymentCase<Snapshot extends DepositSnapshot | WithdrawalSnapshot, Input> {
  abstract readonly order: Order;

  constructor(
    readonly stage: PaymentStage,
    readonly kind: PaymentCard['kind'],
    readonly id: string,
  ) {}

  get ruling() {
    return this.stage.world.rules.of(this.id);
  }

  get inbox() {
    return this.stage.world.receiver.of(this.id);
  }

  get database() {
    return this.stage.world.database;
  }

  get client() {
    return this.stage.temporal.client;
  }

  get handle() {
    return this.client.getHandle<(input: Input) => Promise<unknown>>(this.id);
  }

  /** The row in Postgres. Throws if there is none. */
  get row(): Snapshot {
    const row = this.stored();
    if (row === null) throw new Error(`there is no such ${this.kind}`);
    return row;
  }

  protected abstract stored(): Snapshot | null;

  abstract query(): Promise<Snapshot | null>;

  /** What a person asks for, stored. Answers the act's id. */
  act(kind: PaymentActKind, handle: string, evidence = ''): string {
    const subjectVersion = this.stored()?.version ?? 1;
    const about = { kind, operationId: this.order.operationId, subjectId: this.id, subjectVersion };
    return this.database.acts.store({ ...about, handle, evidence });
  }

  /** Until the workflow itself answers the status: a step stores before its workflow learns of it. */
  async untilStatus(status: Snapshot['status']): Promise<void> {
    await eventually(async () => (await this.query())?.status === status, `the workflow answers ${status}`);
  }

  async untilEnded(): Promise<void> {
    await eventually(async () => (await this.handle.describe()).status.name === 'COMPLETED', 'the workflow ended');
  }

  expectOutcome(outcome: Outcome): Promise<void> {
    return expectOutcome(this, outcome);
  }

  /** What the workflow's page shows of it. */
  protected card(status: string, waitingFor: WaitingFor): PaymentCard {
    const { operationId, operationName, externalId, amountMinor } = this.order;
    return { kind: this.kind, id: this.id, operationId, operationName, externalId, amountMinor, status, waitingFor };
  }

  /** Makes a call that reopens the workflow if it has ended, as the api does. */
  protected reopening<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    return reopening(this.client, call);
  }
}
