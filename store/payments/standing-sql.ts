// The states that count as SQL conditions on a payment's `status`. Literals instead of parameters: the lists are fixed,
// and Postgres can match them with partial indexes.
import { DEPOSIT_STANDINGS, type Standing, statusesOf, WITHDRAWAL_STANDINGS } from '../../domain/standings.js';
import { Prisma } from '../../prisma/generated/client.js';

/** A condition: `status` is one whose amount counts. */
export const DEPOSIT_COUNTS = statusSql('NOT IN', DEPOSIT_STANDINGS, 'void');
export const WITHDRAWAL_COUNTS = statusSql('NOT IN', WITHDRAWAL_STANDINGS, 'void');

/** A condition: `status` is one in which the money has moved finally. */
export const DEPOSIT_SETTLED = statusSql('IN', DEPOSIT_STANDINGS, 'settled');
export const WITHDRAWAL_SETTLED = statusSql('IN', WITHDRAWAL_STANDINGS, 'settled');

/** `status` is one in which the withdrawal's amount is reserved. */
export const WITHDRAWAL_OPEN = statusSql('IN', WITHDRAWAL_STANDINGS, 'open');

function statusSql<Status extends string>(
  operator: 'IN' | 'NOT IN',
  table: Readonly<Record<Status, Standing>>,
  standing: Standing,
): Prisma.Sql {
  const literals = statusesOf(table, standing).map((status) => `'${status}'`);
  return Prisma.raw(`status ${operator} (${literals.join(', ')})`);
}
