// The outbox of alerts: one row for each alert that has not been sent to all of its targets. A trigger writes it with
// the alert. `due_at` says from when any process of the webhooks queue may take it.
import type { AlertNotice } from '../../domain/alert-notices.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';

/** How long a notice is left to whoever took it: longer than an attempt takes. */
const LEFT_FOR_SECONDS = 60;

export interface TakenNotice extends AlertNotice {
  /** The targets that have accepted it. */
  readonly sentTo: readonly string[];
  /** Attempts that were made and stored. */
  readonly attempts: number;
}

/** Takes notices that are due, the first first. Two processes never take the same one. */
export async function takeDueNotices(database: Database, limit: number): Promise<readonly TakenNotice[]> {
  return database.$queryRaw<TakenNotice[]>`
    WITH due AS (
      SELECT alert_id FROM alert_notice WHERE due_at <= now() ORDER BY due_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ), taken AS (
      UPDATE alert_notice SET due_at = now() + make_interval(secs => ${LEFT_FOR_SECONDS}) FROM due
      WHERE alert_notice.alert_id = due.alert_id
      RETURNING alert_notice.alert_id, alert_notice.sent_to, alert_notice.attempts
    )
    SELECT alert.id AS "alertId", alert.kind, alert.operation_id AS "operationId", alert.created_at AS "raisedAt",
      taken.sent_to AS "sentTo", taken.attempts
    FROM taken JOIN alert ON alert.id = taken.alert_id ORDER BY alert.created_at`;
}

/** Every target has accepted it, or none is to get it. */
export async function endNotice(database: Database, alertId: string): Promise<void> {
  await database.alertNotice.deleteMany({ where: { alertId } });
}

/** Some target has not accepted it: plans the next attempt, by the database's clock. */
export async function repeatNotice(
  database: Database,
  { alertId, sentTo, pauseSeconds }: { alertId: string; sentTo: readonly string[]; pauseSeconds: number },
): Promise<void> {
  await database.$executeRaw(Prisma.sql`
    UPDATE alert_notice SET attempts = attempts + 1, sent_to = sent_to || ${[...sentTo]}::text[],
      due_at = now() + make_interval(secs => ${pauseSeconds})
    WHERE alert_id = ${alertId}`);
}
