// A withdrawal and its steps over rows, rules and provider in memory, without Temporal.
import { BriefCalls } from '../../../activities/provider/brief-calls.js';
import { CLOCKS } from '../../../activities/payments/withdrawal/deadline.js';
import { createWithdrawalSteps } from '../../../activities/payments/index.js';
import type { WithdrawalDependencies } from '../../../activities/payments/withdrawal/ports.js';
import type { PaymentRef, RulesMode } from '../../../contract/temporal/payment-steps.js';
import type { WithdrawalOrder } from '../../../contract/temporal/payment.js';
import { newId } from '../../../domain/identifiers.js';
import type { PaymentActKind } from '../../../domain/staff.js';
import { FakeWorld } from '../../support/fake-activities.js';
import { sealedWithdrawalOrder } from '../../../store/sealing/orders.js';

export const AT = '2026-11-21T12:00:00.000Z';

/** The moment so many seconds after the creation. */
export function after(seconds: number): string {
  return new Date(Date.parse(AT) + seconds * 1_000).toISOString();
}

export class WithdrawalWorld {
  readonly world = new FakeWorld();
  readonly order: WithdrawalOrder;
  readonly dependencies: WithdrawalDependencies;

  constructor(settings: Partial<WithdrawalDependencies> & { readonly isKeyInDirectory?: boolean } = {}) {
    const { isKeyInDirectory = false, ...dependencies } = settings;
    const { sealer, database, rules, provider } = this.world;
    const order = {
      id: newId('withdrawal'),
      operationId: newId('operation'),
      operationName: 'acme',
      environment: 'sandbox' as const,
      provider: 'simulator',
      externalId: 'ext-1',
      playerRef: 'player-1',
      amountMinor: 3000n,
      currency: 'BRL',
      reviewRequested: false,
      operatorReasons: 0,
      hasPlayerIp: true,
      destinationType: isKeyInDirectory ? 'email' : 'cpf',
    };
    this.order = sealedWithdrawalOrder(sealer, order, {
      player: { external_ref: 'player-1', document: { type: 'CPF', number: '52998224725', country: 'BR' } },
      destination: { pix: { key_type: 'email', key: 'maria@example.test' } },
      review_reasons: ['large win'],
    });
    database.fund(this.order.operationId, 100_000n);
    if (isKeyInDirectory) this.ruling.withdrawal.keyHolder = 'in_directory';
    this.dependencies = {
      withdrawals: database.withdrawals,
      rules: rules.engine,
      payouts: provider.payoutCalls,
      sealer,
      environment: 'sandbox',
      clocks: CLOCKS,
      brief: { keyOwners: new BriefCalls(), lookUps: new BriefCalls() },
      ...dependencies,
    };
  }

  get id(): string {
    return this.order.id;
  }
  get rows() {
    return this.world.database.withdrawals;
  }
  get database() {
    return this.world.database;
  }
  get ruling() {
    return this.world.rules.of(this.id);
  }
  get payout() {
    return this.world.provider.payout(this.id);
  }
  get steps() {
    return createWithdrawalSteps(this.dependencies);
  }

  /** The stored withdrawal. */
  get stored() {
    const record = this.rows.record(this.id);
    if (record === null) throw new Error('there is no withdrawal');
    return record;
  }

  /** Status, reasons and judgement, as they are stored. */
  get judged() {
    const { snapshot, judgement } = this.stored;
    return [snapshot.status, snapshot.decision.reasons, judgement] as const;
  }

  /** The types of its events, oldest first. */
  get published() {
    return this.database.events.filter(({ objectId }) => objectId === this.id).map(({ type }) => type);
  }

  ref(at = AT): PaymentRef & { readonly provider: string } {
    const { operationId, provider } = this.order;
    return { id: this.id, operationId, seenVersion: 0, at, provider };
  }

  /** A person's stored act on it, as it is now. Answers the act's id. */
  act(
    handle: string,
    kind: PaymentActKind = 'withdrawal.approve',
    { id = newId('staffAct'), evidence = '' }: { id?: string; evidence?: string } = {},
  ): string {
    const { operationId } = this.order;
    const subjectVersion = this.rows.record(this.id)?.snapshot.version ?? 1;
    const about = { kind, operationId, subjectId: this.id, subjectVersion };
    return this.database.acts.store({ ...about, id, handle, reason: 'looked at it', evidence });
  }

  open(rules: RulesMode = 'asked') {
    return this.steps.openWithdrawal({ order: this.order, at: AT, rules });
  }

  /** Approved, checked and sent, with the answer of the send lost. */
  async sentUnheard(): Promise<void> {
    await this.open();
    await this.steps.clearDispatch(this.ref());
    this.payout.sendAnswers.push('times_out_lost');
    await this.steps.sendPayout(this.ref());
  }
}
