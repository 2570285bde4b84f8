// Checks the ledger: transfers sum to zero, balances are the sums of their entries, the money of every payment matches
// its status, and that of every cash movement its approval. One SQL statement, so every comparison sees the same
// snapshot.
import { BANK_MOVEMENT_KINDS } from '../../domain/bank-movements.js';
import { BANK_KIND_OF } from '../../domain/ledger.js';
import { LEDGER_PROBLEMS, type LedgerProblemKind } from '../../domain/ledger-problems.js';
import { accountsOf, CASH_MOVEMENT_KINDS } from '../../domain/cash-movements.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { sqlFile } from '../statements.js';

const DIFFERENCES = sqlFile('ledger/check.sql');

const INTO_CASH_BOX = CASH_MOVEMENT_KINDS.filter((kind) => kind !== 'moved' && accountsOf(kind).to === 'available');
const OUT_OF_CASH_BOX = CASH_MOVEMENT_KINDS.filter((kind) => accountsOf(kind).from === 'available');
/** What each ledger movement is at the bank, with the sign of its entry in `provider_clearing`. */
const AT_BANK = Object.entries(BANK_KIND_OF).flatMap(([movement, kind]) =>
  kind === null ? [] : [{ movement, kind, sign: -BANK_MOVEMENT_KINDS[kind] }],
);

/** What the statement takes of the domain's tables. */
const LISTS = {
  movements: AT_BANK.map(({ movement }) => movement),
  bankKinds: AT_BANK.map(({ kind }) => kind),
  signs: AT_BANK.map(({ sign }) => String(sign)),
  outOfCashBox: OUT_OF_CASH_BOX,
  inOrOutOfCashBox: [...INTO_CASH_BOX, ...OUT_OF_CASH_BOX],
};

/** Enough to see a pattern without printing a whole damaged ledger. */
export const MOST_PROBLEMS = 1_000;

export interface LedgerProblem {
  readonly kind: LedgerProblemKind;
  readonly operation_id: string;
  /** The account at the provider. */
  readonly provider: string;
  readonly currency: string;
  readonly account: string | null;
  /** The transfer or the payment; null for an account. */
  readonly subject: string | null;
  /** Signed minor units. */
  readonly expected_minor: string;
  readonly found_minor: string;
  readonly detail: string;
}

/** Less than nothing of an operation's cash box in an account at a provider. The books may be right about it. */
export interface Overdrawn {
  readonly operation_id: string;
  readonly provider: string;
  readonly currency: string;
  readonly available_minor: string;
}

export interface LedgerReport {
  readonly accounts: number;
  readonly transfers: number;
  readonly overdrawn: readonly Overdrawn[];
  readonly problems: readonly LedgerProblem[];
}

/** Checks the ledger of one operation, or with null of all. Reads only. */
export async function checkLedger(
  database: Pick<Database, '$queryRaw' | '$queryRawUnsafe'>,
  operationId: string | null,
): Promise<LedgerReport> {
  const mine = operationId === null ? Prisma.sql`TRUE` : Prisma.sql`operation_id = ${operationId}`;
  const { text, values } = DIFFERENCES({ ...LISTS, operation: operationId, take: MOST_PROBLEMS });
  const rows = await database.$queryRawUnsafe<Omit<LedgerProblem, 'detail'>[]>(text, ...values);
  const [counts] = await database.$queryRaw<{ accounts: number; transfers: number }[]>`
    SELECT (SELECT count(*)::int FROM ledger_account WHERE ${mine}) AS accounts,
           (SELECT count(DISTINCT (object_id, step))::int FROM ledger_entry WHERE ${mine}) AS transfers`;
  const overdrawn = await database.$queryRaw<Overdrawn[]>`
    SELECT operation_id, provider, currency, balance_minor::text AS available_minor FROM ledger_account
    WHERE ${mine} AND account = 'available' AND balance_minor < 0
    ORDER BY operation_id, provider, currency LIMIT ${MOST_PROBLEMS}`;
  return {
    accounts: counts?.accounts ?? 0,
    transfers: counts?.transfers ?? 0,
    overdrawn,
    problems: rows.map((row) => ({ ...row, detail: LEDGER_PROBLEMS[row.kind] })),
  };
}
