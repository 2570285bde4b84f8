// The operation's counter of automatic payouts, kept in the transaction that decides: its cap is compared under the row's lock.
import type { AutomaticUse } from '../../domain/rules/automatic-use.js';
import { Prisma } from '../../prisma/generated/client.js';

interface Counted {
  readonly operationId: string;
  readonly currency: string;
  readonly amountMinor: string;
}

/**
 * CTE `used`: adds the amount once per row of `source`, unless that would exceed a cap (then it has no row). Periods only move
 * forward: what a slower clock decides counts in the newest one.
 */
export function automaticUseSql(
  { operationId, currency, amountMinor }: Counted,
  use: AutomaticUse | null | undefined,
  source: Prisma.Sql,
): Prisma.Sql {
  if (!use) return Prisma.empty;
  const { hour, day, perHourMinor, perDayMinor } = use;
  const inHour = Prisma.sql`CASE WHEN automatic_use.hour >= EXCLUDED.hour THEN automatic_use.hour_minor ELSE 0 END + EXCLUDED.hour_minor`;
  const inDay = Prisma.sql`CASE WHEN automatic_use.day >= EXCLUDED.day THEN automatic_use.day_minor ELSE 0 END + EXCLUDED.day_minor`;
  return Prisma.sql`used AS (
      INSERT INTO automatic_use (operation_id, currency, hour, hour_minor, day, day_minor)
      SELECT ${operationId}, ${currency}, ${hour}, ${amountMinor}::numeric, ${day}, ${amountMinor}::numeric FROM ${source}
      WHERE ${amountMinor}::numeric <= coalesce(${perHourMinor}::numeric, 'Infinity') AND ${amountMinor}::numeric <= coalesce(${perDayMinor}::numeric, 'Infinity')
      ON CONFLICT (operation_id, currency) DO UPDATE SET
        hour = greatest(automatic_use.hour, EXCLUDED.hour), hour_minor = ${inHour}, day = greatest(automatic_use.day, EXCLUDED.day), day_minor = ${inDay}
      WHERE ${inHour} <= coalesce(${perHourMinor}::numeric, 'Infinity') AND ${inDay} <= coalesce(${perDayMinor}::numeric, 'Infinity')
      RETURNING 1
    ),`;
}

/** Whether `used` has its row, or nothing is counted. */
export function automaticUseTaken(use: AutomaticUse | null | undefined): Prisma.Sql {
  return use ? Prisma.sql`EXISTS (SELECT FROM used)` : Prisma.sql`TRUE`;
}
