// One deposit as its workflow holds it, and the one way to change it: decide, persist, publish.
import { ApplicationFailure } from '@temporalio/workflow';
import type { AlertNote } from '../../activities/types.js';
import type { DepositOrder } from '../../contract/temporal/deposit.js';
import type { AlertKind } from '../../domain/alerts.js';
import { DEPOSIT_TRANSITIONS, depositAllows, type DepositSnapshot, type DepositTrigger } from '../../domain/deposit.js';
import type { LedgerMovement } from '../../domain/ledger.js';
import { store } from '../steps/activity-proxies.js';
import { nextId, now } from '../steps/clock.js';
import { Publisher } from '../steps/publisher.js';
import { newAct } from '../steps/review-act.js';

/** What a transition changes besides the status. */
export type DepositChange = Partial<
  Pick<DepositSnapshot, 'paidAmountMinor' | 'instructions' | 'failureCode' | 'reviewReasons' | 'decidedBy' | 'endToEndId' | 'paidAt' | 'expiresAt'>
>;

export interface DepositEffects {
  /** The money that moves with it. */
  readonly moves?: { readonly name: LedgerMovement; readonly amountMinor: string };
  readonly alert?: { readonly kind: AlertKind; readonly detail: string };
  readonly resolves?: readonly AlertKind[];
  /** Sealed payer, when the transition records a payment. */
  readonly sealedPayer?: string;
}

export class DepositRecord {
  readonly publisher = new Publisher();

  private constructor(
    readonly order: DepositOrder,
    /** As it is stored: what queries answer. */
    private stored: DepositSnapshot,
    private sealedPayer: string | null,
  ) {}

  static of(order: DepositOrder, deposit: DepositSnapshot, sealedPayer: string | null): DepositRecord {
    return new DepositRecord(order, deposit, sealedPayer);
  }

  get deposit(): DepositSnapshot {
    return this.stored;
  }

  /** Moves the deposit by the state table. The caller has checked `depositAllows`; anything else is a bug. */
  async move(trigger: DepositTrigger, change: DepositChange, effects: DepositEffects = {}): Promise<void> {
    if (!depositAllows(trigger, this.stored.status)) throw ApplicationFailure.nonRetryable(`${trigger} from ${this.stored.status}`, 'ForbiddenTransition');
    const { to, event } = DEPOSIT_TRANSITIONS[trigger];
    const version = this.stored.version + 1;
    const reviewReasons = to === 'under_review' ? (change.reviewReasons ?? []) : [];
    const next = { ...this.withPayer(change, effects), status: to, version, reviewReasons };
    const published = { id: nextId('event'), type: event };
    await this.persist(next, this.stored.version, effects, published, `${next.id}:${version}`);
    this.publisher.publish(published, next.operationId);
  }

  /** Stores facts beside the state: no new version and no event (a late payment, an approval that is not the last). */
  async note(change: DepositChange & { latePayment?: boolean }, effects: DepositEffects, transferId: string): Promise<void> {
    const next = { ...this.withPayer(change, effects), latePayment: change.latePayment ?? this.stored.latePayment };
    await this.persist(next, this.stored.version, effects, null, transferId);
  }

  private withPayer(change: DepositChange, effects: DepositEffects): DepositSnapshot {
    const hasPayer = this.stored.hasPayer || effects.sealedPayer !== undefined;
    return { ...this.stored, ...change, hasPayer, updatedAt: now() };
  }

  private async persist(next: DepositSnapshot, fromVersion: number, effects: DepositEffects, event: { id: string; type: string } | null, transferId: string): Promise<void> {
    const sealedPayer = effects.sealedPayer ?? this.sealedPayer;
    const { moves } = effects;
    await store.storeDeposit({
      deposit: next,
      fromVersion,
      sealedPayer,
      event,
      movement: moves === undefined ? null : { ...moves, transferId },
      alert: alertNote(effects.alert),
      resolves: effects.resolves ?? [],
      act: newAct(this.stored.decidedBy, next.decidedBy),
    });
    this.stored = next;
    this.sealedPayer = sealedPayer;
  }
}

function alertNote(alert: DepositEffects['alert']): AlertNote | null {
  return alert === undefined ? null : { id: nextId('alert'), ...alert };
}
