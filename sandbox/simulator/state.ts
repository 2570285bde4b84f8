// The simulator's books: charges, payouts, keys and callbacks of each provider. Every change is one journal entry,
// applied by one function, so that a restart ends in the same state.
import type { DisputeStatus } from '../../domain/disputes.js';
import type { PixKeyType } from '../../domain/pix.js';
import type { AccountName } from '../../providers/port.js';
import type { Journal } from './journal.js';
import { NO_QUIRKS, type Quirks } from './quirks.js';

export interface Person {
  readonly type: 'CPF' | 'CNPJ';
  readonly number: string;
  readonly name: string | null;
}

export interface SimulatedReversal {
  readonly id: string;
  readonly returnId: string;
  /** Minor units as decimal text: journal entries are JSON. */
  readonly amountMinor: string;
  readonly nature: 'ORIGINAL' | 'MED_FRAUDE';
  status: 'EM_PROCESSAMENTO' | 'DEVOLVIDO' | 'NAO_REALIZADO';
  readonly requestedAt: string;
  settledAt: string | null;
}

/** A case by the special return mechanism (MED): the payer's bank asks a PIX back. */
export interface SimulatedDispute {
  readonly id: string;
  readonly status: DisputeStatus;
  readonly openedAt: string;
  readonly dueAt: string;
  readonly changedAt: string;
}

export interface SimulatedPix {
  readonly endToEndId: string;
  readonly amountMinor: string;
  readonly paidAt: string;
  /** Null where the payer stays unknown. */
  readonly payer: Person | null;
  readonly reversals: SimulatedReversal[];
  /** The bank's fee for it; absent without one. */
  readonly feeMinor?: string;
  dispute?: SimulatedDispute;
}

export interface SimulatedCharge {
  readonly txid: string;
  readonly amountMinor: string;
  readonly debtor: Person | null;
  readonly description: string | null;
  readonly createdAt: string;
  readonly expiresInSeconds: number;
  readonly locationId: string;
  readonly copyPaste: string;
  /** How often the client has changed it. */
  readonly revision: number;
  /** The client has removed it, so it cannot be paid. */
  readonly isRemoved: boolean;
  /** The trace of the request that created it, if any. Callbacks continue it. */
  readonly traceparent?: string;
  readonly pix: SimulatedPix[];
}

/** What the client may change of an unpaid charge. */
export type ChargeRevision = Partial<
  Pick<SimulatedCharge, 'amountMinor' | 'debtor' | 'description' | 'expiresInSeconds' | 'copyPaste' | 'isRemoved'>
>;

/** A PIX without a charge: a transfer to the key, or a static code. */
export interface StrayPix {
  /** Of a static code; null for a transfer. */
  readonly txid: string | null;
  readonly pix: SimulatedPix;
}

export type PayoutStatus = 'processing' | 'paid' | 'failed' | 'returned';

export interface SimulatedPayout {
  readonly reference: string;
  readonly amountMinor: string;
  readonly key: string;
  readonly beneficiaryDocument: string;
  readonly endToEndId: string;
  readonly createdAt: string;
  /** As a charge's. */
  readonly traceparent?: string;
  status: PayoutStatus;
  code: string | null;
  settledAt: string | null;
  /** What the receiving bank sent back: `returned` once it is the whole. */
  readonly returns: SimulatedPayoutReturn[];
}

/** A return of a payout, or of a part of it. */
export interface SimulatedPayoutReturn {
  readonly id: string;
  readonly amountMinor: string;
  readonly code: string | null;
  status: SimulatedReversal['status'];
  /** What becomes of it. */
  readonly endsAs: 'DEVOLVIDO' | 'NAO_REALIZADO';
  /** When it began, and once it has ended, when it ended. */
  at: string;
}

export type OutageMode = 'none' | 'refuse' | 'hang' | 'error';
export const OUTAGE_MODES = ['none', 'refuse', 'hang', 'error'] as const satisfies readonly OutageMode[];

export interface RegisteredKey {
  readonly keyType: PixKeyType;
  readonly owner: Person;
}

export interface QueuedCallback {
  readonly id: string;
  readonly provider: AccountName;
  /** Behind `/callbacks/{slot}` in the address. */
  readonly target: string;
  /** The exact body, so that every attempt and every copy carries the same bytes. */
  readonly body: string;
  readonly traceparent?: string;
}

