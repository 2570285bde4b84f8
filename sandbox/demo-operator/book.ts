// The demo operator's state in memory, and how each record changes it. Nothing else changes it.
import type { Entry } from './decisions.js';
import type { Alert, Effect, LedgerRecord, PaymentKind } from './records.js';

export interface Account {
  readonly playerRef: string;
  readonly currency: string;
  availableMinor: bigint;
  reservedMinor: bigint;
}

export interface ReceivedEvent {
  readonly id: string;
  readonly type: string;
  readonly objectId: string;
  readonly objectVersion: number;
  readonly receivedAt: string;
  readonly via: 'webhook' | 'recovery';
  /** How often it came again after the first time. */
  duplicates: number;
}

export interface RaisedAlert {
  readonly code: Alert;
  readonly objectId: string | null;
  readonly at: string;
}

export interface Book {
  readonly accounts: Map<string, Account>;
  /** By kind and external id: deposits and withdrawals are separate spaces. */
  readonly entries: Map<string, Entry>;
  readonly events: Map<string, ReceivedEvent>;
  /** Highest version heard of and applied, by the gateway's object id. */
  readonly heard: Map<string, { kind: PaymentKind; version: number }>;
  readonly applied: Map<string, number>;
  readonly alerts: RaisedAlert[];
  /** The last event id read by the recovery job. */
  recoveredUpTo: string | null;
}

export function emptyBook(): Book {
  return {
    accounts: new Map(),
    entries: new Map(),
    events: new Map(),
    heard: new Map(),
    applied: new Map(),
    alerts: [],
    recoveredUpTo: null,
  };
}

/** `deposit` or `withdrawal` by the event's type; null for other events. Object ids are opaque. */
export function kindOfEvent(type: string): PaymentKind | null {
  if (type.startsWith('deposit.')) return 'deposit';
  return type.startsWith('withdrawal.') ? 'withdrawal' : null;
}

export function entryKey(kind: PaymentKind, externalId: string): string {
  return `${kind} ${externalId}`;
}

export function accountKey(playerRef: string, currency: string): string {
  return `${playerRef} ${currency}`;
}

/** The player's account in a currency, opened at zero. */
function accountOf(book: Book, playerRef: string, currency: string): Account {
  const key = accountKey(playerRef, currency);
  const account = book.accounts.get(key) ?? { playerRef, currency, availableMinor: 0n, reservedMinor: 0n };
  book.accounts.set(key, account);
  return account;
}

/** Applies one record. Total over the kinds of records: a new kind does not compile without its line here. */
export function applyRecord(book: Book, record: LedgerRecord): void {
  switch (record.record) {
    case 'intended':
      return applyIntent(book, record);
    case 'released':
      return applyRelease(book, record.external_id);
    case 'event':
      return applyEvent(book, record);
    case 'repeated_event': {
      const event = book.events.get(record.id);
      if (event) event.duplicates += 1;
      return;
    }
    case 'applied':
      return applyPayment(book, record);
    case 'alert':
      book.alerts.push({ code: record.code, objectId: record.object_id, at: record.at });
      return;
    case 'recovered':
      book.recoveredUpTo = record.after;
      return;
  }
}

function applyIntent(book: Book, { kind, intent }: Extract<LedgerRecord, { record: 'intended' }>): void {
  const money = kind === 'deposit' ? 'open' : 'reserved';
  book.entries.set(entryKey(kind, intent.external_id), {
    kind,
    intent,
    objectId: null,
    status: null,
    version: 0,
    paidAt: null,
    money,
  });
  if (kind === 'withdrawal') move(book, intent, 'available', 'reserved');
}

function applyRelease(book: Book, externalId: string): void {
  const key = entryKey('withdrawal', externalId);
  const entry = book.entries.get(key);
  if (!entry) return;
  book.entries.set(key, { ...entry, money: 'given_back' });
  move(book, entry.intent, 'reserved', 'available');
}

function applyEvent(book: Book, record: Extract<LedgerRecord, { record: 'event' }>): void {
  const { id, type, object_id: objectId, object_version: objectVersion, at: receivedAt, via } = record;
  book.events.set(id, { id, type, objectId, objectVersion, receivedAt, via, duplicates: 0 });
  const kind = kindOfEvent(type);
  const heard = book.heard.get(objectId)?.version ?? 0;
  if (kind && objectVersion > heard) book.heard.set(objectId, { kind, version: objectVersion });
}

function applyPayment(
  book: Book,
  { kind, payment, effect, alert, at }: Extract<LedgerRecord, { record: 'applied' }>,
): void {
  book.applied.set(payment.id, Math.max(payment.version, book.applied.get(payment.id) ?? 0));
  if (alert) book.alerts.push({ code: alert, objectId: payment.id, at });
  const key = entryKey(kind, payment.external_id);
  const entry = book.entries.get(key);
  if (!entry || isDifference(alert)) return;
  book.entries.set(key, {
    ...entry,
    objectId: payment.id,
    status: payment.status,
    version: payment.version,
    paidAt: payment.paid_at,
    money: MONEY_AFTER[effect] ?? entry.money,
  });
  MOVES[effect](book, entry);
}

function isDifference(alert: Alert | null): boolean {
  return (
    alert === 'another_object' ||
    alert === 'amount_differs' ||
    alert === 'player_differs' ||
    alert === 'unknown_external_id'
  );
}

const MONEY_AFTER: Record<Effect, Entry['money'] | null> = {
  none: null,
  credit: 'credited',
  settle: 'settled',
  give_back: 'given_back',
};

/** Always by the operator's own record of the amount, never by what came over the wire. */
const MOVES: Record<Effect, (book: Book, entry: Entry) => void> = {
  none: () => undefined,
  credit: (book, { intent }) => move(book, intent, null, 'available'),
  settle: (book, { intent }) => move(book, intent, 'reserved', null),
  give_back: (book, { intent }) => move(book, intent, 'reserved', 'available'),
};

type Pocket = 'available' | 'reserved';

function move(book: Book, intent: Entry['intent'], from: Pocket | null, to: Pocket | null): void {
  const account = accountOf(book, intent.player_ref, intent.amount.currency);
  const amountMinor = BigInt(intent.amount.amount);
  if (from) account[`${from}Minor`] -= amountMinor;
  if (to) account[`${to}Minor`] += amountMinor;
}
