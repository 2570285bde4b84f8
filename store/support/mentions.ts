// The notes that name a person (@person), until that person has done something about the case.
import type { Reach } from '../../domain/staff.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { reachSql } from '../reach-sql.js';
import { rowsOf } from '../statements.js';

export interface Mention {
  readonly paymentId: string;
  readonly kind: 'deposit' | 'withdrawal';
  readonly operationId: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly status: string;
  /** Who wrote it, what and when (RFC 3339). */
  readonly person: string;
  readonly text: string;
  readonly at: string;
}

/** At most `take` of them, newest first: of each payment the newest. A note or a decision of the person ends them. */
export function openMentions(database: Database, person: string, reach: Reach, take: number): Promise<Mention[]> {
  return rowsOf<Mention>(
    database,
    Prisma.sql`
      WITH newest AS (
        SELECT DISTINCT ON (payment_id) id, payment_id, operation_id, person, text, created_at
        FROM case_note WHERE mentions @> ARRAY[${person}]::text[] AND person <> ${person}
          AND ${reachSql(reach, 'operation_id')}
        ORDER BY payment_id, id DESC
      )
      SELECT payment.*, newest.operation_id AS "operationId", newest.person, newest.text, newest.created_at AS at
      FROM newest
      CROSS JOIN LATERAL (
        SELECT id AS "paymentId", 'deposit' AS kind, amount_minor AS "amountMinor", currency, status
        FROM deposit WHERE id = newest.payment_id
        UNION ALL
        SELECT id, 'withdrawal', amount_minor, currency, status FROM withdrawal WHERE id = newest.payment_id
      ) AS payment
      WHERE NOT EXISTS (
          SELECT FROM case_note AS own
          WHERE own.payment_id = newest.payment_id AND own.id > newest.id AND own.person = ${person})
        AND NOT EXISTS (
          SELECT FROM staff_act AS own
          WHERE own.subject_id = newest.payment_id AND own.created_at > newest.created_at
            AND own.staff_handle = ${person})
      ORDER BY newest.id DESC LIMIT ${take}`,
    'for_its_values',
  );
}
