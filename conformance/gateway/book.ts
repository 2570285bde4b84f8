// The payments and events of the stand-in gateway, in memory. Checks move them; `GET` and webhooks show them.
import { randomBytes } from 'node:crypto';
import type { GatewayEvent, Money } from '../../client/index.js';

export type PaymentKind = 'deposit' | 'withdrawal';

/** What `GET` answers for a payment. A check may give it any further field, or a status that nobody knows. */
export interface PaymentObject {
  readonly id: string;
  readonly external_id: string;
  readonly status: string;
  readonly version: number;
  readonly amount: Money;
  readonly player_ref: string;
  readonly paid_at: string | null;
  readonly [field: string]: unknown;
}

export interface Payment {
  readonly kind: PaymentKind;
  object: PaymentObject;
}

/** What the operator asked for, as far as the payment shows it. */
export interface Order {
  readonly externalId: string;
  readonly playerRef: string;
  readonly amount: Money;
}

export type Changes = Readonly<Record<string, unknown>>;

export interface Book {
  readonly payments: ReadonlyMap<string, Payment>;
  readonly events: readonly GatewayEvent[];
  create(kind: PaymentKind, order: Order, status: string): Payment;
  byExternalId(kind: PaymentKind, externalId: string): Payment | undefined;
  ofPlayer(kind: PaymentKind, playerRef: string): readonly Payment[];
  /** The next version with a new status; its event is listed by `GET /events`. */
  move(payment: Payment, status: string, changes?: Changes): GatewayEvent;
  /** The event that `GET /events` lists for the payment as it was created. */
  firstEvent(payment: Payment): GatewayEvent;
  /** An event about the payment as it is, with changes, that `GET /events` does not list. */
  unlisted(payment: Payment, changes?: Changes, type?: string): GatewayEvent;
}

export const OPERATION_ID = '00000000-0000-4000-8000-00000000c0de';

/** An id as the gateway forms them: opaque behind its prefix. */
export function newId(prefix: 'dep' | 'wdr' | 'evt'): string {
  return `${prefix}_${randomBytes(16).toString('hex')}`;
}

/** An empty book. */
export function openBook(): Book {
  const payments = new Map<string, Payment>();
  const events: GatewayEvent[] = [];

  const eventOf = ({ kind, object }: Payment, changes: Changes, type?: string): GatewayEvent => {
    const shown = { ...object, ...changes } as PaymentObject;
    return {
      id: newId('evt'),
      type: type ?? `${kind}.${shown.status}`,
      created_at: new Date().toISOString(),
      operation_id: OPERATION_ID,
      object_id: shown.id,
      object_version: shown.version,
      data: { object: shown },
    };
  };
  const listed = (payment: Payment): GatewayEvent => {
    const event = eventOf(payment, {});
    events.push(event);
    return event;
  };
  const ofKind = (kind: PaymentKind): Payment[] => [...payments.values()].filter((payment) => payment.kind === kind);

  return {
    payments,
    events,
    create(kind, order, status) {
      const payment: Payment = { kind, object: newObject(kind, order, status) };
      payments.set(payment.object.id, payment);
      // Nobody is told of a deposit that is `created`, nor of a withdrawal that is `requested`.
      if (status !== 'created' && status !== 'requested') listed(payment);
      return payment;
    },
    byExternalId: (kind, externalId) => ofKind(kind).find(({ object }) => object.external_id === externalId),
    ofPlayer: (kind, playerRef) => ofKind(kind).filter(({ object }) => object.player_ref === playerRef),
    move(payment, status, changes = {}) {
      const now = new Date().toISOString();
      const paidAt = status === 'paid' ? now : payment.object.paid_at;
      payment.object = {
        ...payment.object,
        paid_at: paidAt,
        ...changes,
        status,
        version: payment.object.version + 1,
        updated_at: now,
      };
      return listed(payment);
    },
    firstEvent({ object }) {
      const event = events.find(({ object_id: id }) => id === object.id);
      if (event === undefined) throw new Error('nobody is told of this payment yet');
      return event;
    },
    unlisted: (payment, changes = {}, type) => eventOf(payment, changes, type),
  };
}

function newObject(kind: PaymentKind, { externalId, playerRef, amount }: Order, status: string): PaymentObject {
  const now = new Date().toISOString();
  const common = { external_id: externalId, status, amount, player_ref: playerRef, method: 'pix', paid_at: null };
  const times = { created_at: now, updated_at: now };
  if (kind === 'withdrawal') {
    return {
      ...common,
      ...times,
      ...WITHDRAWAL_FIELDS,
      id: newId('wdr'),
      version: 1,
      decision: decisionOf(status, now),
    };
  }
  const expiresAt = new Date(Date.parse(now) + 30 * 60_000).toISOString();
  return {
    ...common,
    ...times,
    ...DEPOSIT_FIELDS,
    id: newId('dep'),
    version: status === 'created' ? 1 : 2,
    instructions: status === 'created' ? null : { pix: { copy_paste: PIX_CODE, expires_at: expiresAt } },
    expires_at: expiresAt,
  };
}

const DEPOSIT_FIELDS = { paid_amount: null, payer: null, failure_code: null, review_reasons: [] };
const WITHDRAWAL_FIELDS = {
  ...{ fee: null, psp_reference: null, failure_code: null, rail: null, fees: [], charge_bearer: null, fx: null },
  ...{ purpose: null, compliance: null, tracking: null, return: null, recall: null },
  ...{ expected_settlement_date: null, sent_at: null },
};

/** A code that no bank takes: its receiver does not exist. */
const PIX_CODE =
  '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR' +
  '5913Fulano de Tal6008BRASILIA62070503***63041D3D';

function decisionOf(status: string, now: string): object {
  const isAutomatic = status === 'approved';
  return {
    mode: isAutomatic ? 'automatic' : 'manual',
    reasons: status === 'under_review' ? ['FIRST_WITHDRAWAL'] : [],
    ruleset_version: 1,
    decided_by: isAutomatic ? ['rules'] : [],
    decided_at: isAutomatic ? now : null,
  };
}
