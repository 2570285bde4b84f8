// What a person blocks together with a refusal or a return, and for how long.
import type { Asking } from '../../../../contract/panel/routes.js';

export type BlockKind = NonNullable<Asking<'decideCase'>['body']['block']>[number];

export interface Block {
  readonly kinds: readonly BlockKind[];
  /** Null: until somebody removes it. */
  readonly days: number | null;
}

export const NO_BLOCK: Block = { kinds: [], days: null };

/** Its part of the decision's request. */
export function bodyOf({ kinds, days }: Block) {
  if (kinds.length === 0) return {};
  return { block: [...kinds], ...(days === null ? {} : { block_days: days }) };
}
