// The list of withdrawals.
import { Prisma } from '../../prisma/generated/client.js';
import { listOf, type PaymentList } from '../payments/pages.js';
import { WITHDRAWAL_COLUMNS, type WithdrawalRow } from './rows.js';

export const WITHDRAWAL_LIST: PaymentList<WithdrawalRow> = listOf(Prisma.sql`withdrawal`, WITHDRAWAL_COLUMNS);
