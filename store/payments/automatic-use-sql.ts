// The operation's counter of automatic payouts, kept in the statement that decides: its caps are compared under the
// row's lock.
import type { AutomaticUse } from '../../domain/rules/automatic-use.js';
import { Prisma } from '../../prisma/generated/client.js';

interface AutomaticAmount {
  readonly operationId: string;
  readonly currency: string;
  readonly amountMinor: string;
}

/**
 * CTE `used`: adds the amount once per row of `source`; no row if that would exceed a cap. Periods only move forward: a
 * decision with a slower clock counts in the newest period.
 */
export function automaticUseSql(
  { operationId, currency, amountMinor }: AutomaticAmount,
  use: AutomaticUse | null | undefined,
  source: Prisma.Sql,
): Prisma.Sql {
  if (!use) return Prisma.empty;
  const { hour, day } = use;
  const amount = Prisma.sql`${amountMinor}::numeric`;
  const perHour = capSql(use.perHourMinor);
  const perDay = capSql(use.perDayMinor);
  const inHour = sumSql('hour');
  const inDay = sumSql('day');
  return Prisma.sql`
    used AS (
      INSERT INTO automatic_use (operation_id, currency, hour, hour_minor, day, day_minor)
      SELECT ${operationId}, ${currency}, ${hour}, ${amount}, ${day}, ${amount}
      FROM ${source} WHERE ${amount} <= ${perHour} AND ${amount} <= ${perDay}
      ON CONFLICT (operation_id, currency) DO UPDATE SET
        hour = greatest(automatic_use.hour, EXCLUDED.hour), hour_minor = ${inHour},
        day = greatest(automatic_use.day, EXCLUDED.day), day_minor = ${inDay}
      WHERE ${inHour} <= ${perHour} AND ${inDay} <= ${perDay}
      RETURNING 1
    ),`;
}

function capSql(minor: string | null): Prisma.Sql {
  return Prisma.sql`coalesce(${minor}::numeric, 'Infinity')`;
}

/** What the period's counter becomes: a new period starts from zero. */
function sumSql(period: 'hour' | 'day'): Prisma.Sql {
  const [at, minor] = [Prisma.raw(period), Prisma.raw(`${period}_minor`)];
  return Prisma.sql`
        CASE WHEN automatic_use.${at} >= EXCLUDED.${at} THEN automatic_use.${minor} ELSE 0 END + EXCLUDED.${minor}`;
}

/** Whether `used` has its row, or nothing is counted. */
export function automaticUseTaken(use: AutomaticUse | null | undefined): Prisma.Sql {
  return use ? Prisma.sql`EXISTS (SELECT FROM used)` : Prisma.sql`TRUE`;
}
