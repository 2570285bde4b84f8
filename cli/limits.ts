// Lists are bounded, and one that was cut says so: whoever reads it must not take it for the whole.
import type { CommandContext } from './context.js';

/** Of rows that were read with room for one more than `limit`: those that are listed, and whether there are more. */
export function cut<Row>(rows: readonly Row[], limit: number): { readonly rows: Row[]; readonly more: boolean } {
  return { rows: rows.slice(0, limit), more: rows.length > limit };
}

/** The same for one list of an answer that has no room to say it: standard error does. */
export function listed<Row>(context: CommandContext, what: string, rows: readonly Row[], limit: number): Row[] {
  const { rows: shown, more } = cut(rows, limit);
  if (more) sayMore(context, what, limit);
  return shown;
}

/** "there are more than 200 keys; --limit lists more". */
export function sayMore(context: CommandContext, what: string, limit: number): void {
  context.explain(`gateway: there are more than ${limit} ${what}; --limit lists more`);
}
