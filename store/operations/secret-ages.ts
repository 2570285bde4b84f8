// The age of keys and webhook secrets: alerts are raised once for each secret that grows old, and resolved when it is
// rotated. SQL, because one statement compares the ages, resolves and raises.
import type { RecordText } from '../../domain/alert-definition.js';
import { alertOf } from '../../domain/alert-records.js';
import type { AlertKind } from '../../domain/alerts.js';
import {
  KEY_DUE_AFTER_DAYS,
  KEY_OVERDUE_AFTER_DAYS,
  WEBHOOK_SECRET_OVERDUE_AFTER_DAYS,
} from '../../domain/rotation.js';
import { Prisma } from '../../prisma/generated/client.js';
import { NEW_ALERT_ID } from '../alerts/alerts.js';
import type { Database } from '../database.js';

/** A secret with an end already has a successor in use. */
const KEYS = Prisma.sql`
  SELECT key_id AS id, operation_id, created_at FROM api_key WHERE revoked_at IS NULL AND expires_at IS NULL`;
const WEBHOOK_SECRETS = Prisma.sql`
  SELECT id, operation_id, created_at FROM webhook_secret WHERE expires_at IS NULL`;

interface AgeCheck {
  readonly kind: AlertKind;
  /** `id`, `operation_id` and `created_at` of the secrets in use. */
  readonly secrets: Prisma.Sql;
  readonly fromDays: number;
  /** From this age on, another alert replaces this one. */
  readonly untilDays: number | null;
  readonly detail: RecordText;
}

const CHECKS: readonly AgeCheck[] = [
  {
    ...alertOf('KEY_ROTATION_DUE', 'due', { days: KEY_DUE_AFTER_DAYS, limitDays: KEY_OVERDUE_AFTER_DAYS }),
    secrets: KEYS,
    fromDays: KEY_DUE_AFTER_DAYS,
    untilDays: KEY_OVERDUE_AFTER_DAYS,
  },
  {
    ...alertOf('KEY_ROTATION_OVERDUE', 'overdue', { days: KEY_OVERDUE_AFTER_DAYS }),
    secrets: KEYS,
    fromDays: KEY_OVERDUE_AFTER_DAYS,
    untilDays: null,
  },
  {
    ...alertOf('WEBHOOK_SECRET_OVERDUE', 'overdue', { days: WEBHOOK_SECRET_OVERDUE_AFTER_DAYS }),
    secrets: WEBHOOK_SECRETS,
    fromDays: WEBHOOK_SECRET_OVERDUE_AFTER_DAYS,
    untilDays: null,
  },
];

export interface AgeAlert {
  readonly kind: AlertKind;
  readonly objectId: string;
  readonly operationId: string;
  readonly detail: string;
}

export interface AgeChange {
  readonly raised: readonly AgeAlert[];
  readonly resolved: number;
}

/** Raises and resolves the alerts on every secret's age at this time (RFC 3339). */
export async function checkSecretAges(database: Database, at: string): Promise<AgeChange> {
  const raised: AgeAlert[] = [];
  let resolved = 0;
  for (const check of CHECKS) {
    const change = await checkAges(database, check, at);
    raised.push(...change.raised);
    resolved += change.resolved;
  }
  return { raised, resolved };
}

interface AlertRow {
  readonly what: 'raised' | 'resolved';
  readonly object_id: string;
  readonly operation_id: string;
}

/** One alert per secret and kind: a secret that had its alert, even a resolved one, gets no second. */
async function checkAges(
  database: Database,
  { kind, secrets, fromDays, untilDays, detail }: AgeCheck,
  at: string,
): Promise<AgeChange> {
  const rows = await database.$queryRaw<AlertRow[]>`
    WITH old AS (
      SELECT id, operation_id FROM (${secrets}) AS secret
      WHERE created_at <= ${at}::timestamptz - make_interval(days => ${fromDays}::int)
        AND (${untilDays}::int IS NULL OR created_at > ${at}::timestamptz - make_interval(days => ${untilDays}::int))
    ),
    resolved AS (
      UPDATE alert SET resolved_at = ${at}::timestamptz
      WHERE kind = ${kind} AND resolved_at IS NULL AND object_id NOT IN (SELECT id FROM old)
      RETURNING object_id, operation_id
    ),
    raised AS (
      INSERT INTO alert (id, operation_id, kind, object_id, detail, created_at)
      SELECT ${NEW_ALERT_ID}, operation_id, ${kind}, id, ${detail}, ${at}::timestamptz FROM old
      WHERE NOT EXISTS (SELECT FROM alert earlier WHERE earlier.kind = ${kind} AND earlier.object_id = old.id)
      ON CONFLICT DO NOTHING
      RETURNING object_id, operation_id
    )
    SELECT 'raised' AS what, object_id, operation_id FROM raised
    UNION ALL SELECT 'resolved', object_id, operation_id FROM resolved`;
  return {
    raised: rows
      .filter(({ what }) => what === 'raised')
      .map((row) => ({ kind, detail, objectId: row.object_id, operationId: row.operation_id })),
    resolved: rows.filter(({ what }) => what === 'resolved').length,
  };
}
