// Query parameters of lists. Every value arrives as a string.
import { z } from 'zod';
import { externalId, externalRef, timestamp } from './text.js';

const PAGE_LIMIT_DEFAULT = 50;
export const PAGE_LIMIT_MAX = 200;

/** 1 to 200, default 50. A value that is no integer is `format`, one outside is `range`. */
export const limit = z
  .string()
  .regex(/^-?[0-9]+$/, `must be a whole number from 1 to ${PAGE_LIMIT_MAX}, for example ${PAGE_LIMIT_DEFAULT}`)
  // Clamps long digit strings to a number just outside the range.
  .transform((text) => Math.max(0, Math.min(PAGE_LIMIT_MAX + 1, Number(text))))
  .pipe(z.number().min(1).max(PAGE_LIMIT_MAX))
  .default(PAGE_LIMIT_DEFAULT)
  .meta({ override: { type: 'integer', minimum: 1, maximum: PAGE_LIMIT_MAX, default: PAGE_LIMIT_DEFAULT } });

/** The message for an invalid cursor. Cursors are opaque, so it shows no example. */
export const CURSOR_FORMAT =
  'must be the next_cursor of a page of this list, unchanged, such as the one of the page before';

export const cursor = z.string().meta({ description: '`next_cursor` of the previous page; opaque.' });

/** Filters that deposits and withdrawals share. */
export const paymentFilters = {
  external_id: externalId.optional(),
  player_ref: externalRef.optional(),
  updated_since: timestamp
    .meta({
      description:
        'Objects with `updated_at` at or after this time. `updated_at` grows in the order in which changes can be ' +
        'seen: continue with the largest value of the first page of the last poll, and none is missed.',
    })
    .optional(),
  cursor: cursor.optional(),
  limit,
};

/** `{data, next_cursor}`. */
export function pageOf<Item extends z.ZodType>(item: Item, id: string) {
  return z
    .object({ data: z.array(item), next_cursor: z.string().nullable().meta({ description: 'Null on the last page.' }) })
    .meta({ id });
}
