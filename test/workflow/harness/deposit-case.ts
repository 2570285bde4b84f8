// One deposit of a test: created and acted on as the api does it.
import { WithStartWorkflowOperation } from '@temporalio/client';
import type { PaymentFinding, ReversalFinding } from '../../../domain/payments/charge-findings.js';
import { creationOptions, reopenOptions } from '../../../platform/temporal/start-options.js';
import {
  cancelDeposit,
  chargeNotice,
  CREATION_UPDATE_ID,
  DEPOSIT_WORKFLOW,
  type DepositActionOutcome,
  depositCreation,
  type DepositCreation,
  type DepositOrder,
  depositQuery,
  type DepositReview,
  type DepositWorkflowInput,
  expireDeposit,
  refreshDeposit,
  reviewDeposit,
} from '../../../contract/temporal/payment.js';
import type { DepositPayer, DepositSnapshot } from '../../../domain/payments/deposit.js';
import { PLANTED, PLAYER } from './persons.js';
import { PaymentCase } from './payment-case.js';
import { newId, type PaymentStage } from './stage.js';
import { orClosed } from './wait.js';
import { sealedDepositOrder } from '../../../store/sealing/orders.js';
import { payerPlace } from '../../../lab/harness/deposit-fixtures.js';

type DepositWorkflow = (input: DepositWorkflowInput) => Promise<unknown>;
export type DepositSettings = Partial<
  Pick<DepositOrder, 'operationId' | 'externalId' | 'amountMinor' | 'environment' | 'expiresInSeconds' | 'playerRef'>
> & { document?: string };

/** What somebody pays; by default the player, the exact amount, now. */
export interface PaymentSettings {
  readonly amountMinor?: bigint;
  readonly payerMatch?: PaymentFinding['payerMatch'];
  readonly paidAt?: string;
  readonly endToEndId?: string;
}

export class DepositCase extends PaymentCase<DepositSnapshot, DepositWorkflowInput> {
  readonly order: DepositOrder;

  constructor(stage: PaymentStage, { document = PLANTED.document, ...settings }: DepositSettings) {
    super(stage, 'deposit', newId('dep_'));
    const order = {
      id: this.id,
      operationId: newId('op_'),
      operationName: 'acme',
      environment: 'sandbox' as const,
      provider: 'simulator',
      externalId: newId('ext-'),
      playerRef: PLAYER.external_ref,
      amountMinor: 5000n,
      currency: 'BRL',
      expiresInSeconds: 1800,
      ...settings,
    };
    const player = { ...PLAYER, document: { ...PLAYER.document, number: document } };
    this.order = sealedDepositOrder(stage.world.sealer, order, { player });
  }

  get charge() {
    return this.stage.world.provider.charge(this.id);
  }

  protected stored(): DepositSnapshot | null {
    return this.database.deposit(this.id);
  }

  create(updateId = CREATION_UPDATE_ID): Promise<DepositCreation> {
    const startWorkflowOperation = new WithStartWorkflowOperation<DepositWorkflow>(
      DEPOSIT_WORKFLOW,
      creationOptions(this.card('pending', 'payment'), { kind: 'create', order: this.order }),
    );
    return this.client.executeUpdateWithStart(depositCreation, {
      updateId,
      startWorkflowOperation,
    });
  }

  async query(): Promise<DepositSnapshot | null> {
    return (await this.handle.query(depositQuery))?.snapshot ?? null;
  }

  cancel(): Promise<DepositActionOutcome | 'closed'> {
    return orClosed(this.handle.executeUpdate(cancelDeposit), this.cancelRefused);
  }

  expire(): Promise<DepositActionOutcome | 'closed'> {
    return orClosed(this.handle.executeUpdate(expireDeposit), this.refused);
  }

  review(decision: DepositReview['decision'], person = 'ana'): Promise<DepositActionOutcome | 'closed'> {
    const actId = this.act(`deposit.${decision}`, person);
    return orClosed(this.handle.executeUpdate(reviewDeposit, { args: [{ decision, actId }] }), this.refused);
  }

