// Moments as RFC 3339 writes them, read in one place: every parser of the platform accepts something else, and turns
// 30 February into 2 March.

const RFC_3339 =
  /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.(\d+))?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/i;
const MINUTE_MS = 60_000;
/** A day of 24 hours, in milliseconds. */
export const DAY_MS = 86_400_000;
/** The years that the database can store and that ISO 8601 writes with four digits. */
const [EARLIEST_MS, LATEST_MS] = [Date.parse('0001-01-01T00:00:00.000Z'), Date.parse('9999-12-31T23:59:59.999Z')];

/**
 * Reads RFC 3339 with any offset, a fraction of any length (cut to milliseconds) and either case. A leap second is the
 * second after it, as clocks count it.
 *
 * @returns `null` for anything else: a day or an hour that does not exist, no seconds, no offset, a leap second that is
 * not at the end of a month of UTC, or a year outside 0001 to 9999 of UTC
 */
export function readInstant(text: string): Date | null {
  const [, date = '', hours, minutes, seconds, fraction = '', sign, ...offset] = RFC_3339.exec(text) ?? [];
  const dayMs = dayOf(date);
  if (dayMs === null) return null;
  const offsetMinutes = sign === undefined ? 0 : Number(`${sign}1`) * (Number(offset[0]) * 60 + Number(offset[1]));
  const minuteMs = dayMs + (Number(hours) * 60 + Number(minutes) - offsetMinutes) * MINUTE_MS;
  if (seconds === '60' && !endsMonth(minuteMs + MINUTE_MS)) return null;
  const ms = minuteMs + Number(seconds) * 1_000 + Number(fraction.slice(0, 3).padEnd(3, '0'));
  return ms >= EARLIEST_MS && ms <= LATEST_MS ? new Date(ms) : null;
}

/** Whether the text is a day of the calendar, `YYYY-MM-DD`, in the years 0001 to 9999. */
export function isCalendarDay(text: string): boolean {
  const ms = dayOf(text);
  return ms !== null && ms >= EARLIEST_MS;
}

/** The day's start in UTC; `null` if the calendar has no such day. */
function dayOf(text: string): number | null {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00.000Z`) : NaN;
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text) ? ms : null;
}

function endsMonth(ms: number): boolean {
  return ms % DAY_MS === 0 && new Date(ms).getUTCDate() === 1;
}
