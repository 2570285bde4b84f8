// The list of withdrawals.
import { Prisma } from '../../../prisma/generated/client.js';
import { listOf, type PaymentList } from '../pages.js';
import { WITHDRAWAL_COLUMNS, type WithdrawalColumns } from './find.js';

export const WITHDRAWAL_LIST: PaymentList<WithdrawalColumns> = listOf(Prisma.sql`withdrawal`, WITHDRAWAL_COLUMNS);
