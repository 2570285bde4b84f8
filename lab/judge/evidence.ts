// What the judge knows: the provider's books, what people did, and the rows. Nothing of the product is imported here.
import type { NotedCall } from '../machine/network.js';
import type { Operator } from '../world/operator.js';
import type { BookedCharge, BookedPayout, ProviderBooks } from '../world/provider.js';
import { referenceOf } from '../world/story.js';

export interface Finding {
  /** What must hold, in one clause. */
  readonly rule: string;
  readonly detail: string;
}

/** What a person decided, as the lab's people did it. */
export interface StaffDecision {
  readonly id: string;
  readonly person: string;
  readonly decision: string;
  readonly atMs: number;
}

export type CashKind =
  | 'funding'
  | 'settlement'
  | 'moved'
  | 'correction_up'
  | 'correction_down'
  | 'suspense_returned'
  | 'suspense_credited'
  | 'suspense_assigned';

/** What a person entered into the books, and was told that it is done. */
export interface CashAct {
  readonly operationId: string;
  readonly kind: CashKind;
  readonly amountMinor: string;
  /** The account where they were told that it is; and where it is now, if they moved it. */
  readonly provider: string;
  readonly to: string | null;
  /** The end-to-end id of the payment that it is about. */
  readonly of: string | null;
}

/** The rows, as they are. */
export interface Reads {
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

export interface Evidence {
  readonly database: Reads;
  readonly operators: readonly Operator[];
  readonly books: ProviderBooks;
  readonly decisions: readonly StaffDecision[];
  readonly cash: readonly CashAct[];
  /** The account that is down for good: nothing is demanded of what is there. */
  readonly illSlot: string | null;
  /** By how much the clocks of processes may be off. */
  readonly clocksOffMs: number;
  /** The accounts whose providers never name a payer. */
  readonly nameless: readonly string[];
  /** The accounts whose providers list disputes. */
  readonly listsDisputes: readonly string[];
  readonly nowMs: number;
  /** Since when nothing goes wrong; `null` while things do. */
  readonly healedMs: number | null;
  /** Since when nothing has gone wrong that may still be felt; `null`: it may. */
  readonly calmSinceMs: number | null;
  /** When something went wrong with the gateway itself: not with a provider or a receiver. `null`: unknown. */
  readonly ownTroublesMs: readonly number[] | null;
  /** When players and banks last moved the money of a payment. */
  readonly moved: ReadonlyMap<string, number>;
  readonly lists: readonly Listed[];
  readonly stops: readonly Stopped[];
  readonly rules: readonly RulesSet[];
  readonly answers: readonly StaffAnswer[];
  /** Payers who are not the player, by the payment's end-to-end id. */
  readonly payers: ReadonlyMap<string, Payer>;
  /** What the gateway asked of its providers; `null`: nobody listened. */
  readonly calls: readonly NotedCall[] | null;
  /** What operators asked of the api. */
  readonly asks: readonly NotedCall[];
  /** How many workflow tasks each payment took since the last look. */
  readonly tasks: ReadonlyMap<string, number>;
  /** How long after a change sweeps may find it, if no callback tells of it. */
  readonly sweptMs: number;
  /** The same of a payment that came and of which nothing has gone back. */
  readonly cameSweptMs: number;
  /** Whether providers send no callbacks. */
  readonly isMute: boolean;
}

/** A process that was away for an hour, and what queued up meanwhile. */
const OWN_FELT_MS = 90 * 60_000;

/** Whether something that had gone wrong with the gateway itself may have been felt in that time. */
export const isFelt = (troublesMs: readonly number[], fromMs: number, toMs = fromMs + 60_000): boolean =>
  troublesMs.some((ms) => ms > fromMs - OWN_FELT_MS && ms < toMs);

/** Somebody was on a list, in the time between these moments. `toMs`: `null` while it lasts. */
export interface Listed {
  readonly operationId: string;
  readonly list: 'block' | 'review';
  readonly kind: 'player' | 'pix_key';
  readonly value: string;
  readonly fromMs: number;
  toMs: number | null;
}

/** People had stopped something; `balance`: an account at a provider covered no payouts, and refused them. */
export interface Stopped {
  readonly what: 'operation' | 'automatic' | 'provider' | 'balance';
  /** The operation's id, or the account's name. */
  readonly of: string;
  readonly fromMs: number;
  toMs: number | null;
}

/** Rules of an operation that people set, and were told that they hold: as they wrote them. */
export interface RulesSet {
  readonly operationId: string;
  readonly doneMs: number;
  readonly currency: {
    readonly auto_multiplier: string;
    readonly first_withdrawal_manual?: boolean;
    readonly withdrawal_min?: string;
    readonly withdrawal_max?: string;
    readonly deposit_min?: string;
    readonly deposit_max?: string;
    readonly auto_max_per_withdrawal?: string;
    readonly auto_max_per_day?: string;
    readonly max_withdrawals_per_day?: number;
    readonly dual_approval_above?: string;
  };
}

/** Who paid, as the bank tells it. */
export type Payer = 'another' | 'unreported';

/** A person's question or decision about a payment, and how it was answered. */
export interface StaffAnswer {
  readonly id: string;
  readonly what: string;
  readonly atMs: number;
  readonly tookMs: number;
  readonly answer: string;
}

export type PaymentKind = 'deposit' | 'withdrawal';

export interface Row {
  readonly id: string;
  readonly kind: PaymentKind;
  readonly operation_id: string;
  readonly external_id: string;
  readonly provider: string;
  readonly status: string;
  readonly version: number;
  readonly amount: string;
  readonly paid_amount: string | null;
  readonly end_to_end_id: string | null;
  /** Of a withdrawal, while people decide or decided. */
  readonly is_manual: boolean;
  readonly needs_two: boolean;
  readonly review_since: string | null;
  readonly reasons: readonly string[];
  readonly created_ms: number;
  readonly changed_ms: number;
  /** Of a deposit. */
  readonly expires_ms: number | null;
}

/** Every payment. One statement: the judge's looks are many. */
export function rowsOf(database: Reads): Promise<Row[]> {
  const ms = (column: string) => `(extract(epoch FROM ${column}) * 1000)::float8`;
  return database.query<Row>(
    `SELECT id, 'deposit' AS kind, operation_id, external_id, provider, status, version, amount_minor::text AS amount,
       paid_amount_minor::text AS paid_amount, end_to_end_id, false AS is_manual, false AS needs_two, review_since::text,
       review_reasons AS reasons, ${ms('created_at')} AS created_ms, ${ms('updated_at')} AS changed_ms,
       ${ms('expires_at')} AS expires_ms, sequence
     FROM deposit
     UNION ALL
     SELECT id, 'withdrawal', operation_id, external_id, provider, status, version, amount_minor::text, NULL,
       psp_reference, decision_mode = 'manual', 'DUAL_APPROVAL_REQUIRED' = ANY (decision_reasons), review_since::text,
       decision_reasons, ${ms('created_at')}, ${ms('updated_at')}, NULL, sequence
     FROM withdrawal
     ORDER BY kind, sequence`,
  );
}

export interface AlertRow {
  readonly kind: string;
  readonly detail?: string;
  readonly object_id: string | null;
  readonly is_open: boolean;
}

export const alertsOf = (database: Reads): Promise<AlertRow[]> =>
  database.query<AlertRow>('SELECT kind, object_id, detail, resolved_at IS NULL AS is_open FROM alert');

export const sum = (amounts: readonly string[]): bigint =>
  amounts.reduce((total, amount) => total + BigInt(amount), 0n);

/** The provider's side of each payment. */
export class ByReference {
  readonly #charges: ReadonlyMap<string, BookedCharge>;
  readonly #payouts: ReadonlyMap<string, BookedPayout>;

