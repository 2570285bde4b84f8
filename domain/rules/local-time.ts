// Local days and hours of a time zone, for daily limits and automatic hours. Correct across DST changes.

const MINUTES_PER_DAY = 1_440;
const MINUTE_MS = 60_000;
// Any window is open for at least one minute in two days, DST changes included.
const SEARCH_LIMIT_MINUTES = 2 * MINUTES_PER_DAY + 180;

/** Local opening hours `HH:MM`, `to` exclusive. `from` later than `to` means overnight. */
export interface LocalHours {
  readonly from: string;
  readonly to: string;
}

/** Whether the runtime knows the IANA time zone. Fixed offsets are not time zones. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    formatterOf(name);
    return true;
  } catch {
    return false;
  }
}

/** The calendar day `YYYY-MM-DD` of an instant in a zone. */
export function localDate(instant: Date, zone: string): string {
  return localParts(instant, zone).date;
}

/** Whether the instant is within the local hours. */
export function isWithinHours(instant: Date, zone: string, hours: LocalHours): boolean {
  return isOpenAt(localParts(instant, zone).minuteOfDay, hours);
}

/** The first instant at or after `at` within the local hours, to the minute; `at` itself if it is. */
export function nextOpening(at: Date, zone: string, hours: LocalHours): Date {
  const { minuteOfDay } = localParts(at, zone);
  if (isOpenAt(minuteOfDay, hours)) return at;
  const minutesAhead = (minuteOf(hours.from) - minuteOfDay + MINUTES_PER_DAY) % MINUTES_PER_DAY;
  const thisMinute = Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS;
  const expected = new Date(thisMinute + minutesAhead * MINUTE_MS);
  // The usual case: no DST change before the window opens.
  if (localParts(expected, zone).minuteOfDay === minuteOf(hours.from)) return expected;
  return searchOpening(thisMinute, zone, hours);
}

/** Searches minute by minute across a DST change, so that skipped and repeated hours need no special case. */
function searchOpening(startMs: number, zone: string, hours: LocalHours): Date {
  for (let step = 1; step <= SEARCH_LIMIT_MINUTES; step += 1) {
    const candidate = new Date(startMs + step * MINUTE_MS);
    if (isWithinHours(candidate, zone, hours)) return candidate;
  }
  throw new RangeError('the hours never open in this time zone');
}

function isOpenAt(minuteOfDay: number, hours: LocalHours): boolean {
  const from = minuteOf(hours.from);
  const to = minuteOf(hours.to);
  return from < to ? minuteOfDay >= from && minuteOfDay < to : minuteOfDay >= from || minuteOfDay < to;
}

function minuteOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
}

function localParts(instant: Date, zone: string): { date: string; minuteOfDay: number } {
  // en-CA with a 23-hour cycle writes `2026-11-21, 07:24`.
  const text = formatterOf(zone).format(instant);
  const [date = '', time = ''] = text.split(', ');
  return { date, minuteOfDay: minuteOf(time) };
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(zone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(zone);
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    });
    formatters.set(zone, formatter);
  }
  return formatter;
}
