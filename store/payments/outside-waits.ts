// Payments that have waited long for somebody outside, and their alerts. SQL, because one statement finds the payments
// of an operation and raises what is due.
import { alertOf } from '../../domain/alert-records.js';
import { type CheckedWait, OUTSIDE_WAITS } from '../../domain/payments/outside-waits.js';
import { Prisma } from '../../prisma/generated/client.js';
import { NEW_ALERT_ID } from '../alerts/alerts.js';
import type { Database } from '../database.js';

/** The payments of an operation in each wait, and since when. */
const WAITING: Readonly<Record<CheckedWait, (operationId: string) => Prisma.Sql>> = {
  charge: (operationId) => Prisma.sql`
    SELECT id, created_at AS since FROM deposit WHERE operation_id = ${operationId} AND status = 'created'`,
  return: (operationId) => Prisma.sql`
    SELECT id, (return_request ->> 'at')::timestamptz AS since FROM deposit
    WHERE operation_id = ${operationId} AND return_request IS NOT NULL`,
  payout_unknown: (operationId) => Prisma.sql`
    SELECT id, claimed_at AS since FROM withdrawal JOIN payout_send ON withdrawal_id = id
    WHERE operation_id = ${operationId} AND status = 'approved' AND state = 'claimed'`,
  // In the sandbox a payout waits for the tester, not for a provider.
  processing: (operationId) => Prisma.sql`
    SELECT withdrawal.id, claimed_at AS since FROM withdrawal
    JOIN payout_send ON withdrawal_id = withdrawal.id
    JOIN operation ON operation.id = operation_id AND operation.environment = 'production'
    WHERE operation_id = ${operationId} AND withdrawal.status = 'processing'`,
};

export const CHECKED_WAITS = Object.keys(WAITING) as CheckedWait[];

/** Stands for the payment's id until the statement knows it. */
const PAYMENT = '{payment}';

/** An alert that was raised. */
export interface RaisedWait {
  readonly objectId: string;
  readonly detail: string;
}

/**
 * Raises the alert of each payment of the operation that has waited so long: the latest stage that it has reached,
 * once. Answers those that are new.
 */
export function alertLongWaits(
  database: Database,
  { operationId, wait, at }: { readonly operationId: string; readonly wait: CheckedWait; readonly at: string },
): Promise<RaisedWait[]> {
  const { kind, stages } = OUTSIDE_WAITS[wait].checked;
  // The statement finds the payment, and puts it in its place.
  const values = stages.map(({ seconds, after }) => {
    const { detail } = alertOf(kind, 'lasting', { payment: PAYMENT, after });
    return Prisma.sql`(${seconds}::int, ${after}, ${detail})`;
  });
  return database.$queryRaw<RaisedWait[]>`
    WITH waiting AS (${WAITING[wait](operationId)})
    INSERT INTO alert (id, operation_id, kind, object_id, detail, occasion, created_at)
    SELECT ${NEW_ALERT_ID}, ${operationId}, ${kind}, waiting.id,
      replace(reached.detail, ${PAYMENT}, waiting.id), reached.after, ${at}::timestamptz
    FROM waiting
    CROSS JOIN LATERAL (
      SELECT stage.after, stage.detail FROM (VALUES ${Prisma.join(values)}) AS stage (seconds, after, detail)
      WHERE waiting.since <= ${at}::timestamptz - make_interval(secs => stage.seconds)
      ORDER BY stage.seconds DESC LIMIT 1
    ) AS reached
    ON CONFLICT DO NOTHING
    RETURNING object_id AS "objectId", detail`;
}
