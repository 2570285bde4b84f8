// Formats single values for a terminal: amounts, instants, and texts without control characters.
import { formatBrl } from '../../domain/money.js';

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

/** Shown for an empty value. */
export const NONE = '–';

const INSTANT = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(\.\d+)?Z$/;
/** Control characters and changes of direction: they can make a terminal show something else than is stored. */
const STEERING = /(?!\n)[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\p{Emoji_Presentation}]/u;
const graphemes = new Intl.Segmenter();

/** Writes control characters as escapes. Line ends stay. */
export function harmless(text: string): string {
  return text.replace(STEERING, (character) => `\\u${character.codePointAt(0)?.toString(16).padStart(4, '0') ?? ''}`);
}

/** How many columns a text takes on a terminal. */
export function displayWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  return [...graphemes.segment(text)].reduce((width, { segment }) => width + (WIDE.test(segment) ? 2 : 1), 0);
}

/** The value on one line; null if it needs several lines. */
export function cell(value: Json): string | null {
  if (value === null || value === '') return NONE;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return harmless(value.replace(INSTANT, '$1 $2Z'));
  if (Array.isArray(value)) return listCell(value as readonly Json[]);
  return moneyCell(value as JsonObject);
}

function listCell(values: readonly Json[]): string | null {
  if (values.length === 0) return NONE;
  const cells = values.map((value) => (value !== null && typeof value === 'object' ? null : cell(value)));
  return cells.includes(null) ? null : cells.join(', ');
}

/** `{amount, currency}` as "R$ 250,00". */
function moneyCell(value: JsonObject): string | null {
  const { amount, currency } = value;
  if (typeof amount !== 'string' || typeof currency !== 'string' || Object.keys(value).length !== 2) return null;
  return currency === 'BRL' && /^-?\d+$/.test(amount) ? formatBrl(BigInt(amount)) : harmless(`${amount} ${currency}`);
}

/** Whether a value is a number or an amount, which are aligned to the right. */
export function isQuantity(value: Json): boolean {
  return (
    typeof value === 'number' ||
    (value !== null && typeof value === 'object' && !Array.isArray(value) && moneyCell(value as JsonObject) !== null)
  );
}
