// Counts what waits for people in every operation, in one statement, which the panel runs once for all viewers.
import type { InboxKind } from '../../domain/approvals.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { WRITE_OFF_PENDING } from '../support/write-offs.js';
import { rowsOf } from '../statements.js';

/** `operationId` null: what is about the whole gateway. */
export interface OperationCounters {
  readonly operationId: string | null;
  readonly waiting: number;
  readonly overdue: number;
  /** By kind: who sees which differs. Kinds of which nothing waits are absent. */
  readonly approvals: Readonly<Partial<Record<InboxKind, number>>>;
  readonly alerts: number;
  /** Rises with every event of the operation. */
  readonly changes: string;
}

/** Reads only the partial indexes of what waits. */
export function readCounters(database: Database, decideWithinSeconds: number): Promise<OperationCounters[]> {
  return rowsOf<OperationCounters>(
    database,
    Prisma.sql`
      WITH waiting AS (
        SELECT operation_id, count(*)::int AS waiting,
          (count(*) FILTER (
            WHERE review_since <= now() - make_interval(secs => ${decideWithinSeconds}::int)))::int AS overdue
        FROM (
          SELECT operation_id, review_since FROM deposit WHERE status = 'under_review'
          UNION ALL SELECT operation_id, review_since FROM withdrawal WHERE status = 'under_review'
        ) AS payment GROUP BY operation_id
      ), asked AS (
        SELECT operation_id, jsonb_object_agg(kind, waiting) AS approvals FROM (
          SELECT operation_id, kind, count(*)::int AS waiting FROM (
            SELECT operation_id, kind FROM approval_request WHERE status = 'pending'
            UNION ALL SELECT operation_id, 'rule_change' FROM rule_change_request WHERE status = 'pending_approval'
            UNION ALL SELECT operation_id, 'write_off' FROM withdrawal WHERE ${WRITE_OFF_PENDING}
          ) AS request GROUP BY operation_id, kind
        ) AS counted GROUP BY operation_id
      ), raised AS (
        SELECT operation_id, count(*)::int AS alerts FROM alert WHERE resolved_at IS NULL GROUP BY operation_id
      ), every AS (SELECT id FROM operation UNION ALL SELECT NULL)
      SELECT every.id AS "operationId", coalesce(waiting, 0) AS waiting, coalesce(overdue, 0) AS overdue,
        coalesce(approvals, '{}'::jsonb) AS approvals, coalesce(alerts, 0) AS alerts,
        coalesce(event_sequence, 0)::text AS changes
      FROM every
      LEFT JOIN waiting ON waiting.operation_id = every.id
      LEFT JOIN asked ON asked.operation_id IS NOT DISTINCT FROM every.id
      LEFT JOIN raised ON raised.operation_id IS NOT DISTINCT FROM every.id
      LEFT JOIN operation_counter ON operation_counter.operation_id = every.id`,
  );
}
