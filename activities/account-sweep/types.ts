// The step of the sweep of an account, and what it answers.
import type { AccountSweepInput, SweepFound, SweptSpan } from '../../contract/temporal/account-sweep.js';

/** What arrived on an account, and which of it is disputed. An inconclusive answer is a retryable failure. */
export interface SweepActivities {
  /**
   * Reads one page and notifies the deposits that missed an entry of it. `span` and `cursor` are `null` for a sweep's
   * first page; after its last the mark moves. Repeating it is harmless.
   */
  sweepPage(
    input: Pick<AccountSweepInput, 'provider' | 'part'> & {
      readonly at: string;
      readonly span: SweptSpan | null;
      readonly cursor: string | null;
    },
  ): Promise<SweptPage>;
}

export type SweptPage =
  | {
      readonly kind: 'page';
      readonly span: SweptSpan;
      /** `null` after the last page. */
      readonly next: string | null;
      readonly found: SweepFound;
    }
  | { readonly kind: 'refused'; readonly reason: string };
