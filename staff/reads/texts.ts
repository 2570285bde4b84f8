// The values that a rule compared, and instants, as text for people.
import { formatBrl } from '../../domain/money.js';
import type { ShownExplanation } from '../../domain/rules/rule.js';

/** `amountMinor: "25000", limitMinor: "18000"` → "amount R$ 250,00, limit R$ 180,00". */
export function comparedText(compared: ShownExplanation): string {
  // The database returns members in its own order: print what was compared first, then its limit.
  return Object.entries(compared)
    .filter(([, value]) => value !== null)
    .sort(([one], [other]) => Number(one.startsWith('limit')) - Number(other.startsWith('limit')))
    .map(([name, value]) =>
      isAmountName(name)
        ? `${spaced(name.slice(0, -'Minor'.length))} ${formatBrl(BigInt(String(value)))}`
        : `${spaced(name)} ${valueText(value)}`,
    )
    .join(', ');
}

function isAmountName(name: string): boolean {
  return name.endsWith('Minor');
}

function spaced(name: string): string {
  return name
    .replace(/([A-Z]|\d+)/g, ' $1')
    .trim()
    .toLowerCase();
}

function valueText(value: string | number | boolean | null): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value);
}

/** An instant to the minute, in a time zone: "2026-11-22 14:05". */
export function localMinute(at: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  return format.format(new Date(at)).replace(', ', ' ');
}
