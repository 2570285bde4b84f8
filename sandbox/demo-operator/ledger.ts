// The demo operator's ledger: intents, players' balances, events and alerts, kept in a journal and reloaded at start.
import { join } from 'node:path';
import { accountKey, applyRecord, emptyBook, entryKey, kindOfEvent } from './book.js';
import type { Book } from './book.js';
import { decide, isOpen } from './decisions.js';
import { openJournal } from './journal.js';
import type { Alert, Effect, Intent, LedgerRecord, Payment, PaymentKind } from './records.js';

/** What is kept of an event; the object inside it is not: it is fetched back. */
export interface EventNotice {
  readonly id: string;
  readonly type: string;
  readonly object_id: string;
  readonly object_version: number;
}

export interface PaymentReference {
  readonly kind: PaymentKind;
  readonly id: string;
}

export type IntentOutcome = 'recorded' | 'already_recorded' | 'differs' | 'insufficient_balance';

export interface Ledger {
  /** Read-only view; it changes as records are written. */
  readonly book: Book;
  /** Writes an intent down; a withdrawal's amount moves from available to reserved in the same record. */
  intend(kind: PaymentKind, intent: Intent): IntentOutcome;
  /** Gives a reserve back for which the gateway certainly has no withdrawal. False if there is no such open reserve. */
  release(externalId: string): boolean;
  /** True if the event is new; false if it was known, which is counted when it came by webhook. */
  receive(event: EventNotice, via: 'webhook' | 'recovery'): boolean;
  /** Applies a state that was fetched back; returns the effect, or null if it was not newer. */
  apply(kind: PaymentKind, payment: Payment): Effect | null;
  /** Raises an alert, once for each code and object. */
  raise(code: Alert, objectId: string | null): void;
  /** Remembers how far the recovery job has read. */
  recoveredUpTo(eventId: string | null): void;
  /** Whether an event announced a version that has not been fetched back yet. */
  isBehind(objectId: string): boolean;
  /** Everything to fetch back: objects that are behind, and known objects whose money may still move. */
  unsettled(): PaymentReference[];
  close(): void;
}

/** Opens the ledger in a folder. `now` gives the time written into records. Throws if the journal is unreadable. */
export function openLedger(folder: string, now: () => Date = () => new Date()): Ledger {
  const journal = openJournal(join(folder, 'journal.jsonl'));
  const book = emptyBook();
  for (const record of journal.records) applyRecord(book, record);

  /** Disk first, then memory: everything that is answered survives a crash. */
  const write = (record: LedgerRecord): void => {
    journal.append(record);
    applyRecord(book, record);
  };
  const at = (): string => now().toISOString();
  const isBehind = (objectId: string): boolean =>
    (book.heard.get(objectId)?.version ?? 0) > (book.applied.get(objectId) ?? 0);

  return {
    book,
    intend(kind, intent) {
      const known = book.entries.get(entryKey(kind, intent.external_id));
      if (known) return sameIntent(known.intent, intent) ? 'already_recorded' : 'differs';
      if (kind === 'withdrawal' && !covers(book, intent)) return 'insufficient_balance';
      write({ record: 'intended', at: at(), kind, intent });
      return 'recorded';
    },
    release(externalId) {
      const entry = book.entries.get(entryKey('withdrawal', externalId));
      if (entry?.money !== 'reserved' || entry.objectId !== null) return false;
      write({ record: 'released', at: at(), external_id: externalId });
      return true;
    },
    receive({ id, type, object_id, object_version }, via) {
      if (!book.events.has(id)) {
        write({ record: 'event', at: at(), id, type, object_id, object_version, via });
        return true;
      }
      if (via === 'webhook') write({ record: 'repeated_event', at: at(), id });
      return false;
    },
    apply(kind, payment) {
      const decision = decide(book.entries.get(entryKey(kind, payment.external_id)), payment);
      const alreadySeen = payment.version <= (book.applied.get(payment.id) ?? 0);
      if (!decision || alreadySeen) return null;
      write({ record: 'applied', at: at(), kind, payment, ...decision });
      return decision.effect;
    },
    raise(code, objectId) {
      const known = book.alerts.some((alert) => alert.code === code && alert.objectId === objectId);
      if (!known) write({ record: 'alert', at: at(), code, object_id: objectId });
    },
    recoveredUpTo: (after) => write({ record: 'recovered', at: at(), after }),
    isBehind,
    unsettled() {
      const behind = [...book.heard].filter(([id]) => isBehind(id)).map(([id, { kind }]) => ({ kind, id }));
      const open = [...book.entries.values()].flatMap((entry) =>
        isOpen(entry) && entry.objectId ? [{ kind: entry.kind, id: entry.objectId }] : [],
      );
      return [...new Map([...behind, ...open].map((reference) => [reference.id, reference])).values()];
    },
    close: () => journal.close(),
  };
}

/** Event types that lead to a fetch-back at once. Any other is recorded and moves nothing. */
export function paymentOfEvent(event: EventNotice): PaymentReference | null {
  const kind = KNOWN_TYPES.has(event.type) ? kindOfEvent(event.type) : null;
  return kind && { kind, id: event.object_id };
}

const KNOWN_TYPES: ReadonlySet<string> = new Set([
  ...['pending', 'under_review', 'paid', 'expired', 'cancelled', 'failed', 'returned', 'refunded', 'chargeback'].map(
    (state) => `deposit.${state}`,
  ),
  ...['under_review', 'approved', 'processing', 'paid', 'rejected', 'failed', 'cancelled', 'returned'].map(
    (state) => `withdrawal.${state}`,
  ),
]);

function sameIntent(one: Intent, other: Intent): boolean {
  return (
    one.player_ref === other.player_ref &&
    one.amount.amount === other.amount.amount &&
    one.amount.currency === other.amount.currency
  );
}

function covers(book: Book, intent: Intent): boolean {
  const account = book.accounts.get(accountKey(intent.player_ref, intent.amount.currency));
  return (account?.availableMinor ?? 0n) >= BigInt(intent.amount.amount);
}