/** What a tester has ordered for a payout that has not arrived yet. */
export interface StandingOrder {
  readonly status: 'paid' | 'failed';
  readonly code: string | null;
}

export type JournalEntry =
  | { readonly type: 'charge_created'; readonly provider: AccountName; readonly charge: SimulatedCharge }
  | {
      readonly type: 'charge_revised';
      readonly provider: AccountName;
      readonly txid: string;
      readonly changes: ChargeRevision;
    }
  | { readonly type: 'charge_paid'; readonly provider: AccountName; readonly txid: string; readonly pix: SimulatedPix }
  | { readonly type: 'stray_received'; readonly provider: AccountName; readonly stray: StrayPix }
  | {
      readonly type: 'reversal_requested';
      readonly provider: AccountName;
      readonly txid: string;
      readonly endToEndId: string;
      readonly reversal: SimulatedReversal;
    }
  | {
      readonly type: 'reversal_settled';
      readonly provider: AccountName;
      readonly txid: string;
      readonly endToEndId: string;
      readonly id: string;
      readonly status: SimulatedReversal['status'];
      readonly at: string;
    }
  | {
      readonly type: 'dispute_changed';
      readonly provider: AccountName;
      readonly endToEndId: string;
      readonly dispute: SimulatedDispute;
    }
  | { readonly type: 'payout_received'; readonly provider: AccountName; readonly reference: string }
  | { readonly type: 'payout_accepted'; readonly provider: AccountName; readonly payout: SimulatedPayout }
  | {
      readonly type: 'payout_settled';
      readonly provider: AccountName;
      readonly reference: string;
      readonly status: 'paid' | 'failed';
      readonly code: string | null;
      readonly at: string;
    }
  | {
      readonly type: 'payout_returned';
      readonly provider: AccountName;
      readonly reference: string;
      readonly part: SimulatedPayoutReturn;
    }
  | {
      readonly type: 'payout_return_settled';
      readonly provider: AccountName;
      readonly reference: string;
      readonly id: string;
      readonly at: string;
    }
  | {
      readonly type: 'payout_ordered';
      readonly provider: AccountName;
      readonly reference: string;
      readonly order: StandingOrder;
    }
  | {
      readonly type: 'key_registered';
      readonly provider: AccountName;
      readonly key: string;
      readonly registration: RegisteredKey;
    }
  | { readonly type: 'key_unregistered'; readonly provider: AccountName; readonly key: string }
  | { readonly type: 'webhook_removed'; readonly provider: AccountName; readonly event: string }
  | {
      readonly type: 'webhook_registered';
      readonly provider: AccountName;
      /** Empty where one address serves everything. */
      readonly event: string;
      readonly url: string;
    }
  | {
      readonly type: 'balance_set';
      readonly provider: AccountName;
      readonly amountMinor: string | null;
      readonly blockedMinor: string;
    }
  | { readonly type: 'quirks_set'; readonly provider: AccountName; readonly quirks: Quirks | null }
  | ({ readonly type: 'lag_set'; readonly provider: AccountName } & Lags)
  | { readonly type: 'scopes_set'; readonly provider: AccountName; readonly scopes: readonly string[] | null }
  | { readonly type: 'outage_set'; readonly provider: AccountName; readonly mode: OutageMode }
  | { readonly type: 'callback_queued'; readonly callback: QueuedCallback }
  | { readonly type: 'callback_ended'; readonly id: string };

/** How far the bank's own answers are behind. */
export interface Lags {
  /** How long a paid charge is still reported as active; `null` for the dialect's own. */
  readonly lagMs: number | null;
  /** How long a charge does not show its payment. */
  readonly shownAfterMs: number;
  /** How long a return is under way; `null`: a moment. */
  readonly returnsAfterMs: number | null;
}

const NO_LAGS: Lags = { lagMs: null, shownAfterMs: 0, returnsAfterMs: null };

