// The parts of a CASE that returns why a request to a provider is refused.
import type { PermissionRefusal } from '../../domain/permissions.js';
import { Prisma } from '../../prisma/generated/client.js';

/** `null` if no condition holds. The first one that holds is the answer. */
export function refusalSql(...whens: readonly (readonly [PermissionRefusal, Prisma.Sql])[]): Prisma.Sql {
  const lines = whens.map(([refusal, condition]) => Prisma.sql`WHEN ${condition} THEN ${refusal}`);
  return Prisma.sql`CASE ${Prisma.join(lines, '\n          ')} END`;
}
