// The accounts at providers that an environment configures, and the names of their variables: `PROVIDER_A_…` of a
// slot's shared account, `PROVIDER_A_ACCOUNT_ACME_…` of the account `a.acme`.
import type { z } from 'zod';
import {
  ACCOUNT_NAME_RULE,
  type AccountName,
  accountNameOf,
  isOwnAccount,
  SLOTS,
  type SlotName,
  slotOf,
} from '../../domain/provider-accounts.js';
import { accountVariable, DEFAULT_DIALECTS, DIALECT_NAMES, type DialectName } from '../../providers/settings.js';

/** An environment as the schemas read it. */
export type Values = Readonly<Record<string, string | undefined>>;

/** The part of a variable's name that identifies an operation's own account. */
const OWN = /^PROVIDER_([A-Z]+)_ACCOUNT_([A-Z0-9]+)_/;

/** The slots, and the operations' own accounts with at least one variable set. */
export function accountsIn(values: Values, context: z.RefinementCtx): readonly AccountName[] {
  const own = Object.keys(values).flatMap((variable) => {
    const [, slot, name] = OWN.exec(variable) ?? [];
    if (slot === undefined) return [];
    const account = accountNameOf(`${slot}.${name}`.toLowerCase());
    if (account === undefined)
      context.addIssue({
        code: 'custom',
        path: [variable],
        message: `is of no account, which is ${ACCOUNT_NAME_RULE}`,
      });
    return account ?? [];
  });
  return [...SLOTS, ...new Set(own)];
}

/** The variables of each slot's shared account; those of own accounts have no fixed names. */
export function slotVariables<Reader>(fields: readonly string[], reader: Reader) {
  return Object.fromEntries(
    SLOTS.flatMap((slot) => fields.map((field) => [accountVariable(slot, field), reader])),
  ) as Record<string, Reader>;
}

/** Says what is wrong with an account's variable. */
export type Fault = (field: string, message: string) => void;

export function faultOf(account: AccountName, context: z.RefinementCtx): Fault {
  return (field, message) => context.addIssue({ code: 'custom', path: [accountVariable(account, field)], message });
}

/** The account's dialect; that of its slot if it names none. An unknown name is reported to `fault`. */
export function dialectOf(values: Values, account: AccountName, fault?: Fault): DialectName {
  const slot: SlotName = slotOf(account);
  const given = values[accountVariable(account, 'DIALECT')];
  const known = DIALECT_NAMES.find((name) => name === given);
  if (given !== undefined && known === undefined) fault?.('DIALECT', `must be one of ${DIALECT_NAMES.join(', ')}`);
  if (known !== undefined) return known;
  return isOwnAccount(account) ? dialectOf(values, slot) : DEFAULT_DIALECTS[slot];
}
