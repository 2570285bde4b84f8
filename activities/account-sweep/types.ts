// The step of the sweep of an account, and what it answers.
import type { AccountSweepInput, SweepFound } from '../../contract/temporal/scheduled-work.js';

/** What arrived on an account, and which of it is disputed. An inconclusive answer is a retryable failure. */
export interface SweepActivities {
  /**
   * Reads the next page and notifies the deposits that missed an entry of it. The page's position is stored and not
   * part of the input, because anyone who reaches Temporal could skip pages. `begins`: the sweep's first page, from the
   * mark on. After the last page the mark moves. Repeating it is harmless.
   */
  sweepPage(
    input: Pick<AccountSweepInput, 'provider' | 'part'> & { readonly at: string; readonly begins: boolean },
  ): Promise<SweptPage>;
}

export type SweptPage =
  | {
      readonly kind: 'page';
      /** How far the list was read; null while there are more pages. */
      readonly through: string | null;
      readonly found: SweepFound;
    }
  | { readonly kind: 'refused'; readonly reason: string };
