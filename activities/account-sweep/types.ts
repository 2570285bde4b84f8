// The step of the sweep of an account, and what it answers.
import type { AccountSweepInput, SweepFound } from '../../contract/temporal/account-sweep.js';

/** What arrived on an account and what is disputed of it. An inconclusive answer is a retryable failure. */
export interface SweepActivities {
  /**
   * Reads the next page and tells the deposits that missed something of it. Which page that is is stored, and not in
   * the input: whoever reaches Temporal could leave pages out. `begins`: a sweep's first page, from the mark on. After
   * the last one the mark moves. Repeating it tells nobody anything new.
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