  constructor({ charges, payouts }: ProviderBooks) {
    this.#charges = new Map(charges.map((charge) => [charge.txid, charge]));
    this.#payouts = new Map(payouts.map((payout) => [payout.reference, payout]));
  }

  charge(id: string): BookedCharge | undefined {
    return this.#charges.get(referenceOf(id));
  }

  payout(id: string): BookedPayout | undefined {
    return this.#payouts.get(referenceOf(id));
  }
}

export type BookedPayment = BookedCharge['payments'][number];

const done = (returns: BookedPayout['returns']): bigint =>
  sum(returns.filter(({ status }) => status === 'DEVOLVIDO').map(({ amount_minor }) => amount_minor));

/** What has gone back of a payment. */
export const returnedOf = ({ reversals }: BookedPayment): bigint => done(reversals);

/** What payments brought to the account: less what has gone back, and less the provider's fees. */
export const cameOf = (charge: BookedCharge | undefined): bigint =>
  (charge?.payments ?? []).reduce(
    (all, payment) => all + BigInt(payment.amount_minor) - returnedOf(payment) - BigInt(payment.fee_minor),
    0n,
  );

/** What the receiving bank sent back of a payout. */
export const cameBackOf = (payout: BookedPayout | undefined): bigint => done(payout?.returns ?? []);

/** Whether the money of a payout has left. */
export const hasLeft = (payout: BookedPayout | undefined): boolean =>
  payout?.status === 'paid' || payout?.status === 'returned';

export function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
