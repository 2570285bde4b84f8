// The states that count as SQL conditions on a payment's `status`. Literals instead of parameters: the lists are fixed,
// and Postgres can match them with partial indexes.
import {
  DEPOSIT_PHASES,
  type PaymentPhase,
  statusesOf,
  WITHDRAWAL_PHASES,
} from '../../domain/payments/payment-phases.js';
import { Prisma } from '../../prisma/generated/client.js';

/** A condition: `status` is one whose amount counts. */
export const WITHDRAWAL_COUNTS = statusSql('NOT IN', WITHDRAWAL_PHASES, 'void');

/** A condition: `status` is one in which the money has moved finally. */
export const DEPOSIT_SETTLED = statusSql('IN', DEPOSIT_PHASES, 'settled');

/** `status` is one in which the withdrawal's amount is reserved. */
export const WITHDRAWAL_OPEN = statusSql('IN', WITHDRAWAL_PHASES, 'open');

function statusSql<Status extends string>(
  operator: 'IN' | 'NOT IN',
  table: Readonly<Record<Status, PaymentPhase>>,
  phase: PaymentPhase,
): Prisma.Sql {
  const literals = statusesOf(table, phase).map((status) => `'${status}'`);
  return Prisma.raw(`status ${operator} (${literals.join(', ')})`);
}
