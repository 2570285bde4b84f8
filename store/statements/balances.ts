// What providers state of their accounts' money: read once a day, and compared with the books of that moment an hour
// later, when they have learned of all that had moved (docs/decisions/0015).
import { balanceVerdict, type ComparedBalance, isReadingDue, LEARNT_WITHIN_MS } from '../../domain/account-balance.js';
import { BANK_MOVEMENT_KINDS } from '../../domain/bank-movements.js';
import { formatBrl } from '../../domain/money.js';
import { statusesOf } from '../../domain/payments/deposit.js';
import { WITHDRAWAL_PHASES } from '../../domain/payments/withdrawal.js';
import type { AccountName } from '../../domain/provider-accounts.js';
import { localDate } from '../../domain/rules/local-time.js';
import { STATEMENT_TIME_ZONE } from '../../domain/statements.js';
import { type AccountBalance, Prisma } from '../../prisma/generated/client.js';
import { alertOf } from '../../domain/alert-records.js';
import { insertAlert, resolveAlerts } from '../alerts/alerts.js';
import { type Database, toBigInt } from '../database.js';
import type { Transaction } from '../transactions.js';
import { BALANCE, closeItems, openItems } from './items.js';

const OPEN_WITHDRAWALS = statusesOf(WITHDRAWAL_PHASES, 'open');

/** Whether the account's balance is to be read now. */
export async function isBalanceDue(database: Pick<Database, 'accountBalance'>, provider: AccountName, at: string) {
  const last = await database.accountBalance.findFirst({ where: { provider }, orderBy: { readAt: 'desc' } });
  return isReadingDue(new Date(at), last?.readAt ?? null);
}

/** Keeps what the provider stated. */
export async function keepBalance(
  database: Pick<Database, 'accountBalance'>,
  { provider, at, statedMinor }: { readonly provider: AccountName; readonly at: string; readonly statedMinor: bigint },
): Promise<void> {
  const data = [{ provider, readAt: at, statedMinor: statedMinor.toString() }];
  await database.accountBalance.createMany({ data, skipDuplicates: true });
}

/**
 * Compares the balance that was read last, if the books have had the time to learn of everything. A difference of two
 * comparisons is an item with an alert. The caller holds the lock of the account's statements.
 */
export async function compareBalance(transaction: Transaction, provider: AccountName, at: string): Promise<void> {
  const [row] = await transaction.accountBalance.findMany({
    where: { provider, comparedAt: null, readAt: { lte: new Date(Date.parse(at) - LEARNT_WITHIN_MS) } },
    orderBy: { readAt: 'desc' },
    take: 1,
  });
  if (row === undefined) return;
  const before = await transaction.accountBalance.findFirst({
    where: { provider, comparedAt: { not: null } },
    orderBy: { readAt: 'desc' },
  });
  const now = { statedMinor: toBigInt(row.statedMinor), ...(await booksAt(transaction, row)) };
  await transaction.accountBalance.updateMany({
    where: { provider, readAt: row.readAt },
    data: {
      ledgerMinor: now.ledgerMinor.toString(),
      lowMinor: now.lowMinor.toString(),
      highMinor: now.highMinor.toString(),
      comparedAt: at,
    },
  });
  await keepVerdict(transaction, { provider, at, readAt: row.readAt }, now, before);
}

async function keepVerdict(
  transaction: Transaction,
  { provider, at, readAt }: { readonly provider: AccountName; readonly at: string; readonly readAt: Date },
  now: ComparedBalance,
  before: AccountBalance | null,
): Promise<void> {
  const item = await transaction.statementItem.findFirst({ where: { provider, identity: BALANCE, closedAt: null } });
  const known = item === null ? null : toBigInt(item.statementMinor!) - toBigInt(item.ledgerMinor!);
  const verdict = balanceVerdict(now, known);
  if (verdict === 'same') return;
  const differed = before !== null && balanceVerdict(comparedOf(before), known) === 'differs';
  if (verdict === 'differs' && !differed) return;
  const alert = { kind: 'BALANCE_DIFFERS', objectId: provider, at } as const;
  if (item !== null) await closeItems(transaction, [item], new Date(at));
  await resolveAlerts(transaction, alert);
  if (verdict === 'agrees') return;
  const day = localDate(readAt, STATEMENT_TIME_ZONE);
  const [statement, ledger] = [now.statedMinor.toString(), now.ledgerMinor.toString()];
  const difference = {
    identity: BALANCE,
    day,
    comparison: 'balance_differs',
    kind: null,
    reference: provider,
  } as const;
  const nothing = { return_id: null, line: null, operation_id: null, subject: null };
  await openItems(transaction, provider, [{ ...difference, ...nothing, statement, ledger }], new Date(at));
  const [stated, booked] = [formatBrl(now.statedMinor), formatBrl(now.ledgerMinor)];
  const values = { provider, stated, booked, at: readAt.toISOString() };
  await insertAlert(transaction, {
    ...alert,
    ...alertOf(alert.kind, 'differs', values),
    occasion: null,
    operationId: null,
  });
}

