// The activity that reads one page of any list of a provider's account. At the end of an hourly sweep the account is
// compared with the books: open differences of its statements with what was booked since, and once a day the balance
// that the provider states.
import type { AccountSweepInput, SweepFound } from '../../contract/temporal/scheduled-work.js';
import type { AccountName } from '../../domain/provider-accounts.js';
import type { SweptPart } from '../../domain/receipts.js';
import { keepPlace, placeOf, sweptAt } from '../../store/account-sweep/marks.js';
import { compareBalance, isBalanceDue, keepBalance } from '../../store/statements/balances.js';
import { compareStatements } from '../../store/statements/items.js';
import { lockStatements } from '../../store/statements/removals.js';
import { inLongTransaction } from '../../store/transactions.js';
import { sweepDisputes } from './disputes.js';
import type { PageToSweep, ReadPage, SweepDependencies } from './page.js';
import { sweepPayouts } from './payouts.js';
import { sweepReceived } from './received.js';

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

export function createSweepActivities(dependencies: SweepDependencies): SweepActivities {
  const { database, providers } = dependencies;
  return {
    async sweepPage({ provider, part, at, begins }) {
      // The schedule of a list that the account had with another dialect stays until it is deleted.
      if (!providers(provider).lists.includes(part)) return { kind: 'refused', reason: 'not_listed' };
      const sweep = { provider, part, at };
      const place = await placeOf(database, sweep, begins);
      const page = await readPage(dependencies, part, { provider, at, ...place });
      const isOver = page.kind === 'refused' || page.next === null;
      // Before the mark moves: a comparison that fails is seen by it, and holds up no payment.
      if (part === 'returns' && isOver)
        await compareAccount(dependencies, { provider, at, last: await sweptAt(database, sweep) });
      if (page.kind === 'refused') return page;
      const { next, found } = page;
      await keepPlace(database, sweep, { span: place.span, cursor: next });
      return { kind: 'page', through: next === null ? place.span.to : null, found };
    },
  };
}

async function readPage(dependencies: SweepDependencies, part: SweptPart, page: PageToSweep): Promise<ReadPage> {
  switch (part) {
    case 'payments':
    case 'returns':
      return sweepReceived(dependencies, { ...page, part });
    case 'payouts':
    case 'payout_returns':
      return sweepPayouts(dependencies, { ...page, part });
    case 'disputes':
      return sweepDisputes(dependencies, page);
  }
}

/** Sums of an account with millions of movements take seconds. */
const LIMIT_MS = 60_000;
/** What was stored while the comparison before was made. */
const OVERLAP_MS = 3_600_000;

/** `last`: when the account was compared before; `null` if it never was. */
export async function compareAccount(
  { database, providers }: Pick<SweepDependencies, 'database' | 'providers'>,
  { provider, at, last }: { readonly provider: AccountName; readonly at: string; readonly last: Date | null },
): Promise<void> {
  const since = new Date((last?.getTime() ?? Date.parse(at)) - OVERLAP_MS).toISOString();
  await inLongTransaction(database, LIMIT_MS, async (transaction) => {
    await lockStatements(transaction, { provider });
    await compareStatements(transaction, provider, { since }, 'gateway');
    await compareBalance(transaction, provider, at);
  });
  if (!(await isBalanceDue(database, provider, at))) return;
  const answer = await providers(provider).readBalance();
  if (answer.kind !== 'balance') return;
  const statedMinor = answer.availableMinor + (answer.blockedMinor ?? 0n);
  await keepBalance(database, { provider, at, statedMinor });
}
