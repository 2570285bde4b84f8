// Closing a day of an operation by hand. The nightly day close does the same.
import { dayClosesAt, millisecondsUntilClosed } from '../../domain/reconciliation.js';
import { appendAudit } from '../../store/audit/audit.js';
import type { Database } from '../../store/database.js';
import { operationExists } from '../../store/operations/operations.js';
import { type Book, freezeDays } from '../../store/reconciliation/freeze.js';
import type { Actor } from '../../store/staff/acts.js';
import { mayNow } from '../../store/staff/people.js';

export type DayClosed =
  | { readonly kind: 'closed'; readonly daysFrozen: number }
  | { readonly kind: 'day_open'; readonly closesAt: Date }
  | { readonly kind: 'no_such_operation' | 'not_permitted' };

/** Freezes the day and every earlier one that is not frozen yet. Doing it again changes nothing. */
export async function closeDay(
  database: Database,
  person: Actor,
  { operationId, currency, date }: Book & { readonly date: string },
): Promise<DayClosed> {
  const open = { kind: 'day_open', closesAt: dayClosesAt(date) } as const;
  if (millisecondsUntilClosed(date, new Date()) > 0) return open;
  if (!(await operationExists(database, operationId))) return { kind: 'no_such_operation' };
  if (!(await mayNow(database, person, 'day.close', operationId))) return { kind: 'not_permitted' };
  for (let daysFrozen = 0; ;) {
    const outcome = await freezeDays(database, { operationId, currency }, date, new Date());
    if (outcome.kind === 'day_open') return open;
    daysFrozen += outcome.days;
    if (!outcome.caughtUp) continue;
    const detail = { date, currency, days_frozen: daysFrozen };
    await appendAudit(database, { person, action: 'day.close', operationId, subject: operationId, detail });
    return { kind: 'closed', daysFrozen };
  }
}
