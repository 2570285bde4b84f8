// The refusals that the rules can give at creation, as the interface names them (422, no object).

export const DEPOSIT_REFUSALS = [
  'amount_below_minimum',
  'amount_above_maximum',
  'document_mismatch',
  'player_blocked',
  'destination_blocked',
  'velocity_exceeded',
] as const;
export type DepositRefusal = (typeof DEPOSIT_REFUSALS)[number];

export const WITHDRAWAL_REFUSALS = [
  'amount_below_minimum',
  'amount_above_maximum',
  'document_invalid',
  'document_mismatch',
  'player_blocked',
  'destination_blocked',
  'velocity_exceeded',
  'insufficient_operation_balance',
] as const;
export type WithdrawalRefusal = (typeof WITHDRAWAL_REFUSALS)[number];
