// Money that moves into or out of an operation's accounts and is no payment: one row per kind. A person requests a
// movement and names a document; in production another person approves it.
import { LEDGER_MOVEMENTS, type LedgerAccount, type LedgerMovement } from './ledger.js';
import type { AccountName } from './provider-accounts.js';

interface CashMovementRule {
  /** What moves in the ledger. */
  readonly moves: LedgerMovement;
  /**
   * Whether the paying account must cover it. A correction records money that has moved already, so it may take the
   * cash box below zero; then withdrawals wait.
   */
  readonly mustBeCovered: boolean;
}

export const CASH_MOVEMENTS = {
  funding: { moves: 'cash_box_funded', mustBeCovered: false },
  settlement: { moves: 'cash_box_settled', mustBeCovered: true },
  // From one account at a provider to another: the only kind of two halves.
  moved: { moves: 'cash_box_moved_out', mustBeCovered: true },
  suspense_returned: { moves: 'suspense_reversed', mustBeCovered: true },
  suspense_credited: { moves: 'suspense_credited', mustBeCovered: true },
  suspense_assigned: { moves: 'suspense_assigned', mustBeCovered: true },
  correction_up: { moves: 'cash_box_corrected_up', mustBeCovered: false },
  correction_down: { moves: 'cash_box_corrected_down', mustBeCovered: false },
} as const satisfies Readonly<Record<string, CashMovementRule>>;

export type CashMovementKind = keyof typeof CASH_MOVEMENTS;
export const CASH_MOVEMENT_KINDS = Object.keys(CASH_MOVEMENTS) as readonly CashMovementKind[];

/** Whether it is an exit of an item in suspense: its document is the payment's end-to-end id. */
export function isOfItem(kind: CashMovementKind): boolean {
  return accountsOf(kind).from === 'suspense';
}

/** The account that the money leaves, and the account that receives it. */
export function accountsOf(kind: CashMovementKind): { readonly from: LedgerAccount; readonly to: LedgerAccount } {
  return kind === 'moved' ? { from: 'available', to: 'available' } : LEDGER_MOVEMENTS[CASH_MOVEMENTS[kind].moves];
}

/** Where the money lies that moves, and where it goes: `to` for `moved` alone. */
export interface CashPlaces {
  readonly provider: AccountName;
  readonly to: AccountName | null;
}

/** The halves of a movement in the ledger, each at its account at a provider. */
export function halvesOf(
  kind: CashMovementKind,
  { provider, to }: CashPlaces,
): readonly { readonly movement: LedgerMovement; readonly provider: AccountName }[] {
  const first = { movement: CASH_MOVEMENTS[kind].moves, provider };
  return to === null ? [first] : [first, { movement: 'cash_box_moved_in', provider: to }];
}

/** Whether the movement may be made while the paying account has this balance. */
export function isCovered(kind: CashMovementKind, amountMinor: bigint, balanceMinor: bigint): boolean {
  return !CASH_MOVEMENTS[kind].mustBeCovered || balanceMinor >= amountMinor;
}
