// The providers as operators see them, and the accounts of each: the slot's shared one, and operations' own.

/** What an operation's provider is called: each slot has a dialect, variables and a task queue of its own. */
export const SLOTS = ['simulator', 'a', 'b'] as const;
export type SlotName = (typeof SLOTS)[number];

/**
 * An account at a provider, by name: `a` is the one that all operations of slot `a` share, `a.acme` one that belongs to
 * a single operation, so that its money stands apart. What is stored of a payment names the account.
 */
export type AccountName = SlotName | `${SlotName}.${string}`;

/** What comes behind the dot: short, and part of a variable's name and of an address. */
const OWN_NAME = /^[a-z][a-z0-9]{0,19}$/;
export const ACCOUNT_NAME_RULE = `one of ${SLOTS.join(', ')}, or one of them with the name of an account: a.acme`;

/** The account of that name, whether it is configured or not; undefined for what cannot be one. */
export function accountNameOf(text: string): AccountName | undefined {
  const [slot, own, ...more] = text.split('.');
  if (!SLOTS.some((name) => name === slot) || more.length > 0) return undefined;
  return own === undefined || OWN_NAME.test(own) ? (text as AccountName) : undefined;
}

/** The slot of an account: what operators see, and what a dialect's callers wait in line for. */
export function slotOf(account: AccountName): SlotName {
  return account.split('.')[0] as SlotName;
}

/** Whether an account belongs to one operation. */
export function isOwnAccount(account: AccountName): boolean {
  return account.includes('.');
}

/** The names whose pause stops an account: its own, and its slot's. */
export function pausedBy(account: AccountName): readonly AccountName[] {
  return isOwnAccount(account) ? [account, slotOf(account)] : [account];
}
