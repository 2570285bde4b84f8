// Payouts that an account's list has and the database does not show: sent by someone else, or by the gateway although
// the row says that nothing left. SQL, because a page of a thousand is compared in one statement.
import type { AlertKind } from '../../domain/alerts.js';
import type { ListedPayout } from '../../domain/listed-payouts.js';
import { toMoney } from '../../domain/money.js';
import type { AccountName } from '../../domain/provider-accounts.js';
import { Prisma } from '../../prisma/generated/client.js';
import { type Database, toBigInt } from '../database.js';
import { ageInDays } from './list-receipts.js';

/** How long a withdrawal may lag behind the provider's list: its look-up has to be answered. */
const EXPLAINED_WITHIN_SECONDS = 30 * 60;

export interface AttributedPayout extends ListedPayout {
  /** The withdrawal that the reference names, whether it exists or not; null where the reference is not ours. */
  readonly withdrawalId: string | null;
}

/** Keeps those of a page that the database does not show. @returns how many are new */
export async function keepUnexplainedPayouts(
  database: Database,
  provider: AccountName,
  payouts: readonly AttributedPayout[],
  at: string,
): Promise<number> {
  return database.$executeRaw`
    INSERT INTO unexplained_payout
      (provider, payout_id, end_to_end_id, withdrawal_id, amount_minor, sent_at, is_settled, returns, found_at)
    SELECT ${provider}, payout_id, end_to_end_id, withdrawal.id, listed.amount_minor, sent_at, is_settled,
      '', ${at}::timestamptz
    FROM jsonb_to_recordset(${JSON.stringify(payouts.map(recordOf))}::jsonb) AS listed (
      payout_id text, end_to_end_id text, withdrawal_id text, amount_minor numeric, sent_at timestamptz,
      is_settled boolean
    )
    LEFT JOIN LATERAL (
      SELECT id FROM withdrawal
      WHERE provider = ${provider} AND (id = listed.withdrawal_id OR psp_reference = listed.end_to_end_id)
      LIMIT 1
    ) AS withdrawal ON TRUE
    WHERE NOT ${isExplained(provider, Prisma.sql`listed`)}
    ON CONFLICT (provider, payout_id) DO NOTHING`;
}

const recordOf = (payout: AttributedPayout) => ({
  payout_id: payout.payoutId,
  end_to_end_id: payout.endToEndId,
  withdrawal_id: payout.withdrawalId,
  amount_minor: payout.amountMinor.toString(),
  sent_at: payout.sentAt,
  is_settled: payout.isSettled,
});

/**
 * Whether the database shows the payout of the row `listed`: a withdrawal of that amount that has left or may have, or
 * a cash movement with its id as document. A payout that the provider still works on may have failed here already.
 */
function isExplained(provider: AccountName, listed: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(
    EXISTS (
      SELECT FROM withdrawal AS sent LEFT JOIN payout_send AS send ON send.withdrawal_id = sent.id
      WHERE sent.provider = ${provider} AND sent.amount_minor = ${listed}.amount_minor
        AND (sent.id = ${listed}.withdrawal_id OR sent.psp_reference = ${listed}.end_to_end_id)
        AND (
          sent.status IN ('processing', 'paid', 'returned')
          OR (sent.status = 'approved' AND send.state IN ('claimed', 'known'))
          OR (sent.status = 'failed' AND NOT ${listed}.is_settled)
        )
    )
    OR EXISTS (SELECT FROM cash_movement WHERE document IN (${listed}.payout_id, ${listed}.end_to_end_id))
  )`;
}

export interface UnexplainedPayout {
  readonly payoutId: string;
  /** The withdrawal that does not show it; null: it belongs to none. */
  readonly withdrawalId: string | null;
  readonly operationId: string | null;
}

/** Marks those that the database shows by now. @returns those that they have not shown for half an hour */
export async function unexplainedPayouts(
  database: Database,
  provider: AccountName,
  at: string,
): Promise<UnexplainedPayout[]> {
  return database.$queryRaw<UnexplainedPayout[]>`
    WITH open AS (
      SELECT listed.*, ${isExplained(provider, Prisma.sql`listed`)} AS is_explained
      FROM unexplained_payout AS listed WHERE listed.provider = ${provider} AND explained_at IS NULL
    ), explained AS (
      UPDATE unexplained_payout SET explained_at = ${at}::timestamptz
      FROM open WHERE open.is_explained AND unexplained_payout.provider = ${provider}
        AND unexplained_payout.payout_id = open.payout_id
    )
    SELECT payout_id AS "payoutId", withdrawal_id AS "withdrawalId", operation_id AS "operationId"
    FROM open LEFT JOIN withdrawal ON withdrawal.id = open.withdrawal_id
    WHERE NOT is_explained AND found_at < ${at}::timestamptz - make_interval(secs => ${EXPLAINED_WITHIN_SECONDS})
    ORDER BY sent_at`;
}

/**
 * The payouts that the database does not show, with their owner and age; with `all` also those that it showed later.
 * Newest first.
 */
export async function readUnexplainedPayouts(
  database: Database,
  { all, limit, now }: { all: boolean; limit: number; now: Date },
) {
  const rows = await database.unexplainedPayout.findMany({
    where: all ? {} : { explainedAt: null },
    orderBy: [{ foundAt: 'desc' }, { payoutId: 'asc' }],
    take: limit,
  });
  const open = rows.filter(({ explainedAt }) => explainedAt === null).map(({ payoutId }) => payoutId);
  const owners = await ownersOf(database, open);
  return rows.map((row) => ({
    provider: row.provider,
    payout_id: row.payoutId,
    end_to_end_id: row.endToEndId,
    amount: toMoney(toBigInt(row.amountMinor), 'BRL'),
    sent_at: row.sentAt,
    settled: row.isSettled,
    withdrawal_id: row.withdrawalId,
    returns: row.returns,
    found_at: row.foundAt,
    explained_at: row.explainedAt,
    owner: owners.get(row.payoutId) ?? null,
    age_days: row.explainedAt === null ? ageInDays(row.sentAt, now) : null,
  }));
}

/** The people who have taken the open alerts about these payouts. */
async function ownersOf(database: Database, payoutIds: string[]): Promise<ReadonlyMap<string | null, string | null>> {
  const kinds: AlertKind[] = ['PAYOUT_UNALLOCATED', 'PAYOUT_CONTRADICTION'];
  const open = await database.alert.findMany({
    where: { kind: { in: kinds }, occasion: { in: payoutIds }, resolvedAt: null },
  });
  return new Map(open.map(({ occasion, assignedTo }) => [occasion, assignedTo]));
}
