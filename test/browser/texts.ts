// The page's own texts in English, so that a test names what it looks for by its place in their tables: texts are
// changed more often than what they stand for.
import { readTables } from '../support/panel-texts.js';

/** `caseTexts.confirm` with its arguments. Throws for a place that no table has. */
export type Say = (place: string, ...given: readonly unknown[]) => string;

export async function readTexts(): Promise<Say> {
  const tables = await readTables();
  return (place, ...given) => {
    const text = textAt(tables, place.replace('.', '.en.'));
    if (typeof text === 'string') return text;
    if (typeof text === 'function') return String((text as (...more: readonly unknown[]) => unknown)(...given));
    throw new Error(`the page has no text at ${place}`);
  };
}

/** A name may have dots itself: `caseTexts.fields.player.name`. */
function textAt(found: unknown, place: string): unknown {
  if (typeof found !== 'object' || found === null) return undefined;
  const fields = found as Readonly<Record<string, unknown>>;
  if (place in fields) return fields[place];
  const [, name = '', rest = ''] = /^([^.]+)\.(.+)$/.exec(place) ?? [];
  return textAt(fields[name], rest);
}
