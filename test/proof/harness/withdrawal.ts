// One withdrawal of a proof: created and acted on by the api's own client, paid out or not at the provider.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Reply } from '../../../platform/temporal/calls.js';
import {
  type WithdrawalActionOutcome,
  type WithdrawalOrder,
  type WithdrawalReview,
} from '../../../contract/temporal/payment.js';
import { newId } from '../../../domain/identifiers.js';
import type { WithdrawalStatus } from '../../../domain/payments/withdrawal.js';
import type { Payout } from '../../../providers/port.js';
import { type Action, kindOf, ProvedPayment, sealedPlayer } from './payment.js';
import type { Stage } from './stage.js';
import { sealedWithdrawalOrder } from '../../../store/sealing/orders.js';
import { vouchedSnapshot } from '../../../store/sealing/proofs.js';

type WithdrawalAction = Action<WithdrawalActionOutcome['kind']>;

export interface WithdrawalSettings {
  readonly reviewRequested?: boolean;
  /** The key stands in the directory: its holder must be looked up. */
  readonly inDirectory?: boolean;
  readonly amountMinor?: bigint;
}

export class ProvedWithdrawal extends ProvedPayment<WithdrawalStatus> {
  readonly order: WithdrawalOrder;
  private readonly keyValue = randomUUID();

  constructor(
    stage: Stage,
    operationId: string,
    { reviewRequested = false, inDirectory = false, amountMinor = 3000n }: WithdrawalSettings = {},
  ) {
    super(stage, operationId, newId('withdrawal'));
    const order = {
      id: this.id,
      operationId,
      operationName: 'acme',
      environment: 'sandbox' as const,
      provider: 'simulator',
      externalId: this.id,
      playerRef: 'player-1',
      amountMinor,
      currency: 'BRL',
      reviewRequested,
      operatorReasons: 0,
      hasPlayerIp: true,
      destinationType: 'random',
    };
    this.order = sealedWithdrawalOrder(stage.sealer, order, {
      player: sealedPlayer(),
      destination: { pix: { key_type: 'random', key: this.keyValue } },
    });
    if (inDirectory) this.ruling.withdrawal.keyHolder = 'in_directory';
  }

  get payout() {
    return this.stage.port.payout(this.id);
  }

  get key() {
    return this.stage.port.key(this.keyValue);
  }

  async status(): Promise<WithdrawalStatus | null> {
    const row = await this.stage.database.withdrawal.findUnique({ where: { id: this.id }, select: { status: true } });
    return row === null ? null : (row.status as WithdrawalStatus);
  }

  create() {
    return this.stage.withdrawals.create(() => this.order);
  }

  async cancel(): Promise<WithdrawalAction> {
    return kindOf(await this.stage.withdrawals.cancel(this.id));
  }

  async review(decision: WithdrawalReview['decision'], person = 'ana'): Promise<WithdrawalAction> {
    const actId = await this.act(`withdrawal.${decision}`, person);
    return kindOf(await this.stage.withdrawals.review(this.id, { decision, actId }));
  }

  /** Looks at the provider, reopening the withdrawal if it has ended. */
  async refresh(): Promise<Reply<unknown>['kind']> {
    const reply = await this.stage.withdrawals.refresh(await this.stored(), 'acme');
    return reply.kind;
  }

  /** Starts its workflow again from its row, as the hourly check does with one that was lost. */
  async reopen(): Promise<Reply<unknown>> {
    return this.stage.withdrawals.reopen(await this.stored(), 'acme');
  }

  /** A provider's callback, as the ingress hands it on. */
  async notice(): Promise<void> {
    await this.stage.withdrawals.notify(await this.stored(), 'acme');
  }

  /** Every answer of the gateway's own workflow is vouched for. */
  protected async queryWorkflow() {
    const answer = await this.stage.withdrawals.query(this);
    if (answer === null) return null;
    const snapshot = vouchedSnapshot(this.stage.sealer, 'withdrawal', this, answer);
    assert.ok(snapshot, `nobody vouches for what the workflow of ${this.id} says`);
    return snapshot;
  }

  /** The provider says this of the payout, whatever it was sent. */
  providerSays(change: Partial<Payout>): void {
    const unsent: Payout = {
      reference: this.id.slice(4),
      status: 'processing',
      endToEndId: `E${this.id.slice(4, 35)}`,
      failureCode: null,
      paidAt: null,
      returns: [],
      feeMinor: null,
    };
    this.payout.state = { ...(this.payout.state ?? unsent), ...change };
  }

  private async stored() {
    return { ...this.order, status: (await this.status()) ?? 'requested' };
  }
}
