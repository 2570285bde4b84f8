// Lists are bounded. A truncated list says so, so that it is not mistaken for the whole.
import type { CommandContext } from './context.js';

/** Cuts rows to `limit`. Read one row more than the limit, so that `more` shows whether there are others. */
export function cut<Row>(rows: readonly Row[], limit: number): { readonly rows: Row[]; readonly more: boolean } {
  return { rows: rows.slice(0, limit), more: rows.length > limit };
}

/** Cuts rows to `limit` and says so on standard error, for answers without a `more` of their own. */
export function listed<Row>(context: CommandContext, what: string, rows: readonly Row[], limit: number): Row[] {
  const { rows: shown, more } = cut(rows, limit);
  if (more) sayMore(context, what, limit);
  return shown;
}

/** Prints "there are more than 200 keys; --limit lists more" to standard error. */
export function sayMore(context: CommandContext, what: string, limit: number): void {
  context.explain(`gateway: there are more than ${limit} ${what}; --limit lists more`);
}
