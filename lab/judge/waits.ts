// What waits, for whom, and how long it may. Once the world is healthy, everything moves within its bound, or an alert
// that names the payment tells of the very wait.
import { short } from '../world/story.js';
import { type AlertRow, alertsOf, type Evidence, type Finding, type Row } from './evidence.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** After `expires_at`, a charge is closed in two minutes; the check runs every half minute. */
export const GRACE_MS = 2 * MINUTE_MS;

const OPEN: Readonly<Record<Row['kind'], readonly string[]>> = {
  deposit: ['created', 'pending', 'under_review'],
  withdrawal: ['requested', 'under_review', 'approved', 'processing'],
};

/** The alerts that tell people what an open payment waits for. Any other alert about it excuses nothing. */
const TELLS_OF_WAIT: Readonly<Record<string, readonly string[]>> = {
  'deposit created': ['CHARGE_UNANSWERED'],
  'deposit under_review': ['RETURN_REFUSED', 'RETURN_UNFINISHED'],
  'withdrawal approved': ['PAYOUT_OUTCOME_UNKNOWN', 'CASH_BOX_SHORT'],
  'withdrawal processing': ['PAYOUT_PROCESSING'],
};

/** Whether people know what the payment waits for. */
export function isTold({ id, kind, status }: Row, alerts: readonly AlertRow[]): boolean {
  const kinds = TELLS_OF_WAIT[`${kind} ${status}`] ?? [];
  return alerts.some((alert) => alert.object_id === id && kinds.includes(alert.kind));
}

export const isOpen = ({ kind, status }: Row): boolean => OPEN[kind].includes(status);

/** The product's own bounds are minutes. The lab sweeps and checks once an hour, and a lost run waits for the check. */
const BOUND_MS = 3 * HOUR_MS;

/** Until when a healthy world moves the payment on; `null`: its state waits for people or for the bank. */
function dueMs({ kind, status, changed_ms: changedMs, expires_ms: expiresMs }: Row, healedMs: number): number | null {
  switch (`${kind} ${status}`) {
    case 'deposit created':
    case 'withdrawal requested':
    case 'withdrawal approved':
      return Math.max(healedMs, changedMs) + BOUND_MS;
    case 'deposit pending':
      return Math.max(healedMs, (expiresMs ?? 0) + GRACE_MS) + BOUND_MS;
    default:
      return null;
  }
}

/** Findings about what should have moved by now. */
export async function waitsTooLong(evidence: Evidence, rows: readonly Row[]): Promise<Finding[]> {
  const { healedMs, nowMs, illSlot, database } = evidence;
  if (healedMs === null) return [];
  const returns = await returnsTooLong(evidence, healedMs);
  const late = rows.filter((row) => {
    if (!isOpen(row) || row.provider === illSlot) return false;
    const due = dueMs(row, healedMs);
    return due !== null && nowMs > due;
  });
  if (late.length === 0) return returns;
  const alerts = await alertsOf(database);
  const payments = late
    .filter((row) => !isTold(row, alerts))
    .map(({ id, kind, status, changed_ms: changedMs }) => ({
      rule: 'in a healthy world everything moves within its bound',
      detail: `${kind} ${short(id)} is ${status} for ${Math.round((nowMs - changedMs) / MINUTE_MS)} minutes`,
    }));
  return [...returns, ...payments];
}

/** Returns that people ordered and that neither ended nor are told of, whatever state their deposits are in. */
async function returnsTooLong({ database, nowMs, illSlot }: Evidence, healedMs: number): Promise<Finding[]> {
  if (nowMs < healedMs + BOUND_MS) return [];
  const late = await database.query<{ id: string; status: string }>(
    `SELECT id, status FROM deposit
     WHERE return_request IS NOT NULL AND provider IS DISTINCT FROM $1
       AND (return_request->>'at')::timestamptz < to_timestamp($2::float8 / 1000)
       AND NOT EXISTS (SELECT FROM alert WHERE object_id = deposit.id AND resolved_at IS NULL
         AND kind = 'RETURN_UNFINISHED')`,
    [illSlot, nowMs - BOUND_MS],
  );
  return late.map(({ id, status }) => ({
    rule: 'in a healthy world a return that people ordered ends, or they are told',
    detail: `deposit ${short(id)}, ${status}`,
  }));
}