function comparedOf(row: AccountBalance): ComparedBalance {
  return {
    statedMinor: toBigInt(row.statedMinor),
    ledgerMinor: toBigInt(row.ledgerMinor!),
    lowMinor: toBigInt(row.lowMinor!),
    highMinor: toBigInt(row.highMinor!),
  };
}

/** The sign of what each kind does to the account. */
const SIGNS = Prisma.raw(
  `(VALUES ${Object.entries(BANK_MOVEMENT_KINDS)
    .map(([kind, sign]) => `('${kind}', ${sign})`)
    .join(', ')}) AS signs (kind, sign)`,
);

/**
 * What the books have of the account at that moment, by the bank's clock, and what was under way: what moved within two
 * minutes, since clocks differ; payouts that had been sent and not paid, which a bank deducts at once; and returns of
 * deposits. An account with a balance before its first movement began with that. What the account holds now, without
 * what has moved since: years of movements are not read.
 */
async function booksAt(
  transaction: Transaction,
  { provider, readAt }: AccountBalance,
): Promise<Omit<ComparedBalance, 'statedMinor'>> {
  const [row] = await transaction.$queryRaw<Record<'ledger' | 'low' | 'high', string>[]>`
    WITH moment AS (
      SELECT ${readAt}::timestamptz AS at, ${readAt}::timestamptz - interval '2 minutes' AS first,
        ${readAt}::timestamptz + interval '2 minutes' AS final, ${readAt}::timestamptz + interval '1 hour' AS learned
    ),
    held AS (
      SELECT -coalesce(sum(balance_minor), 0) AS amount FROM ledger_account
      WHERE provider = ${provider} AND account = 'provider_clearing'
    ),
    moved AS (
      SELECT settled_at, amount_minor * sign AS signed,
        settled_at <= final OR bank.kind = 'returned_to_payer' OR (bank.kind = 'fee' AND settled_at <= learned)
          OR EXISTS (SELECT FROM payout_send WHERE withdrawal_id = object_id AND claimed_at <= final) AS is_under_way
      FROM bank_movement AS bank JOIN ${SIGNS} USING (kind), moment
      WHERE account = ${provider} AND settled_at > ${readAt}::timestamptz - interval '2 minutes'
    ),
    corrected AS (
      SELECT coalesce(sum(CASE kind WHEN 'correction_up' THEN amount_minor ELSE -amount_minor END), 0) AS amount
      FROM cash_movement, moment
      WHERE provider = ${provider} AND created_at > moment.at AND kind IN ('correction_up', 'correction_down')
    ),
    asked AS (
      -- Not paid yet, or failed since: the bank may have deducted it all the same.
      SELECT coalesce(sum(amount_minor), 0) AS amount FROM payout_send JOIN withdrawal ON withdrawal.id = withdrawal_id, moment
      WHERE provider = ${provider} AND claimed_at <= final
        AND (status = ANY(${OPEN_WITHDRAWALS}::text[]) OR (status = 'failed' AND updated_at > first))
      UNION ALL
      SELECT coalesce(sum((return_request ->> 'amountMinor')::numeric), 0) FROM deposit
      WHERE provider = ${provider} AND return_request IS NOT NULL
    ),
    began AS (
      SELECT coalesce((
        SELECT stated_minor FROM account_balance AS opening WHERE provider = ${provider}
          AND NOT EXISTS (SELECT FROM bank_movement WHERE account = ${provider} AND settled_at <= read_at)
          AND NOT EXISTS (SELECT FROM cash_movement WHERE cash_movement.provider = ${provider} AND created_at <= read_at)
        ORDER BY read_at DESC LIMIT 1
      ), 0) AS amount
    ),
    books AS (
      SELECT (SELECT amount FROM held) + (SELECT amount FROM began) - (SELECT amount FROM corrected) AS base,
        -coalesce(sum(signed) FILTER (WHERE settled_at > moment.at), 0) AS ledger,
        -coalesce(sum(signed) FILTER (WHERE settled_at > moment.at OR is_under_way), 0) AS certain,
        coalesce(sum(signed) FILTER (WHERE is_under_way AND signed < 0), 0) - (SELECT sum(amount) FROM asked) AS down,
        coalesce(sum(signed) FILTER (WHERE is_under_way AND signed > 0), 0) AS up
      FROM moment LEFT JOIN moved ON TRUE
    )
    SELECT (base + ledger)::text AS ledger, (base + certain + down)::text AS low, (base + certain + up)::text AS high
    FROM books`;
  if (row === undefined) throw new Error('a sum without a row');
  return { ledgerMinor: BigInt(row.ledger), lowMinor: BigInt(row.low), highMinor: BigInt(row.high) };
}
