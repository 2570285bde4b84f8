// One deposit of a proof: created and acted on by the api's own client, paid and reversed at the provider.
import assert from 'node:assert/strict';
import { ask, type Reply } from '../../../platform/temporal/calls.js';
import {
  type DepositActionOutcome,
  type DepositOrder,
  type DepositReview,
  reviewDeposit,
} from '../../../contract/temporal/payment.js';
import type { DepositStatus } from '../../../domain/payments/deposit.js';
import { newId } from '../../../domain/identifiers.js';
import type { ReceivedPix, Reversal } from '../../../providers/port.js';
import { eventually } from '../../../lab/harness/eventually.js';
import { type Action, ACTION_MS, CPF, kindOf, OTHER_CPF, ProvedPayment, sealedPlayer } from './payment.js';
import { PATIENCE_MS, type Stage } from './stage.js';
import { sealedDepositOrder } from '../../../store/sealing/orders.js';
import { vouchedSnapshot } from '../../../store/sealing/proofs.js';

export const EXPIRES_IN_SECONDS = 1_800;

export type Payer = 'player' | 'other' | 'unknown';
type DepositAction = Action<DepositActionOutcome['kind']>;

export class ProvedDeposit extends ProvedPayment<DepositStatus> {
  readonly order: DepositOrder;

  constructor(stage: Stage, operationId: string, expiresInSeconds = EXPIRES_IN_SECONDS) {
    super(stage, operationId, newId('deposit'));
    const order = {
      id: this.id,
      operationId,
      operationName: 'acme',
      environment: 'sandbox' as const,
      provider: 'simulator',
      externalId: this.id,
      playerRef: 'player-1',
      amountMinor: 5000n,
      currency: 'BRL',
      expiresInSeconds,
    };
    this.order = sealedDepositOrder(stage.sealer, order, { player: sealedPlayer() });
  }

  get charge() {
    return this.stage.port.charge(this.id);
  }

  async status(): Promise<DepositStatus | null> {
    const row = await this.stage.database.deposit.findUnique({ where: { id: this.id }, select: { status: true } });
    return row === null ? null : (row.status as DepositStatus);
  }

  create() {
    return this.stage.deposits.create(() => this.order);
  }

  /** As a client that repeats a creation which was not decided in time: on a busy machine that happens. */
  async isCreated(): Promise<void> {
    const isDecided = async () => (await this.create()).kind !== 'unavailable';
    await eventually(isDecided, `the creation of ${this.id} is decided`, ACTION_MS);
  }

  /** The same, until it can be paid: on a busy machine the charge may come after the answer to the creation (202). */
  async isPending(): Promise<void> {
    await this.isCreated();
    await this.workflowReaches('pending');
  }

  async cancel(): Promise<DepositAction> {
    return kindOf(await this.stage.deposits.cancel(this.id));
  }

  async expire(): Promise<DepositAction> {
    return kindOf(await this.stage.deposits.expire(this.id));
  }

  /** As `gateway review` does it. */
  async review(decision: DepositReview['decision']): Promise<DepositAction> {
    const { client } = this.stage.temporal;
    const review = { decision, actId: await this.act(`deposit.${decision}`, 'ana') };
    return kindOf(
      await ask(client, Date.now() + PATIENCE_MS, () =>
        client.getHandle(this.id).executeUpdate(reviewDeposit, { args: [review] }),
      ),
    );
  }

  /** Looks at the provider, reopening the deposit if it has ended. */
  async refresh(): Promise<Reply<unknown>['kind']> {
    const reply = await this.stage.deposits.refresh(await this.stored(), 'acme');
    return reply.kind;
  }

  /** Starts its workflow again from its row, as the hourly check does with one that was lost. */
  async reopen(): Promise<Reply<unknown>> {
    return this.stage.deposits.reopen(await this.stored(), 'acme');
  }

  /** A provider's callback, as the ingress hands it on. */
  async notice(): Promise<void> {
    await this.stage.deposits.notify(await this.stored(), 'acme');
  }

  /** Every answer of the gateway's own workflow is vouched for. */
  protected async queryWorkflow() {
    const answer = await this.stage.deposits.query(this);
    if (answer === null) return null;
    const snapshot = vouchedSnapshot(this.stage.sealer, 'deposit', this, answer);
    assert.ok(snapshot, `nobody vouches for what the workflow of ${this.id} says`);
    return snapshot;
  }

  /** Somebody pays at the provider. */
  async payAtProvider(payer: Payer = 'player', amountMinor = this.order.amountMinor): Promise<ReceivedPix> {
    const document =
      payer === 'unknown' ? null : { type: 'CPF' as const, number: payer === 'player' ? CPF : OTHER_CPF };
    const paidAt = new Date(await this.stage.temporal.nowMs()).toISOString();
    const payment: ReceivedPix = {
      endToEndId: newId('event').slice(4),
      amountMinor,
      paidAt,
      payer: { document, name: 'Ana' },
      reversals: [],
      feeMinor: null,
    };
    this.charge.payments.push(payment);
    return payment;
  }

  /** The first payment goes back, not on our request. */
  reverseAtProvider(kind: Reversal['kind']): void {
    const [payment, ...others] = this.charge.payments;
    if (payment === undefined) return;
    const reversal: Reversal = {
      reference: newId('event').slice(4),
      amountMinor: payment.amountMinor,
      kind,
      status: 'done',
      at: payment.paidAt,
    };
    this.charge.payments = [{ ...payment, reversals: [...payment.reversals, reversal] }, ...others];
  }

  private async stored() {
    return { ...this.order, status: (await this.status()) ?? 'created' };
  }
}
