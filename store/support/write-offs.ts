// Payouts that one person has asked to write off: each waits for a second person.
import { type WriteOffAct, WRITE_OFF_RULES } from '../../domain/payments/write-off.js';
import type { Reach } from '../../domain/staff.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { reachSql } from '../reach-sql.js';
import { rowsOf } from '../statements.js';

/**
 * A condition of a statement with `withdrawal`: a request is in force. The first two conditions are those of a partial
 * index.
 */
export const WRITE_OFF_PENDING = Prisma.sql`
  withdrawal.status IN ('approved', 'processing') AND withdrawal.write_offs <> '[]'
  AND withdrawal.write_offs -> -1 ->> 'decision' = 'request_conclusion'
  AND withdrawal.write_offs -> -1 ->> 'status' = withdrawal.status
  AND (withdrawal.write_offs -> -1 ->> 'at')::timestamptz
    > now() - make_interval(hours => ${WRITE_OFF_RULES.requestHours}::int)`;

export interface PendingWriteOff {
  readonly id: string;
  readonly operationId: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly playerRef: string;
  /** When the permission to send was taken; RFC 3339, as the times below. */
  readonly sentAt: string | null;
  /** Look-ups in a row that found nothing, and when the first and the last of them was answered. */
  readonly lookUps: number;
  readonly tracelessSince: string | null;
  readonly tracelessLastAt: string | null;
  readonly request: WriteOffAct;
}

/** At most `take` of them, longest waiting first. */
export function pendingWriteOffs(database: Database, reach: Reach, take: number): Promise<PendingWriteOff[]> {
  return rowsOf<PendingWriteOff>(
    database,
    Prisma.sql`
      SELECT id, operation_id AS "operationId", amount_minor AS "amountMinor", currency, player_ref AS "playerRef",
        send.claimed_at AS "sentAt", coalesce(send.traceless_look_ups, 0) AS "lookUps",
        send.traceless_since AS "tracelessSince", send.traceless_last_at AS "tracelessLastAt",
        write_offs -> -1 AS request
      FROM withdrawal LEFT JOIN payout_send AS send ON send.withdrawal_id = withdrawal.id
      WHERE ${WRITE_OFF_PENDING} AND ${reachSql(reach, 'operation_id')}
      ORDER BY (write_offs -> -1 ->> 'at')::timestamptz, id LIMIT ${take}`,
  );
}