/** The books of one provider. */
export class ProviderBooks {
  readonly charges = new Map<string, SimulatedCharge>();
  /** Which charge a PIX or a location belongs to. */
  readonly txidOfEndToEndId = new Map<string, string>();
  readonly txidOfLocation = new Map<string, string>();
  readonly strays: StrayPix[] = [];
  /** Registered addresses by event. They are shown; callbacks go to SIMULATOR_CALLBACK_URL. */
  readonly webhooks = new Map<string, string>();
  /** What can be sent; `null` when nothing limits it. */
  balanceMinor: bigint | null = null;
  /** What came and went, whatever the limit is. */
  #movedMinor = 0n;
  /** Since the balance was set. */
  #feesMinor = 0n;
  /** Answered with the balance. */
  blockedMinor = 0n;
  readonly payouts = new Map<string, SimulatedPayout>();
  /** How many sends of a reference arrived, accepted or not. */
  readonly sends = new Map<string, number>();
  readonly standingOrders = new Map<string, StandingOrder>();
  readonly keys = new Map<string, RegisteredKey>();
  outage: OutageMode = 'none';
  lags: Lags = NO_LAGS;
  quirks: Quirks = NO_QUIRKS;
  /** What the client may be given; `null` for everything that the dialect has. */
  scopes: readonly string[] | null = null;

  /** Money comes or goes. Fees are left out: what can be sent is as much as testers set and see move. */
  move(amountMinor: bigint): void {
    this.#movedMinor += amountMinor;
    if (this.balanceMinor !== null) this.balanceMinor += amountMinor;
  }

  receive({ amountMinor, feeMinor = '0' }: SimulatedPix): void {
    this.move(BigInt(amountMinor));
    this.#feesMinor += BigInt(feeMinor);
  }

  /** `null`: nothing limits it. */
  setBalance(amountMinor: bigint | null): void {
    this.balanceMinor = amountMinor;
    if (amountMinor !== null) this.#feesMinor = 0n;
  }

  /** Without the fees, as banks report it. An account without a limit began with a billion. */
  reportedBalance(): bigint {
    return (this.balanceMinor ?? 100_000_000_000n + this.#movedMinor) - this.#feesMinor;
  }

  covers(amountMinor: bigint): boolean {
    return this.balanceMinor === null || this.balanceMinor >= amountMinor;
  }

  /** Everything that was received, with its txid if it has one. */
  received(): StrayPix[] {
    const ofCharges = [...this.charges.values()].flatMap(({ txid, pix }) => pix.map((one) => ({ txid, pix: one })));
    return [...ofCharges, ...this.strays];
  }

  /** Every payment on a charge that is or was disputed. */
  disputes(): { pix: SimulatedPix; dispute: SimulatedDispute }[] {
    return [...this.charges.values()].flatMap(({ pix }) =>
      pix.flatMap((one) => (one.dispute === undefined ? [] : { pix: one, dispute: one.dispute })),
    );
  }

  pixOf(endToEndId: string): { charge: SimulatedCharge; pix: SimulatedPix } | null {
    const charge = this.charges.get(this.txidOfEndToEndId.get(endToEndId) ?? '');
    const pix = charge?.pix.find((candidate) => candidate.endToEndId === endToEndId);
    return charge && pix ? { charge, pix } : null;
  }
}

export class SimulatorState {
  readonly #books = new Map<AccountName, ProviderBooks>();
  /** Callbacks that have neither arrived nor been given up, in order. */
  readonly waitingCallbacks = new Map<string, QueuedCallback>();
  #journal: Journal<JournalEntry> | null = null;

  /** From here on every change is written. */
  recordIn(journal: Journal<JournalEntry>): void {
    this.#journal = journal;
  }

  /** The books of an account, which are empty at first. */
  of(provider: AccountName): ProviderBooks {
    const books = this.#books.get(provider) ?? new ProviderBooks();
    this.#books.set(provider, books);
    return books;
  }

  /** Writes a change, then makes it. */
  change(entry: JournalEntry): void {
    this.#journal?.append(entry);
    // The applied entry is a copy: what callers keep must not change behind the journal's back.
    this.apply(structuredClone(entry));
  }

