// Checks the ledger: transfers sum to zero, balances are the sums of their entries, the money of every payment matches
// its status, and that of every cash movement its approval. One SQL statement, so every comparison sees the same
// snapshot.
import { BANK_MOVEMENT_KINDS } from '../../domain/bank-movements.js';
import { BANK_KIND_OF } from '../../domain/ledger.js';
import { accountsOf, CASH_MOVEMENT_KINDS } from '../../domain/cash-movements.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { DEPOSIT_SETTLED, WITHDRAWAL_COUNTS, WITHDRAWAL_OPEN } from '../payments/phase-sql.js';

const INTO_CASH_BOX = CASH_MOVEMENT_KINDS.filter((kind) => kind !== 'moved' && accountsOf(kind).to === 'available');
const OUT_OF_CASH_BOX = CASH_MOVEMENT_KINDS.filter((kind) => accountsOf(kind).from === 'available');

/** What each ledger movement is at the bank, with the sign of its entry in `provider_clearing`. */
const AT_BANK = Prisma.raw(
  `(VALUES ${Object.entries(BANK_KIND_OF)
    .flatMap(([movement, kind]) => (kind === null ? [] : [`('${movement}', '${kind}', ${-BANK_MOVEMENT_KINDS[kind]})`]))
    .join(', ')}) AS at_bank (movement, kind, sign)`,
);

/** Enough to see a pattern without printing a whole damaged ledger. */
export const MOST_PROBLEMS = 1_000;

/** What can be wrong. */
const PROBLEM_TEXTS = {
  transfer_not_balanced: 'the entries of a transfer do not sum to zero',
  balance_differs: "an account's balance is not the sum of its entries",
  reservation_differs: 'what is reserved for a withdrawal is not what its state says',
  held_deposit_differs: 'what is held for a deposit is not what its state says',
  bank_movement_differs: 'a movement at the provider is not what the ledger has for it',
  suspense_differs: 'a payment in suspense is not what its movements, the ledger and its deposit say',
  cash_box_differs: 'what a payment or a cash movement put into or took out of the cash box is not what its row says',
} as const;
export type LedgerProblemKind = keyof typeof PROBLEM_TEXTS;

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
  database: Pick<Database, '$queryRaw'>,
  operationId: string | null,
): Promise<LedgerReport> {
  const mine = operationId === null ? Prisma.sql`TRUE` : Prisma.sql`operation_id = ${operationId}`;
  const rows = await database.$queryRaw<Omit<LedgerProblem, 'detail'>[]>(problemsSql(mine));
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
    problems: rows.map((row) => ({ ...row, detail: PROBLEM_TEXTS[row.kind] })),
  };
}

function problemsSql(mine: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    WITH
    unbalanced AS (
      SELECT 'transfer_not_balanced' AS kind, operation_id, provider, currency, NULL AS account, object_id AS subject,
        0 AS expected, sum(amount_minor) AS found
      FROM ledger_entry WHERE ${mine}
      GROUP BY operation_id, provider, currency, object_id, step
    ),
    balances AS (
      SELECT 'balance_differs', operation_id, provider, currency, account, NULL, coalesce(entries.total, 0),
        coalesce(balance_minor, 0)
      FROM (SELECT * FROM ledger_account WHERE ${mine}) AS accounts
      FULL JOIN (
        SELECT operation_id, provider, currency, account, sum(amount_minor) AS total
        FROM ledger_entry WHERE ${mine} GROUP BY 1, 2, 3, 4
      ) AS entries USING (operation_id, provider, currency, account)
    ),
    ${expectedSql(mine)},
    -- What each payment or cash movement did to each account. Nothing else moves money.
    moved AS (
      SELECT operation_id, provider, currency, account, object_id AS subject, sum(amount_minor) AS amount
      FROM ledger_entry WHERE ${mine} AND account IN ('available', 'pending_in', 'pending_out')
      GROUP BY 1, 2, 3, 4, 5
    ),
    -- Each movement at the provider, and the entry in \`provider_clearing\` of the same object and step.
    entered AS (
      SELECT operation_id, provider, currency, object_id, step, kind, amount_minor * sign AS amount
      FROM ledger_entry JOIN ${AT_BANK} ON at_bank.movement = ledger_entry.movement
      WHERE ${mine} AND account = 'provider_clearing'
    ),
    banked AS (
      SELECT 'bank_movement_differs', operation_id, provider, currency, NULL, object_id, coalesce(bank.amount_minor, 0),
        coalesce(entered.amount, 0)
      FROM (SELECT *, account AS provider FROM bank_movement WHERE ${mine}) AS bank
      FULL JOIN entered USING (operation_id, provider, currency, object_id, step, kind)
    ),
    ${suspenseSql(mine)},
    payments AS (
      SELECT CASE account WHEN 'pending_out' THEN 'reservation_differs' WHEN 'pending_in' THEN 'held_deposit_differs'
        ELSE 'cash_box_differs' END, operation_id, provider, currency, account, subject,
        coalesce(expected.amount, 0), coalesce(moved.amount, 0)
      FROM expected FULL JOIN moved USING (operation_id, provider, currency, account, subject)
    )
    SELECT kind, operation_id, provider, currency, account, subject, expected::text AS expected_minor,
      found::text AS found_minor
    FROM (SELECT * FROM unbalanced UNION ALL SELECT * FROM balances UNION ALL SELECT * FROM banked
      UNION ALL SELECT * FROM payments UNION ALL SELECT * FROM suspense) AS compared
    WHERE expected <> found
    ORDER BY kind, operation_id, subject, provider, account
    LIMIT ${MOST_PROBLEMS}`;
}

