// The parts of a CASE that returns why something is refused.
import type { PermissionRefusal } from '../../domain/permissions.js';
import { Prisma } from '../../prisma/generated/client.js';

/** Of a request to a provider, or of a row that would permit one. */
type Refusal = PermissionRefusal | 'order_refused';

/** `null` if no condition holds. The first one that holds is the answer. */
export function refusalSql(...whens: readonly (readonly [Refusal, Prisma.Sql])[]): Prisma.Sql {
  const lines = whens.map(([refusal, condition]) => Prisma.sql`WHEN ${condition} THEN ${refusal}`);
  return Prisma.sql`CASE ${Prisma.join(lines, '\n          ')} END`;
}
