// Alerts about secrets that grow old: raised once for each secret, resolved when it is rotated.
import type { Logger } from 'pino';
import type { AlertKind } from '../../domain/alerts.js';
import {
  KEY_DUE_AFTER_DAYS,
  KEY_OVERDUE_AFTER_DAYS,
  WEBHOOK_SECRET_OVERDUE_AFTER_DAYS,
} from '../../domain/rotation.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import type { RotationActivities } from '../../activities/operation-types.js';

/** A secret whose successor is in use has an end already, and needs nobody. */
const KEYS = Prisma.sql`SELECT key_id AS id, operation_id, created_at FROM api_key WHERE revoked_at IS NULL AND expires_at IS NULL`;
const WEBHOOK_SECRETS = Prisma.sql`SELECT id, operation_id, created_at FROM webhook_secret WHERE expires_at IS NULL`;

interface AgeCheck {
  readonly kind: AlertKind;
  /** `id`, `operation_id` and `created_at` of the secrets in use. */
  readonly secrets: Prisma.Sql;
  readonly fromDays: number;
  /** From this age another alert takes over. */
  readonly untilDays: number | null;
  readonly detail: string;
}

const CHECKS: readonly AgeCheck[] = [
  {
    kind: 'KEY_ROTATION_DUE',
    secrets: KEYS,
    fromDays: KEY_DUE_AFTER_DAYS,
    untilDays: KEY_OVERDUE_AFTER_DAYS,
    detail: `the call key is ${KEY_DUE_AFTER_DAYS} days old; rotate it before it is ${KEY_OVERDUE_AFTER_DAYS}`,
  },
  {
    kind: 'KEY_ROTATION_OVERDUE',
    secrets: KEYS,
    fromDays: KEY_OVERDUE_AFTER_DAYS,
    untilDays: null,
    detail: `the call key is ${KEY_OVERDUE_AFTER_DAYS} days old and still the only one in use`,
  },
  {
    kind: 'WEBHOOK_SECRET_OVERDUE',
    secrets: WEBHOOK_SECRETS,
    fromDays: WEBHOOK_SECRET_OVERDUE_AFTER_DAYS,
    untilDays: null,
    detail: `the webhook secret is ${WEBHOOK_SECRET_OVERDUE_AFTER_DAYS} days old`,
  },
];

export function createRotationActivities(database: Database, logger: Logger): RotationActivities {
  return {
    checkSecretAges: async ({ at }) => {
      const total = { raised: 0, resolved: 0 };
      for (const check of CHECKS) {
        const { raised, resolved } = await checkAges(database, check, at);
        for (const { object_id: objectId, operation_id: operationId } of raised)
          logger.warn({ alert: check.kind, objectId, operationId }, check.detail);
        total.raised += raised.length;
        total.resolved += resolved;
      }
      return total;
    },
  };
}

/** One statement: resolves what has passed and raises what is new. A secret that had its alert, even a resolved one, gets no second. */
async function checkAges(database: Database, { kind, secrets, fromDays, untilDays, detail }: AgeCheck, at: string) {
  const rows = await database.$queryRaw<{ what: 'raised' | 'resolved'; object_id: string; operation_id: string }[]>`
    WITH old AS (
      SELECT id, operation_id FROM (${secrets}) AS secret
      WHERE created_at <= ${at}::timestamptz - make_interval(days => ${fromDays}::int)
        AND (${untilDays}::int IS NULL OR created_at > ${at}::timestamptz - make_interval(days => ${untilDays}::int))
    ), resolved AS (
      UPDATE alert SET resolved_at = ${at}::timestamptz
      WHERE kind = ${kind} AND resolved_at IS NULL AND object_id NOT IN (SELECT id FROM old)
      RETURNING object_id, operation_id
    ), raised AS (
      INSERT INTO alert (id, operation_id, kind, object_id, detail, created_at)
      SELECT 'alr_' || replace(gen_random_uuid()::text, '-', ''), operation_id, ${kind}, id, ${detail}, ${at}::timestamptz FROM old
      WHERE NOT EXISTS (SELECT FROM alert earlier WHERE earlier.kind = ${kind} AND earlier.object_id = old.id)
      ON CONFLICT DO NOTHING
      RETURNING object_id, operation_id
    )
    SELECT 'raised' AS what, object_id, operation_id FROM raised UNION ALL SELECT 'resolved', object_id, operation_id FROM resolved`;
  return {
    raised: rows.filter(({ what }) => what === 'raised'),
    resolved: rows.filter(({ what }) => what === 'resolved').length,
  };
}
