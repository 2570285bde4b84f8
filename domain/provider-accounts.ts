// The providers as operators see them, and the accounts of each: the slot's shared one, and operations' own.

/** The names of operations' providers. Each slot has its own dialect, variables and task queue. */
export const SLOTS = ['simulator', 'a', 'b'] as const;
export type SlotName = (typeof SLOTS)[number];

/**
 * An account at a provider, by name: `a` is the one that all operations of slot `a` share, `a.acme` one that belongs to
 * a single operation, so that its money is kept apart. Stored payments name their account.
 */
export type AccountName = SlotName | `${SlotName}.${string}`;

/** The part after the dot: short, because it is part of a variable's name and of an address. */
const OWN_NAME = /^[a-z][a-z0-9]{0,19}$/;
export const ACCOUNT_NAME_RULE = `one of ${SLOTS.join(', ')}, or one of them with the name of an account: a.acme`;

/** The account of that name, configured or not; `undefined` if the text cannot be an account's name. */
export function accountNameOf(text: string): AccountName | undefined {
  const [slot, own, ...more] = text.split('.');
  if (!SLOTS.some((name) => name === slot) || more.length > 0) return undefined;
  return own === undefined || OWN_NAME.test(own) ? (text as AccountName) : undefined;
}

/** The slot of an account: the name that operators see, and that limits of concurrent calls apply to. */
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
