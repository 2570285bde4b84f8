// One withdrawal of a test: created and acted on as the api does it.
import { WithStartWorkflowOperation } from '@temporalio/client';
import { creationOptions, reopenOptions } from '../../../platform/temporal/start-options.js';
import {
  cancelWithdrawal,
  CREATION_UPDATE_ID,
  payoutNotice,
  refreshWithdrawal,
  reviewWithdrawal,
  WITHDRAWAL_WORKFLOW,
  type WithdrawalActionOutcome,
  withdrawalCreation,
  type WithdrawalCreation,
  type WithdrawalOrder,
  withdrawalQuery,
  type WithdrawalReview,
  type WithdrawalWorkflowInput,
  type WriteOffOutcome,
  writeOffWithdrawal,
} from '../../../contract/temporal/payment.js';
import { sendStateOf } from '../../../domain/payments/withdrawal-record.js';
import type { PayoutSendState, WithdrawalSnapshot } from '../../../domain/payments/withdrawal.js';
import { PLANTED, PLAYER } from './persons.js';
import { PaymentCase } from './payment-case.js';
import { newId, type PaymentStage } from './stage.js';
import { orClosed } from './wait.js';
import { sealedWithdrawalOrder } from '../../../store/sealing/orders.js';

type WithdrawalWorkflow = (input: WithdrawalWorkflowInput) => Promise<unknown>;
type Asked = 'reviewRequested' | 'operatorReasons';
type OrderField = Asked | 'operationId' | 'externalId' | 'amountMinor' | 'hasPlayerIp' | 'playerRef';
export type WithdrawalSettings = Partial<Pick<WithdrawalOrder, OrderField>> & {
  /** What the operation's cash box holds before; null: this operation has been funded already. */
  fundsMinor?: bigint | null;
  /** The key stands in the directory: its holder must be looked up. */
  keyInDirectory?: boolean;
};

export class WithdrawalCase extends PaymentCase<WithdrawalSnapshot, WithdrawalWorkflowInput> {
  readonly order: WithdrawalOrder;

  constructor(stage: PaymentStage, { fundsMinor = 100_000n, keyInDirectory = false, ...settings }: WithdrawalSettings) {
    super(stage, 'withdrawal', newId('wdr_'));
    const order = {
      id: this.id,
      operationId: newId('op_'),
      operationName: 'acme',
      environment: 'sandbox' as const,
      provider: 'simulator',
      externalId: newId('ext-'),
      playerRef: PLAYER.external_ref,
      amountMinor: 3000n,
      currency: 'BRL',
      reviewRequested: false,
      operatorReasons: 0,
      hasPlayerIp: true,
      destinationType: keyInDirectory ? 'email' : 'cpf',
      ...settings,
    };
    const destination = { pix: { key_type: 'email', key: PLANTED.pixKey } } as const;
    this.order = sealedWithdrawalOrder(stage.world.sealer, order, { player: PLAYER, destination });
    if (fundsMinor !== null) this.database.fund(this.order.operationId, fundsMinor);
    if (keyInDirectory) this.ruling.withdrawal.keyHolder = 'in_directory';
  }

  get payout() {
    return this.stage.world.provider.payout(this.id);
  }

  protected stored(): WithdrawalSnapshot | null {
    return this.database.withdrawal(this.id);
  }

  /** What is known of the send. */
  sendState(): PayoutSendState | 'none' {
    const record = this.database.withdrawals.record(this.id);
    return record === null ? 'none' : sendStateOf(record);
  }

  create(): Promise<WithdrawalCreation> {
    const startWorkflowOperation = new WithStartWorkflowOperation<WithdrawalWorkflow>(
      WITHDRAWAL_WORKFLOW,
      creationOptions(this.card('processing', 'payout_result'), { kind: 'create', order: this.order }),
    );
    return this.client.executeUpdateWithStart(withdrawalCreation, {
      updateId: CREATION_UPDATE_ID,
      startWorkflowOperation,
    });
  }

  async query(): Promise<WithdrawalSnapshot | null> {
    return (await this.handle.query(withdrawalQuery))?.snapshot ?? null;
  }

  cancel(): Promise<WithdrawalActionOutcome | 'closed'> {
    return orClosed(this.handle.executeUpdate(cancelWithdrawal), this.cancelRefused);
  }

  review(decision: WithdrawalReview['decision'], person = 'ana'): Promise<WithdrawalActionOutcome | 'closed'> {
    const actId = this.act(`withdrawal.${decision}`, person);
    return orClosed(this.handle.executeUpdate(reviewWithdrawal, { args: [{ decision, actId }] }), this.refused);
  }

  /** One person's word that the provider never accepted it. */
  writeOff(person: string, evidence = 'ticket 4711'): Promise<WriteOffOutcome | 'closed'> {
    const actId = this.act('withdrawal.write_off', person, evidence);
    return orClosed(this.handle.executeUpdate(writeOffWithdrawal, { args: [{ actId }] }), this.refused);
  }

  /** Looks at the provider and answers with the withdrawal, reopening it if it has ended. */
  refresh(): Promise<WithdrawalSnapshot> {
    return this.reopening(() =>
      this.client.executeUpdateWithStart(refreshWithdrawal, {
        startWorkflowOperation: new WithStartWorkflowOperation<WithdrawalWorkflow>(
          WITHDRAWAL_WORKFLOW,
          this.reopenOptions(),
        ),
      }),
    );
  }

  /** Starts its workflow again from the row, after the run was lost. */
  async reopen(): Promise<void> {
    await this.client.start<WithdrawalWorkflow>(WITHDRAWAL_WORKFLOW, this.reopenOptions());
  }

  /** A provider's callback, as the ingress hands it on. */
  async notice(): Promise<void> {
    const options = { ...this.reopenOptions(), signal: payoutNotice, signalArgs: [] as [] };
    await this.reopening(() => this.client.signalWithStart<WithdrawalWorkflow, []>(WITHDRAWAL_WORKFLOW, options));
  }

  /** Cancelled again, it is the same answer. */
  private readonly cancelRefused = () =>
    ({ kind: this.row.status === 'cancelled' ? 'done' : 'invalid_state', snapshot: this.row }) as const;

  private readonly refused = () => ({ kind: 'invalid_state', snapshot: this.row }) as const;

  private reopenOptions() {
    const { operationId } = this.order;
    const input = { kind: 'reopen', id: this.id, operationId } as const;
    return reopenOptions<WithdrawalWorkflowInput>(this.card(this.row.status, 'nothing'), input);
  }
}
