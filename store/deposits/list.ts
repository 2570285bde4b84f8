// The list of deposits.
import { Prisma } from '../../prisma/generated/client.js';
import { listOf, type PaymentList } from '../payments/pages.js';
import { DEPOSIT_COLUMNS, type DepositRow } from './rows.js';

export const DEPOSIT_LIST: PaymentList<DepositRow> = listOf(Prisma.sql`deposit`, DEPOSIT_COLUMNS);
