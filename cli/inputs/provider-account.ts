// The account at a provider that a command names: a slot's, or an operation's own.
import { ACCOUNT_NAME_RULE, type AccountName, accountNameOf, slotOf } from '../../domain/provider-accounts.js';
import { badInput } from '../problem.js';

/** For the help of every command that takes one. */
export const ACCOUNT_HELP = "simulator, a or b, or an operation's own account there: a.acme";

/** Completes what the refusal names. */
export const ACCOUNT_TAKEN = "the account is another operation's, and its money must stay apart";

/** @throws CommandProblem for anything else, about `field` */
export function readAccount(field: string, text: string): AccountName {
  const account = accountNameOf(text);
  if (account === undefined) throw badInput(field, `must be ${ACCOUNT_NAME_RULE}`);
  return account;
}

/** @throws CommandProblem for the simulator in production, about `field` */
export function refuseSimulator(field: string, account: AccountName, environment: string): void {
  if (environment === 'production' && slotOf(account) === 'simulator')
    throw badInput(field, 'must not be the simulator in production: it moves no money');
}
