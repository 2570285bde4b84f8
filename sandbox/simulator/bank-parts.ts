// What the parts of the simulated bank share: how it answers its own interface (it did it, it has no such thing, or it
// refuses), a provider as it needs it, and who it is.
import type { SimulatedAccount } from '../../platform/config/simulator.js';
import type { CallbackFormat } from './callback-format.js';

export const ISPB = '99999999';
export const RETURN_SETTLES_AFTER_MS = 300;

export type BankAnswer<Value> =
  | { readonly kind: 'done'; readonly value: Value }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'refused'; readonly reason: string };

export const done = <Value>(value: Value): BankAnswer<Value> => ({ kind: 'done', value });
export const refused = (reason: string) => ({ kind: 'refused', reason }) as const;
export const NOT_FOUND = { kind: 'not_found' } as const;

/** A provider as the bank needs it. */
export interface CallingProvider {
  readonly format: CallbackFormat;
  readonly account: SimulatedAccount;
}
