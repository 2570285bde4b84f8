// The list of deposits.
import { Prisma } from '../../../prisma/generated/client.js';
import { listOf, type PaymentList } from '../pages.js';
import { DEPOSIT_COLUMNS, type DepositColumns } from './find.js';

export const DEPOSIT_LIST: PaymentList<DepositColumns> = listOf(Prisma.sql`deposit`, DEPOSIT_COLUMNS);
