// Which operation an account at a provider belongs to. The first operation that uses one keeps it, even after it moves
// to another account, because its payments end there.
import { type AccountName, isOwnAccount } from '../../domain/provider-accounts.js';
import type { Database } from '../database.js';
import type { Transaction } from '../transactions.js';

/** The account belongs to another operation. */
export interface AccountTaken {
  readonly kind: 'account_taken';
}

/** Rolls the transaction back: the account can only be checked once the operation exists. */
export class AccountIsTaken extends Error {
  readonly refusal: AccountTaken = { kind: 'account_taken' };

  constructor() {
    super('the account belongs to another operation');
  }
}

/** Refuses another operation's account. */
export async function refusalToUse(
  transaction: Transaction,
  { account, operationId }: { readonly account: AccountName; readonly operationId: string | null },
): Promise<AccountTaken | null> {
  const owner = await transaction.accountOwner.findUnique({ where: { account } });
  return owner === null || owner.operationId === operationId ? null : { kind: 'account_taken' };
}

/** Refuses to enter money of the operation in another one's account, or in one that nobody uses yet. */
export async function refusalToHold(
  database: Pick<Database, 'accountOwner'>,
  { account, operationId }: { readonly account: AccountName; readonly operationId: string },
): Promise<AccountTaken | null> {
  if (!isOwnAccount(account)) return null;
  const owner = await database.accountOwner.findUnique({ where: { account } });
  return owner?.operationId === operationId ? null : { kind: 'account_taken' };
}

/** Assigns the account to the operation; does nothing for a shared account. Of two concurrent calls one is refused. */
export async function useAccount(
  transaction: Transaction,
  { account, operationId }: { readonly account: AccountName; readonly operationId: string },
): Promise<AccountTaken | null> {
  if (!isOwnAccount(account)) return null;
  await transaction.accountOwner.createMany({ data: [{ account, operationId }], skipDuplicates: true });
  return refusalToUse(transaction, { account, operationId });
}
