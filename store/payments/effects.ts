// A change of a payment, and what follows from it, as the statement that stores the change takes it: the event,
// movements of money and the entry in the audit trail. Functions of prisma/functions store each; nothing is done of
// what is null.
import type { EventEnvelope } from '../../contract/http/presenters.js';
import type { PaymentAction } from '../../domain/audit-actions.js';
import { LEDGER_MOVEMENTS, type LedgerTransfer, postingsOf } from '../../domain/ledger.js';
import { writeJson } from '../../domain/money.js';
import type { DepositSnapshot, ReviewDecision } from '../../domain/payments/deposit.js';
import type { RefusedReturn } from '../../domain/payments/deposit-record.js';
import type { WithdrawalSnapshot } from '../../domain/payments/withdrawal.js';
import type { WriteOffAct } from '../../domain/payments/write-off.js';
import { canonicalJson } from '../../domain/rules/canonical-json.js';
import type { UsedAct } from '../../domain/staff.js';
import { detailBy } from '../audit/audit.js';
import type { Database } from '../database.js';
import type { SealedTarget } from '../events/deliveries.js';
import type { FirstAttempts, StoredEvent } from '../events/first-attempts.js';
import type { DecisionRecord } from '../rules/decisions.js';
import { placeOf } from '../sealing/places.js';
import type { Sealer } from '../sealing/sealer.js';

/** Where transitions store their events. */
export interface EventStore {
  readonly database: Database;
  readonly sealer: Sealer;
  /** Absent or `null` if this process delivers no webhooks: others take its events out of the outbox. */
  readonly firstAttempts?: FirstAttempts | null;
}

export interface PublishedEvent {
  readonly id: string;
  readonly type: string;
}

/** An event to store, with its sealed body. */
export interface NewEvent extends PublishedEvent {
  readonly body: Uint8Array<ArrayBuffer>;
  /**
   * `null`: whoever takes it makes the first attempt to deliver it. Otherwise this process does, after those of these
   * events of the object.
   */
  readonly held: readonly string[] | null;
}

/** The event of a transition, to be stored with it; `null` if it publishes none. */
export function newEvent(
  { sealer, firstAttempts }: Pick<EventStore, 'sealer' | 'firstAttempts'>,
  object: Pick<StoredEvent, 'operationId' | 'objectId'>,
  event: PublishedEvent | null,
  envelope: (event: PublishedEvent) => EventEnvelope,
): NewEvent | null {
  if (event === null) return null;
  const place = placeOf('event.body_sealed', object.operationId, { id: event.id });
  const body = sealer.sealBytes(place, Buffer.from(JSON.stringify(envelope(event)), 'utf8'));
  return { ...event, body, held: firstAttempts?.takes(object) ?? null };
}

/** The parameters of `publish_event`. */
export function eventParameters(event: NewEvent | null) {
  if (event === null) return { event: null, eventBody: null };
  const { id, type, held, body } = event;
  return { event: JSON.stringify({ id, type, held }), eventBody: body };
}

/** Begins the first attempt to deliver an event that is stored, if it is this process's. */
export function beginAttempt(
  { firstAttempts }: Pick<EventStore, 'firstAttempts'>,
  { operationId, id: objectId, updatedAt }: { operationId: string; id: string; updatedAt: string },
  event: NewEvent | null,
  target: SealedTarget | null | undefined,
): void {
  if (event === null || !target) return;
  const { id: eventId, body } = event;
  firstAttempts?.begin({ eventId, operationId, objectId }, { target, body, createdAt: updatedAt });
}

/** The parameter of `book_movements`: rows of the bank's movements, of items in suspense, and of the ledger. */
export function movementsParameter(movements: readonly LedgerTransfer[]): string | null {
  if (movements.length === 0) return null;
  const bank = movements.flatMap(({ amountMinor: amount, step, bank: at }) =>
    at === null
      ? []
      : [
          {
            step,
            kind: at.kind,
            bank_id: at.bankId,
            part: at.part,
            amount,
            settled_at: at.settledAt,
            said_by: at.saidBy,
          },
        ],
  );
  const items = movements.flatMap(({ name: movement, amountMinor, step, bank: at, item }) => {
    if (item === undefined) return [];
    const amount = LEDGER_MOVEMENTS[movement].to === 'suspense' ? amountMinor : -amountMinor;
    return [{ step, movement, item, amount, received_at: at?.kind === 'received' ? at.settledAt : null }];
  });
  const entries = movements.flatMap(({ name: movement, amountMinor, step }) =>
    postingsOf(movement, amountMinor).map((posting) => ({
      ...{ step, movement, account: posting.account },
      amount: posting.amountMinor,
    })),
  );
  return writeJson({ bank, items, entries });
}

/** One person's decision for the audit trail; `number` identifies it among the payment's acts of the same kind. */
export type ReviewAct =
  /** `evidence`: where the provider states that a return is done. */
  | (ReviewDecision & { readonly number: number; readonly evidence?: string })
  | (WriteOffAct & { readonly number: `write-off-${number}` })
  | (Omit<ReviewDecision, 'decision'> & { readonly decision: 'cancel'; readonly number: 'cancel' })
  /** A person asked for a return to the payer. The provider has not been asked yet. */
  | (Omit<ReviewDecision, 'decision'> & { readonly decision: 'return_requested'; readonly number: `return-${string}` })
  /** An item in suspense went back, as people ordered. `payment`: its end-to-end id. */
  | (Omit<ReviewDecision, 'decision'> & {
      readonly decision: 'item_returned';
      readonly number: `item-${string}`;
      readonly payment: string;
      readonly evidence?: string;
    })
  | RefusedReturn
  /** Two people concluded from the provider's statement that the return was not made and never will be. */
  | (Omit<ReviewDecision, 'decision'> & {
      readonly decision: 'return_withdrawn';
      readonly evidence: string;
      readonly number: `withdrawn-${string}`;
    });

/**
 * The parameter of `audit_act`. `uses` is the stored act that the change performs; a return that the provider refused
 * has none.
 */
export function auditParameter(
  kind: 'deposit' | 'withdrawal',
  payment: Pick<DepositSnapshot | WithdrawalSnapshot, 'id' | 'operationId' | 'version' | 'updatedAt'>,
  act: ReviewAct | null | undefined,
  uses: UsedAct | undefined,
): string | null {
  if (!act) return null;
  const { id, operationId, version } = payment;
  const basic = {
    reason: act.reason,
    version,
    ...('evidence' in act ? { evidence: act.evidence } : {}),
    ...('code' in act ? { code: act.code } : {}),
    ...('payment' in act ? { payment: act.payment } : {}),
    ...('requestedBy' in act ? { requested_by: act.requestedBy } : {}),
  };
  const detail = canonicalJson(uses === undefined ? basic : detailBy({ ...uses, actId: uses.id }, basic));
  const { person } = act;
  const at = act.at ?? payment.updatedAt;
  const action: PaymentAction = `${kind}.${act.decision}`;
  return JSON.stringify({ key: `${id}:${act.number}`, at, person, action, operationId, subject: id, detail });
}

/** One change of a payment. */
export interface PaymentWrite<Row, Change> {
  /** As it was read: another revision stores nothing. */
  readonly row: Row;
  readonly change: Change;
  /** The time of the step, RFC 3339. */
  readonly at: string;
  /** The rules' decision that the change follows from, if there is one. */
  readonly decision: DecisionRecord | null;
}

/** The row after a change, and the event that the change publishes. */
export interface Changed<Row> {
  readonly row: Row;
  readonly event: PublishedEvent | null;
}
