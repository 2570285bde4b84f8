// The rules' refusals at creation, by their error codes (422, no object).

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
