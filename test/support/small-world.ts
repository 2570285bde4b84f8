// A small world for the judge of the lab's lives, made by hand: one deposit, its charge in the bank's books, evidence.
import type { CashAct, Evidence, Row } from '../../lab/judge/evidence.js';
import type { Operator } from '../../lab/world/operator.js';
import type { ProviderBooks } from '../../lab/world/provider.js';

export const OPERATION = 'op_1';
export const REFERENCE = 'a'.repeat(32);
export const operator = { id: OPERATION, name: 'operator1' } as Operator;

export function deposit(change: Partial<Row> = {}): Row {
  return {
    id: `dep_${REFERENCE}`,
    kind: 'deposit',
    operation_id: OPERATION,
    external_id: 'one',
    provider: 'simulator',
    status: 'paid',
    version: 3,
    amount: '1000',
    paid_amount: '1000',
    end_to_end_id: 'E1',
    is_manual: false,
    needs_two: false,
    review_since: null,
    reasons: [],
    created_ms: 0,
    changed_ms: 0,
    expires_ms: 0,
    ...change,
  };
}

export type Payments = ProviderBooks['charges'][number]['payments'];
export const back = (amount: string, status: 'DEVOLVIDO' | 'NAO_REALIZADO' = 'DEVOLVIDO', nature = 'ORIGINAL') => ({
  id: 'one',
  return_id: `D${'1'.repeat(31)}`,
  amount_minor: amount,
  nature,
  status,
});

export function booksOf(payments: Payments): ProviderBooks {
  const charge = { provider: 'simulator', txid: REFERENCE, amount_minor: '1000', payments };
  return { charges: [charge], payouts: [], waiting_callbacks: 0 };
}

export const paid = (id: string, amount: string, reversals: Payments[number]['reversals'] = []) => ({
  end_to_end_id: id,
  amount_minor: amount,
  paid_at: '2026-01-05T09:00:00Z',
  fee_minor: '0',
  dispute: null,
  reversals,
});

/** The ledger's accounts, as the database answers. */
export function evidenceOf(
  books: ProviderBooks,
  accounts: Readonly<Record<string, string>>,
  { cash = [], healedMs = null, nowMs = 0 }: { cash?: CashAct[]; healedMs?: number | null; nowMs?: number } = {},
): Evidence {
  const rows = Object.entries(accounts).map(([account, balance]) => ({ provider: 'simulator', account, balance }));
  const database = {
    query: (text: string) => Promise.resolve(text.includes('ledger_account') ? rows : []),
  } as unknown as Evidence['database'];
  return {
    database,
    operators: [operator],
    books,
    decisions: [],
    cash,
    illSlot: null,
    clocksOffMs: 0,
    nameless: [],
    listsDisputes: [],
    nowMs,
    healedMs,
    calmSinceMs: null,
    ownTroublesMs: null,
    moved: new Map(),
    lists: [],
    stops: [],
    rules: [],
    answers: [],
    payers: new Map(),
    calls: null,
    asks: [],
    tasks: new Map(),
    sweptMs: Infinity,
    cameSweptMs: Infinity,
    isMute: false,
  };
}
