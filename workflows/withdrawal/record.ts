// One withdrawal as its workflow holds it, and the one way to change it: decide, persist, publish.
import { ApplicationFailure } from '@temporalio/workflow';
import type { StoreActivities } from '../../activities/types.js';
import type { FoundWithdrawal, ReviewAct } from '../../contract/temporal/transitions.js';
import type { WithdrawalOrder } from '../../contract/temporal/withdrawal.js';
import type { AlertKind } from '../../domain/alerts.js';
import type { AutomaticUse } from '../../domain/rules/automatic-use.js';
import {
  WITHDRAWAL_TRANSITIONS,
  withdrawalAllows,
  type WithdrawalSnapshot,
  type WithdrawalTrigger,
} from '../../domain/withdrawal.js';
import { store, storeOfActs } from '../steps/activity-proxies.js';
import { alertNote } from '../steps/alert-note.js';
import { now } from '../steps/clock.js';
import { Publisher } from '../steps/publisher.js';
import { newAct, newConclusionAct } from '../steps/review-act.js';

/** What a transition changes besides the status. */
export type WithdrawalChange = Partial<
  Pick<WithdrawalSnapshot, 'decision' | 'pspReference' | 'failureCode' | 'paidAt' | 'conclusions'>
>;

/** Conditions of an unsent withdrawal; leaving `approved` ends them. */
const DISPATCH_CONDITIONS: readonly AlertKind[] = [
  'CASH_BOX_SHORT',
  'OPERATION_SUSPENDED',
  'DISPATCH_CHECK_UNAVAILABLE',
  'PROVIDER_UNREACHABLE',
  'PAYOUT_ENVIRONMENT_GUARD',
  'PAYOUT_OUTCOME_UNKNOWN',
];

export class WithdrawalRecord {
  readonly publisher = new Publisher();

  constructor(
    readonly order: WithdrawalOrder,
    /** As it is stored: what queries answer. */
    private stored: WithdrawalSnapshot,
  ) {}

  get withdrawal(): WithdrawalSnapshot {
    return this.stored;
  }

  /** Moves the withdrawal by the state table. The caller has checked `withdrawalAllows`; anything else is a bug. */
  async move(trigger: WithdrawalTrigger, change: WithdrawalChange = {}): Promise<void> {
    await this.moveWithin(null, trigger, change);
  }

  /** As `move`, for what an update asks. */
  async moveAsAsked(trigger: WithdrawalTrigger, change: WithdrawalChange = {}): Promise<void> {
    await this.moveWithin(null, trigger, change, storeOfActs);
  }

  /** As `move`, if the operation's automatic cap has room for it. Answers whether it had. */
  async moveWithin(
    automaticUse: AutomaticUse | null,
    trigger: WithdrawalTrigger,
    change: WithdrawalChange,
    through: StoreActivities = store,
  ): Promise<boolean> {
    const { stored } = this;
    if (!withdrawalAllows(trigger, stored.status))
      throw ApplicationFailure.nonRetryable(`${trigger} from ${stored.status}`, 'ForbiddenTransition');
    const { to, event: type, moves } = WITHDRAWAL_TRANSITIONS[trigger];
    const next = { ...stored, ...change, status: to, version: stored.version + 1, updatedAt: now() };
    const event = { id: this.publisher.nextEventId(), type };
    const outcome = await through.storeWithdrawal({
      withdrawal: next,
      sealedRequest: this.order.sealedRequest,
      fromVersion: stored.version,
      event,
      movement:
        moves === null
          ? null
          : { name: moves, amountMinor: next.amountMinor, transferId: `${next.id}:${next.version}` },
      alert: null,
      resolves: stored.status === 'approved' ? DISPATCH_CONDITIONS : [],
      act: actOf(stored, next),
      automaticUse,
    });
    if (outcome === 'cap_reached') return false;
    this.adopt(outcome === 'stored' ? { withdrawal: next, events: [event] } : outcome);
    return true;
  }

  /** Stores a person's word that is not the last one: no new version and no event. */
  async note(change: WithdrawalChange): Promise<void> {
    const next = { ...this.stored, ...change, updatedAt: now() };
    const { sealedRequest } = this.order;
    const act = actOf(this.stored, next);
    const plain = { fromVersion: next.version, event: null, movement: null, alert: null, resolves: [] };
    const outcome = await storeOfActs.storeWithdrawal({ withdrawal: next, sealedRequest, ...plain, act });
    this.adopt(typeof outcome === 'object' ? outcome : { withdrawal: next, events: [] });
  }

  /** What is stored counts, whoever's attempt stored it; only then is it published. */
  adopt({ withdrawal, events }: FoundWithdrawal): void {
    this.stored = withdrawal;
    for (const event of events) this.publisher.publish(event, withdrawal.operationId);
  }

  /** Tells operations staff; one open alert of a kind per withdrawal, and one of an occasion ever. */
  async alert(kind: AlertKind, detail: string, occasion: string | null = null): Promise<void> {
    const { id: objectId, operationId } = this.stored;
    await store.raiseAlert({
      ...alertNote(kind, `${objectId}: ${detail}`, occasion),
      operationId,
      objectId,
      at: now(),
    });
  }
}

/** The human act that a change holds. */
function actOf(before: WithdrawalSnapshot, after: WithdrawalSnapshot): ReviewAct | null {
  return (
    newAct(before.decision.decidedBy, after.decision.decidedBy) ??
    newConclusionAct(before.conclusions, after.conclusions)
  );
}
