// Disputed payments as the providers' lists tell them: each case with its deposit, and the alerts that follow. SQL,
// because a page is compared with what is stored in one statement.
import type { AlertKind } from '../../domain/alerts.js';
import { type Dispute, DISPUTE_DUE_SOON_SECONDS, type DisputeStatus } from '../../domain/disputes.js';
import type { AccountName } from '../../domain/provider-accounts.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';

interface KeptDispute {
  readonly disputeId: string;
  /** Null: the payment belongs to no deposit of the slot. */
  readonly depositId: string | null;
}

/** Stores a page. Returns the cases that are new or tell something else than before. */
export async function keepDisputes(
  database: Database,
  provider: AccountName,
  disputes: readonly Dispute[],
  at: string,
): Promise<KeptDispute[]> {
  // A page may repeat a case: the last one counts.
  const told = [...new Map(disputes.map((dispute) => [dispute.id, dispute])).values()].map((dispute) => ({
    dispute_id: dispute.id,
    end_to_end_id: dispute.endToEndId,
    amount_minor: dispute.amountMinor?.toString() ?? null,
    status: dispute.status,
    reason: dispute.reason,
    opened_at: dispute.openedAt,
    due_at: dispute.dueAt,
  }));
  if (told.length === 0) return [];
  return database.$queryRaw<KeptDispute[]>`
    INSERT INTO dispute (provider, dispute_id, end_to_end_id, deposit_id, operation_id, amount_minor, status, reason,
      opened_at, due_at, found_at, changed_at)
    SELECT ${provider}, dispute_id, told.end_to_end_id, deposit.id, deposit.operation_id, told.amount_minor,
      told.status, told.reason, opened_at, due_at, ${at}::timestamptz, ${at}::timestamptz
    FROM jsonb_to_recordset(${JSON.stringify(told)}::jsonb) AS told (
      dispute_id text, end_to_end_id text, amount_minor numeric, status text, reason text, opened_at timestamptz,
      due_at timestamptz
    )
    LEFT JOIN LATERAL (
      SELECT id, operation_id FROM deposit
      WHERE deposit.end_to_end_id = told.end_to_end_id AND deposit.provider = ${provider} LIMIT 1
    ) AS deposit ON true
    ON CONFLICT (provider, dispute_id) DO UPDATE SET (deposit_id, operation_id, amount_minor, status, reason, due_at,
      changed_at) = (EXCLUDED.deposit_id, EXCLUDED.operation_id, EXCLUDED.amount_minor, EXCLUDED.status,
      EXCLUDED.reason, EXCLUDED.due_at, EXCLUDED.changed_at)
    WHERE (dispute.deposit_id, dispute.amount_minor, dispute.status, dispute.reason, dispute.due_at)
      IS DISTINCT FROM (EXCLUDED.deposit_id, EXCLUDED.amount_minor, EXCLUDED.status, EXCLUDED.reason, EXCLUDED.due_at)
    RETURNING dispute_id AS "disputeId", deposit_id AS "depositId"`;
}

export interface OpenDispute {
  readonly disputeId: string;
  readonly operationId: string | null;
  /** What its alerts are about: the deposit; the end-to-end id where it belongs to none. */
  readonly objectId: string;
  readonly dueAt: Date | null;
  readonly isDueSoon: boolean;
}

/** The slot's cases that nobody has answered, the most urgent first. */
export function openDisputes(database: Database, provider: AccountName, at: string): Promise<OpenDispute[]> {
  return database.$queryRaw<OpenDispute[]>`
    SELECT dispute_id AS "disputeId", operation_id AS "operationId", ${OBJECT_ID} AS "objectId", due_at AS "dueAt",
      coalesce(due_at < ${at}::timestamptz + make_interval(secs => ${DISPUTE_DUE_SOON_SECONDS}), false) AS "isDueSoon"
    FROM dispute WHERE provider = ${provider} AND status = ${'open' satisfies DisputeStatus}
    ORDER BY due_at NULLS LAST, dispute_id LIMIT ${MOST_ALERTS}`;
}

/** Resolves the alerts about cases that are open no more. */
export async function resolveAnswered(database: Database, provider: AccountName, at: string): Promise<void> {
  const kinds: AlertKind[] = ['DISPUTE_OPEN', 'DISPUTE_DUE'];
  await database.$executeRaw`
    UPDATE alert SET resolved_at = ${at}::timestamptz
    FROM dispute
    WHERE dispute.provider = ${provider} AND dispute.status <> ${'open' satisfies DisputeStatus}
      AND alert.kind = ANY(${kinds}) AND alert.object_id = ${OBJECT_ID} AND alert.resolved_at IS NULL
      AND alert.occasion = dispute.dispute_id`;
}

const OBJECT_ID = Prisma.sql`coalesce(dispute.deposit_id, dispute.end_to_end_id)`;
/** More open cases than anybody answers: the rest are raised as these end. */
const MOST_ALERTS = 1_000;
