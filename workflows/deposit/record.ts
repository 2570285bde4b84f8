// One deposit as its workflow holds it, and the one way to change it: decide, persist, publish.
import { ApplicationFailure } from '@temporalio/workflow';
import type { StoreActivities } from '../../activities/types.js';
import type {
  AlertNote,
  FoundDeposit,
  PublishedEvent,
  ReviewAct,
  TransitionEffects,
} from '../../contract/temporal/transitions.js';
import type { DepositOrder } from '../../contract/temporal/deposit.js';
import type { AlertKind } from '../../domain/alerts.js';
import { DEPOSIT_TRANSITIONS, depositAllows, type DepositSnapshot, type DepositTrigger } from '../../domain/deposit.js';
import { store, storeOfActs } from '../steps/activity-proxies.js';
import { alertNote } from '../steps/alert-note.js';
import { now } from '../steps/clock.js';
import { Publisher } from '../steps/publisher.js';
import { newAct } from '../steps/review-act.js';

/** What a transition changes besides the status. */
export type DepositChange = Partial<
  Pick<
    DepositSnapshot,
    | 'paidAmountMinor'
    | 'instructions'
    | 'failureCode'
    | 'reviewReasons'
    | 'decidedBy'
    | 'endToEndId'
    | 'paidAt'
    | 'expiresAt'
  >
>;

export interface DepositEffects {
  readonly alert?: AlertNote;
  readonly resolves?: readonly AlertKind[];
  /** Sealed payer, when the transition records a payment. */
  readonly sealedPayer?: string;
}

type Movement = NonNullable<TransitionEffects['movement']>;

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
  async move(
    trigger: DepositTrigger,
    change: DepositChange,
    effects: DepositEffects = {},
    through: StoreActivities = store,
  ): Promise<void> {
    if (!depositAllows(trigger, this.stored.status))
      throw ApplicationFailure.nonRetryable(`${trigger} from ${this.stored.status}`, 'ForbiddenTransition');
    const { to, event, moves } = DEPOSIT_TRANSITIONS[trigger];
    const version = this.stored.version + 1;
    const reviewReasons = to === 'under_review' ? (change.reviewReasons ?? []) : [];
    const next = { ...this.withPayer(change, effects), status: to, version, reviewReasons };
    const published = { id: this.publisher.nextEventId(), type: event };
    const movement =
      moves === null
        ? null
        : { name: moves, amountMinor: next.paidAmountMinor ?? next.amountMinor, transferId: `${next.id}:${version}` };
    await this.persist(next, effects, movement, published, { through });
  }

  /** As `move`, for what an update asks. */
  async moveAsAsked(trigger: DepositTrigger, change: DepositChange = {}): Promise<void> {
    await this.move(trigger, change, {}, storeOfActs);
  }

  /** Stores facts beside the state: no new version and no event (a late payment, an approval that is not the last). */
  async note(
    change: DepositChange & { latePayment?: boolean },
    effects: DepositEffects,
    movement: Movement,
  ): Promise<void> {
    const next = { ...this.withPayer(change, effects), latePayment: change.latePayment ?? this.stored.latePayment };
    await this.persist(next, effects, movement, null);
  }

  /** Puts a person's act that changed nothing into the audit trail. */
  async keepAct(act: ReviewAct): Promise<void> {
    await this.persist({ ...this.stored, updatedAt: now() }, {}, null, null, { act });
  }

  private withPayer(change: DepositChange, effects: DepositEffects): DepositSnapshot {
    const hasPayer = this.stored.hasPayer || effects.sealedPayer !== undefined;
    return { ...this.stored, ...change, hasPayer, updatedAt: now() };
  }

  private async persist(
    next: DepositSnapshot,
    effects: DepositEffects,
    movement: Movement | null,
    event: PublishedEvent | null,
    {
      act = newAct(this.stored.decidedBy, next.decidedBy),
      through = store,
    }: { readonly act?: ReviewAct | null; readonly through?: StoreActivities } = {},
  ): Promise<void> {
    const sealedPayer = effects.sealedPayer ?? this.sealedPayer;
    const outcome = await through.storeDeposit({
      deposit: next,
      fromVersion: this.stored.version,
      sealedPayer,
      event,
      movement,
      alert:
        effects.alert === undefined
          ? null
          : alertNote(effects.alert.kind, effects.alert.detail, effects.alert.occasion),
      resolves: effects.resolves ?? [],
      act,
    });
    this.adopt(outcome === 'stored' ? { deposit: next, sealedPayer, events: event === null ? [] : [event] } : outcome);
  }

  /** What is stored counts, whoever's attempt stored it; only then is it published. */
  adopt({ deposit, sealedPayer, events }: FoundDeposit): void {
    this.stored = deposit;
    this.sealedPayer = sealedPayer;
    for (const event of events) this.publisher.publish(event, deposit.operationId);
  }
}