  /** Makes a change; used alone only by the replay. */
  apply(entry: JournalEntry): void {
    if (entry.type === 'callback_queued') this.waitingCallbacks.set(entry.callback.id, entry.callback);
    else if (entry.type === 'callback_ended') this.waitingCallbacks.delete(entry.id);
    else applyToBooks(this.of(entry.provider), entry);
  }
}

type BooksEntry = Exclude<JournalEntry, { readonly type: 'callback_queued' | 'callback_ended' }>;

function applyToBooks(books: ProviderBooks, entry: BooksEntry): void {
  switch (entry.type) {
    case 'charge_created':
      books.charges.set(entry.charge.txid, entry.charge);
      books.txidOfLocation.set(entry.charge.locationId, entry.charge.txid);
      return;
    case 'charge_revised': {
      const charge = books.charges.get(entry.txid);
      if (charge) books.charges.set(entry.txid, { ...charge, ...entry.changes, revision: charge.revision + 1 });
      return;
    }
    case 'charge_paid':
      books.charges.get(entry.txid)?.pix.push(entry.pix);
      books.receive(entry.pix);
      books.txidOfEndToEndId.set(entry.pix.endToEndId, entry.txid);
      return;
    case 'stray_received':
      books.strays.push(entry.stray);
      books.receive(entry.stray.pix);
      return;
    case 'reversal_requested':
      books.pixOf(entry.endToEndId)?.pix.reversals.push(entry.reversal);
      books.move(-BigInt(entry.reversal.amountMinor));
      return;
    case 'reversal_settled': {
      const reversal = books.pixOf(entry.endToEndId)?.pix.reversals.find((candidate) => candidate.id === entry.id);
      if (reversal && entry.status === 'NAO_REALIZADO') books.move(BigInt(reversal.amountMinor));
      if (reversal) Object.assign(reversal, { status: entry.status, settledAt: entry.at });
      return;
    }
    case 'dispute_changed': {
      const found = books.pixOf(entry.endToEndId);
      if (found) found.pix.dispute = entry.dispute;
      return;
    }
    case 'payout_received':
      books.sends.set(entry.reference, (books.sends.get(entry.reference) ?? 0) + 1);
      return;
    case 'payout_accepted':
      books.payouts.set(entry.payout.reference, entry.payout);
      if (entry.payout.status !== 'failed') books.move(-BigInt(entry.payout.amountMinor));
      books.standingOrders.delete(entry.payout.reference);
      return;
    case 'payout_settled': {
      const payout = books.payouts.get(entry.reference);
      if (payout && entry.status === 'failed' && payout.status !== 'failed') books.move(BigInt(payout.amountMinor));
      if (payout) Object.assign(payout, { status: entry.status, code: entry.code, settledAt: entry.at });
      return;
    }
    case 'payout_returned': {
      const payout = books.payouts.get(entry.reference);
      payout?.returns.push(entry.part);
      if (payout) endReturn(books, payout, entry.part);
      return;
    }
    case 'payout_return_settled': {
      const payout = books.payouts.get(entry.reference);
      const part = payout?.returns.find(({ id }) => id === entry.id);
      if (part) Object.assign(part, { status: part.endsAs, at: entry.at });
      if (payout && part) endReturn(books, payout, part);
      return;
    }
    case 'payout_ordered':
      books.standingOrders.set(entry.reference, entry.order);
      return;
    case 'key_registered':
      books.keys.set(entry.key, entry.registration);
      return;
    case 'key_unregistered':
      books.keys.delete(entry.key);
      return;
    case 'webhook_removed':
      books.webhooks.delete(entry.event);
      return;
    case 'webhook_registered':
      books.webhooks.set(entry.event, entry.url);
      return;
    case 'balance_set':
      books.setBalance(entry.amountMinor === null ? null : BigInt(entry.amountMinor));
      books.blockedMinor = BigInt(entry.blockedMinor);
      return;
    case 'quirks_set':
      books.quirks = entry.quirks ?? NO_QUIRKS;
      return;
    case 'lag_set':
      books.lags = { ...NO_LAGS, ...entry };
      return;
    case 'scopes_set':
      books.scopes = entry.scopes;
      return;
    case 'outage_set':
      books.outage = entry.mode;
      return;
  }
}

/** The money of a return that is done is there; once all of it is, the payout is returned. */
function endReturn(
  books: ProviderBooks,
  payout: SimulatedPayout,
  { status, amountMinor }: SimulatedPayoutReturn,
): void {
  if (status !== 'DEVOLVIDO') return;
  books.move(BigInt(amountMinor));
  if (payout.returns.every((part) => part.status !== 'EM_PROCESSAMENTO') && leftOfPayout(payout) === 0n)
    payout.status = 'returned';
}

/** What has not been sent back, and is not on its way back. */
export function leftOfPayout({ amountMinor, returns }: SimulatedPayout): bigint {
  const counted = returns.filter(({ status }) => status !== 'NAO_REALIZADO');
  return counted.reduce((left, part) => left - BigInt(part.amountMinor), BigInt(amountMinor));
}
