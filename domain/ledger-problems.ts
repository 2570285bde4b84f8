// What can be wrong with the ledger.

export const LEDGER_PROBLEMS = {
  transfer_not_balanced: 'the entries of a transfer do not sum to zero',
  balance_differs: "an account's balance is not the sum of its entries",
  reservation_differs: 'what is reserved for a withdrawal is not what its state says',
  held_deposit_differs: 'what is held for a deposit is not what its state says',
  bank_movement_differs: 'a movement at the provider is not what the ledger has for it',
  suspense_differs: 'a payment in suspense is not what its movements, the ledger and its deposit say',
  cash_box_differs: 'what a payment or a cash movement put into or took out of the cash box is not what its row says',
} as const;
export type LedgerProblemKind = keyof typeof LEDGER_PROBLEMS;
