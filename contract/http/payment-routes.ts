// What several routes about one payment have in common.
import { deposit } from './schemas/deposits.js';
import { withdrawal } from './schemas/withdrawals.js';

export const DEPOSIT_ID = { id: /^dep_[A-Za-z0-9]+$/ };
export const WITHDRAWAL_ID = { id: /^wdr_[A-Za-z0-9]+$/ };
export const ONE_DEPOSIT = { 200: { description: 'The deposit.', schema: deposit } };
export const ONE_WITHDRAWAL = { 200: { description: 'The withdrawal.', schema: withdrawal } };
