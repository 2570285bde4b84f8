// Instants and durations: moments in the reader's zone with UTC in the tooltip, and ages that update themselves.
import { useEffect, useState } from 'react';
import { usePreferences, useTexts } from '../preferences.js';
import { commonTexts } from '../texts/common.js';
import type { Language } from '../texts/language.js';
import { DAY_MS } from '../../../domain/instant.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** The time now, again every so often. */
export function useNow(everyMs = 10_000): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** "12 min", "3 h 5 min", "2 dias" */
export function useDuration(): (ms: number) => string {
  const texts = useTexts(commonTexts);
  return (ms) => {
    if (ms < MINUTE_MS) return texts.seconds(Math.max(0, Math.round(ms / 1_000)));
    if (ms < HOUR_MS) return texts.minutes(Math.floor(ms / MINUTE_MS));
    if (ms < DAY_MS) return texts.hours(Math.floor(ms / HOUR_MS), Math.floor((ms % HOUR_MS) / MINUTE_MS));
    return texts.days(Math.floor(ms / DAY_MS));
  };
}

function zoned(at: Date, timeZone: string | undefined, language: Language): string {
  return new Intl.DateTimeFormat(language, {
    dateStyle: 'short',
    timeStyle: 'medium',
    ...(timeZone === undefined ? {} : { timeZone }),
  }).format(at);
}

function zoneName(at: Date, timeZone: string | undefined, language: Language): string {
  const zone = timeZone === undefined ? {} : { timeZone };
  const parts = new Intl.DateTimeFormat(language, { timeZoneName: 'short', ...zone }).formatToParts(at);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

/**
 * An instant once, in the reader's own zone. Its tooltip has it in UTC, and in the zone of the operation's rules
 * (`zone`) if that is another one.
 */
export function Instant({ at, zone }: { readonly at: string; readonly zone?: string | undefined }) {
  const { language } = usePreferences();
  const date = new Date(at);
  const own = zoned(date, undefined, language);
  const there = zone === undefined ? own : zoned(date, zone, language);
  const elsewhere = there === own ? '' : ` · ${there} ${zoneName(date, zone, language)}`;
  return (
    <time dateTime={at} className="instant" title={`${zoned(date, 'UTC', language)} UTC${elsewhere}`}>
      {own} <span className="quiet">{zoneName(date, undefined, language)}</span>
    </time>
  );
}

/** An instant as plain text, in the reader's own zone. */
export function useInstantText(): (at: string) => string {
  const { language } = usePreferences();
  return (at) => zoned(new Date(at), undefined, language);
}

/** "há 12 min" */
export function Age({ since }: { readonly since: string }) {
  const now = useNow();
  const texts = useTexts(commonTexts);
  const duration = useDuration();
  const ms = now - Date.parse(since);
  return (
    <time dateTime={since} className="age">
      {ms < 1_000 ? texts.now : texts.ago(duration(ms))}
    </time>
  );
}
