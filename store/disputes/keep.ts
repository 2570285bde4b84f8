// Disputed payments as the providers' lists report them: each case with its deposit, and the alerts that follow. SQL,
// because a page is compared with what is stored in one statement.
import type { AlertKind } from '../../domain/alerts.js';
import { type Dispute, DISPUTE_DUE_SOON_SECONDS, type DisputeStatus } from '../../domain/disputes.js';
import { withAmounts } from '../../domain/money.js';
import type { AccountName } from '../../domain/provider-accounts.js';
import { Prisma } from '../../prisma/generated/client.js';
import { notified, type NotifiedDeposit } from '../account-sweep/notified-payment.js';
import type { Database } from '../database.js';

/** A case that is new or has changed. */
export interface ChangedDispute {
  readonly dispute: Dispute;
  /** `null` if the payment belongs to no deposit of the slot. */
  readonly deposit: NotifiedDeposit | null;
}

/** Those of a page that differ from the stored ones. */
export async function changedDisputes(
  database: Database,
  provider: AccountName,
  disputes: readonly Dispute[],
): Promise<ChangedDispute[]> {
  // A page may repeat a case: the last one counts.
  const listed = new Map(disputes.map((dispute) => [dispute.id, dispute]));
  if (listed.size === 0) return [];
  const rows = await database.$queryRaw<{ disputeId: string; deposit: NotifiedDeposit | null }[]>`
    SELECT listed.dispute_id AS "disputeId", ${notified('deposit')} AS deposit
    FROM ${listedWithDeposit(provider, [...listed.values()])}
    LEFT JOIN operation ON operation.id = deposit.operation_id
    LEFT JOIN dispute ON dispute.provider = ${provider} AND dispute.dispute_id = listed.dispute_id
    WHERE dispute.dispute_id IS NULL
      OR (dispute.deposit_id, dispute.amount_minor, dispute.status, dispute.reason, dispute.due_at)
        IS DISTINCT FROM (deposit.id, listed.amount_minor, listed.status, listed.reason, listed.due_at)`;
  return withAmounts(rows).map(({ disputeId, deposit }) => ({ dispute: listed.get(disputeId)!, deposit }));
}

/** Stores changed cases in their present state. */
export async function keepDisputes(
  database: Database,
  provider: AccountName,
  changed: readonly ChangedDispute[],
  at: string,
): Promise<void> {
  if (changed.length === 0) return;
  const listed = changed.map(({ dispute }) => dispute);
  await database.$executeRaw`
    INSERT INTO dispute (provider, dispute_id, end_to_end_id, deposit_id, operation_id, amount_minor, status, reason,
      opened_at, due_at, found_at, changed_at)
    SELECT ${provider}, dispute_id, listed.end_to_end_id, deposit.id, deposit.operation_id, listed.amount_minor,
      listed.status, listed.reason, opened_at, due_at, ${at}::timestamptz, ${at}::timestamptz
    FROM ${listedWithDeposit(provider, listed)}
    ON CONFLICT (provider, dispute_id) DO UPDATE SET (deposit_id, operation_id, amount_minor, status, reason, due_at,
      changed_at) = (EXCLUDED.deposit_id, EXCLUDED.operation_id, EXCLUDED.amount_minor, EXCLUDED.status,
      EXCLUDED.reason, EXCLUDED.due_at, EXCLUDED.changed_at)`;
}

/** The cases as the rows `listed`, each with the `deposit` that its payment belongs to. */
function listedWithDeposit(provider: AccountName, disputes: readonly Dispute[]): Prisma.Sql {
  const records = disputes.map((dispute) => ({
    dispute_id: dispute.id,
    end_to_end_id: dispute.endToEndId,
    amount_minor: dispute.amountMinor?.toString() ?? null,
    status: dispute.status,
    reason: dispute.reason,
    opened_at: dispute.openedAt,
    due_at: dispute.dueAt,
  }));
  return Prisma.sql`
    jsonb_to_recordset(${JSON.stringify(records)}::jsonb) AS listed (
      dispute_id text, end_to_end_id text, amount_minor numeric, status text, reason text, opened_at timestamptz,
      due_at timestamptz
    )
    LEFT JOIN LATERAL (
      SELECT id, operation_id, external_id, status, amount_minor FROM deposit
      WHERE deposit.end_to_end_id = listed.end_to_end_id AND deposit.provider = ${provider} LIMIT 1
    ) AS deposit ON true`;
}

export interface OpenDispute {
  readonly disputeId: string;
  readonly operationId: string | null;
  /** The subject of its alerts: the deposit, or the end-to-end id if it belongs to none. */
  readonly objectId: string;
  readonly dueAt: Date | null;
  readonly isDueSoon: boolean;
}

/** The slot's unanswered cases, the most urgent first. */
export function openDisputes(database: Database, provider: AccountName, at: string): Promise<OpenDispute[]> {
  return database.$queryRaw<OpenDispute[]>`
    SELECT dispute_id AS "disputeId", operation_id AS "operationId", ${OBJECT_ID} AS "objectId", due_at AS "dueAt",
      coalesce(due_at < ${at}::timestamptz + make_interval(secs => ${DISPUTE_DUE_SOON_SECONDS}), false) AS "isDueSoon"
    FROM dispute WHERE provider = ${provider} AND status = ${'open' satisfies DisputeStatus}
    ORDER BY due_at NULLS LAST, dispute_id LIMIT ${MOST_ALERTS}`;
}

/**
 * Resolves the alerts about cases that are open no more, and those that name a payment of which the deposit is known
 * now: the next one names the deposit.
 */
export async function resolveAnswered(database: Database, provider: AccountName, at: string): Promise<void> {
  const kinds: AlertKind[] = ['DISPUTE_OPEN', 'DISPUTE_DUE'];
  await database.$executeRaw`
    UPDATE alert SET resolved_at = ${at}::timestamptz
    FROM dispute
    WHERE dispute.provider = ${provider} AND alert.occasion = dispute.dispute_id
      AND alert.object_id IN (dispute.deposit_id, dispute.end_to_end_id)
      AND (dispute.status <> ${'open' satisfies DisputeStatus} OR alert.object_id <> ${OBJECT_ID})
      AND alert.kind = ANY(${kinds}) AND alert.resolved_at IS NULL`;
}

const OBJECT_ID = Prisma.sql`coalesce(dispute.deposit_id, dispute.end_to_end_id)`;
/** More open cases than people can answer: the rest are raised as these end. */
const MOST_ALERTS = 1_000;