  /** What two people concluded of its return. `at`: RFC 3339. */
  conclude(result: 'done' | 'never', at: string): void {
    const { deposits } = this.stage.world.database;
    const returnActId = deposits.row(this.id)?.record.returnRequest?.actId;
    if (returnActId === undefined) throw new Error('no return is under way');
    deposits.conclusions.push({ returnActId, result, at, person: 'ana', reason: 'stuck', evidence: 'ticket 4711' });
  }

  /** Looks at the provider and answers with the deposit, reopening it if it has ended. */
  refresh(): Promise<DepositSnapshot> {
    return this.reopening(() =>
      this.client.executeUpdateWithStart(refreshDeposit, {
        startWorkflowOperation: new WithStartWorkflowOperation<DepositWorkflow>(DEPOSIT_WORKFLOW, this.reopenOptions()),
      }),
    );
  }

  /** A provider's callback, as the ingress hands it on. */
  async notice(): Promise<void> {
    const options = { ...this.reopenOptions(), signal: chargeNotice, signalArgs: [] as [] };
    await this.reopening(() => this.client.signalWithStart<DepositWorkflow, []>(DEPOSIT_WORKFLOW, options));
  }

  /** Somebody pays at the provider; the gateway learns of it by `notice` or `refresh`. */
  async payAtProvider(settings: PaymentSettings = {}): Promise<PaymentFinding> {
    const payerMatch = settings.payerMatch ?? 'match';
    const payment: PaymentFinding = {
      endToEndId: newId('E').slice(0, 32),
      amountMinor: this.order.amountMinor,
      paidAt: await this.stage.now(),
      feeMinor: null,
      reversals: [],
      ...settings,
      payerMatch,
      sealedPayer: this.stage.world.sealer.sealJson(payerPlace(this.order), payerOf(payerMatch)),
    };
    this.charge.payments.push(payment);
    return payment;
  }

  /** Somebody pays, and the gateway looks. */
  async pay(settings: PaymentSettings = {}): Promise<DepositSnapshot> {
    await this.payAtProvider(settings);
    return this.refresh();
  }

  /** The provider reports a return of the deposit's payment. */
  reverseAtProvider(
    kind: 'refund' | 'chargeback',
    settings: Partial<Pick<ReversalFinding, 'amountMinor' | 'reference' | 'state'>> = {},
  ): void {
    const [payment] = this.charge.payments;
    if (payment === undefined) throw new Error('nothing was paid');
    const reversal: ReversalFinding = {
      kind,
      amountMinor: payment.amountMinor,
      reference: newId('D'),
      state: 'done',
      at: payment.paidAt,
      ...settings,
    };
    this.charge.payments[0] = { ...payment, reversals: [...payment.reversals, reversal] };
  }

  /** Cancelled again, it is the same answer. */
  private readonly cancelRefused = () =>
    ({ kind: this.row.status === 'cancelled' ? 'done' : 'invalid_state', snapshot: this.row }) as const;

  private readonly refused = () => ({ kind: 'invalid_state', snapshot: this.row }) as const;

  private reopenOptions() {
    const { operationId } = this.order;
    const input = { kind: 'reopen', id: this.id, operationId } as const;
    return reopenOptions<DepositWorkflowInput>(this.card(this.row.status, 'nothing'), input);
  }
}

function payerOf(match: PaymentFinding['payerMatch']): DepositPayer {
  if (match === 'unknown') return { document: null, name: null, matchesPlayer: false };
  const isPlayer = match === 'match';
  const document = { type: 'CPF', number: isPlayer ? PLANTED.document : PLANTED.otherDocument, country: 'BR' };
  return { document, name: isPlayer ? PLANTED.name : PLANTED.otherName, matchesPlayer: isPlayer };
}
