// The balance of the default account, from which payouts without a `sourceAccountId` are sent.
import type { BalanceAnswer } from '../port.js';
import { unknown } from '../common/answers.js';
import { reasonOf, type WooviContext } from './context.js';
import { KNOWN } from './known-fields.js';
import { accountsAnswer } from './wire.js';

/** A payout waits for this answer, so it is given little time. */
const TIMEOUT_MS = 2_500;

export async function readBalance({ client }: WooviContext): Promise<BalanceAnswer> {
  const answer = await client.call({ method: 'GET', path: '/account/?limit=100', timeoutMs: TIMEOUT_MS });
  const listed = client.read(accountsAnswer, KNOWN.accounts, answer);
  if (listed === null) return unknown(reasonOf(answer));
  const account = listed.accounts.find(({ isDefault }) => isDefault === true);
  if (account === undefined) return unknown('no_default_account');
  const { available, blocked } = account.balance;
  return { kind: 'balance', availableMinor: available, blockedMinor: blocked ?? null };
}
