// Compares a provider's account with the books, at the end of an hourly sweep: open differences of its statements
// with what was booked since, and once a day the balance that the provider states.
import type { AccountName } from '../../domain/provider-accounts.js';
import { compareBalance, isBalanceDue, keepBalance } from '../../store/statements/balances.js';
import { compareStatements } from '../../store/statements/items.js';
import { lockStatements } from '../../store/statements/removals.js';
import { inLongTransaction } from '../../store/transactions.js';
import type { SweepDependencies } from './page.js';

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
