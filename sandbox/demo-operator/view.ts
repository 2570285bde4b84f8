// What `GET /state` shows: the ledger as JSON, newest events last. Opaque references only, no personal data.
import type { Book } from './book.js';
import type { Entry } from './decisions.js';

interface MoneyView {
  readonly amount: string;
  readonly currency: string;
}

export interface PlayerView {
  readonly player_ref: string;
  readonly available: MoneyView;
  readonly reserved: MoneyView;
}

export interface PaymentView {
  readonly external_id: string;
  readonly object_id: string | null;
  readonly player_ref: string;
  readonly amount: MoneyView;
  readonly status: string | null;
  readonly version: number;
  readonly paid_at: string | null;
  readonly money: Entry['money'];
}

export interface EventView {
  readonly id: string;
  readonly type: string;
  readonly object_id: string;
  readonly object_version: number;
  readonly received_at: string;
  /** How it came first. */
  readonly via: 'webhook' | 'recovery';
  /** How often a webhook brought it again. */
  readonly duplicates: number;
}

export interface AlertView {
  readonly code: string;
  readonly object_id: string | null;
  readonly at: string;
}

export interface StateView {
  readonly players: readonly PlayerView[];
  readonly deposits: readonly PaymentView[];
  readonly withdrawals: readonly PaymentView[];
  readonly events: readonly EventView[];
  readonly alerts: readonly AlertView[];
}

// The page is for people and the demo; the journal holds everything.
const MOST_SHOWN = 1_000;

/** The newest thousand of each list. */
export function presentState(book: Book): StateView {
  const entries = [...book.entries.values()];
  return {
    players: newest([...book.accounts.values()]).map(({ playerRef, currency, availableMinor, reservedMinor }) => ({
      player_ref: playerRef,
      available: { amount: String(availableMinor), currency },
      reserved: { amount: String(reservedMinor), currency },
    })),
    deposits: newest(entries.filter(({ kind }) => kind === 'deposit')).map(presentEntry),
    withdrawals: newest(entries.filter(({ kind }) => kind === 'withdrawal')).map(presentEntry),
    events: newest([...book.events.values()]).map((event) => ({
      id: event.id,
      type: event.type,
      object_id: event.objectId,
      object_version: event.objectVersion,
      received_at: event.receivedAt,
      via: event.via,
      duplicates: event.duplicates,
    })),
    alerts: newest(book.alerts).map(({ code, objectId, at }) => ({ code, object_id: objectId, at })),
  };
}

function newest<Item>(items: readonly Item[]): readonly Item[] {
  return items.slice(-MOST_SHOWN);
}

function presentEntry({ intent, objectId, status, version, paidAt, money }: Entry): PaymentView {
  return {
    external_id: intent.external_id,
    object_id: objectId,
    player_ref: intent.player_ref,
    amount: intent.amount,
    status,
    version,
    paid_at: paidAt,
    money,
  };
}