/**
 * CTE `suspense`: each entry of the ledger in `suspense` is one of an item's, with its amount. What is left of an item
 * is the sum of these, and what its deposit's row leaves. People entered the returns that they are said to have.
 */
function suspenseSql(mine: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    item AS (SELECT * FROM suspense_item WHERE ${mine}),
    item_entry AS (
      SELECT operation_id, currency, entry.*
      FROM item JOIN suspense_entry AS entry USING (account, end_to_end_id)
    ),
    told AS (
      SELECT operation_id, item_entry.account AS provider, currency, end_to_end_id,
        -sum(item_entry.amount_minor) AS amount
      FROM item_entry JOIN bank_movement USING (object_id, step, operation_id, currency)
      WHERE kind = 'returned_to_payer' AND said_by = 'people'
      GROUP BY 1, 2, 3, 4
    ),
    suspense AS (
      SELECT 'suspense_differs', operation_id, provider, currency, 'suspense', coalesce(end_to_end_id, object_id),
        coalesce(item_entry.amount_minor, 0), coalesce(held.amount_minor, 0)
      FROM (SELECT *, account AS provider FROM item_entry) AS item_entry
      FULL JOIN (SELECT * FROM ledger_entry WHERE ${mine} AND account = 'suspense') AS held
        USING (operation_id, provider, currency, object_id, step)
      UNION ALL
      SELECT 'suspense_differs', item.operation_id, item.account, item.currency, 'suspense', item.end_to_end_id,
        found.amount, left_minor
      FROM item LEFT JOIN deposit ON deposit.id = object_id
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(amount_minor), 0) FROM item_entry
        WHERE item_entry.account = item.account AND item_entry.end_to_end_id = item.end_to_end_id
        UNION ALL
        SELECT item.amount_minor - coalesce((suspense_credits ->> item.end_to_end_id)::numeric, 0)
          - coalesce((
            SELECT sum("amountMinor") FROM jsonb_to_recordset(returned_parts) AS part (of text, "amountMinor" numeric)
            WHERE of = item.end_to_end_id
          ), 0)
      ) AS found (amount)
      UNION ALL
      SELECT 'suspense_differs', operation_id, provider, currency, 'suspense', end_to_end_id,
        coalesce(entered.amount, 0),
        coalesce(told.amount, 0)
      FROM told FULL JOIN (
        SELECT operation_id, provider, currency, document AS end_to_end_id, sum(amount_minor) AS amount
        FROM cash_movement WHERE ${mine} AND kind = 'suspense_returned' GROUP BY 1, 2, 3, 4
      ) AS entered USING (operation_id, provider, currency, end_to_end_id)
    )`;
}

/** The money that each payment's row, or cash movement, requires in each account. Zero if it has no row. */
function expectedSql(mine: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    stated AS (
      SELECT operation_id, provider, currency, 'available' AS account, id AS subject, amount_minor - returned_minor AS amount
      FROM deposit WHERE ${mine} AND ${DEPOSIT_SETTLED}
      UNION ALL
      SELECT operation_id, provider, currency, 'pending_in', id, coalesce(paid_amount_minor, 0) - returned_minor
      FROM deposit WHERE ${mine} AND status = 'under_review'
      UNION ALL
      SELECT operation_id, provider, currency, 'available', id, -fee::numeric
      FROM deposit, jsonb_each_text(fees) AS listed(payment, fee) WHERE ${mine}
      UNION ALL
      SELECT operation_id, provider, currency, 'pending_out', id, amount_minor
      FROM withdrawal WHERE ${mine} AND ${WITHDRAWAL_OPEN}
      UNION ALL
      SELECT operation_id, provider, currency, 'available', id, returned_minor - amount_minor
      FROM withdrawal WHERE ${mine} AND ${WITHDRAWAL_COUNTS}
      UNION ALL
      SELECT operation_id, provider, currency, 'available', id, -fee_minor
      FROM withdrawal WHERE ${mine} AND fee_minor IS NOT NULL
      UNION ALL
      SELECT operation_id, entry.account, currency, 'available', entry.object_id, -entry.amount_minor
      FROM suspense_entry AS entry JOIN suspense_item USING (account, end_to_end_id)
      WHERE ${mine} AND movement = 'suspense_recalled'
      UNION ALL
      SELECT operation_id, provider, currency, 'available', id,
        CASE WHEN kind = ANY(${OUT_OF_CASH_BOX}::text[]) THEN -amount_minor ELSE amount_minor END
      FROM cash_movement WHERE ${mine} AND kind = ANY(${[...INTO_CASH_BOX, ...OUT_OF_CASH_BOX]}::text[])
      UNION ALL
      SELECT operation_id, to_provider, currency, 'available', id, amount_minor
      FROM cash_movement WHERE ${mine} AND kind = 'moved'
    ),
    expected AS (
      SELECT operation_id, provider, currency, account, subject, sum(amount) AS amount
      FROM stated GROUP BY 1, 2, 3, 4, 5
    )`;
}
