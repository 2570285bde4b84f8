// Days given on the command line.
import { badInput } from '../../problem.js';

/** A UTC day as YYYY-MM-DD that exists in the calendar. */
export function readDay(field: string, text: string): string {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00.000Z`) : null;
  if (day === null || Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== text)
    throw badInput(field, 'must be a day YYYY-MM-DD (UTC)');
  return text;
}
