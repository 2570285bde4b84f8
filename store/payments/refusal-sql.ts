// The parts of a CASE that says why nothing is asked of a provider.
import type { PermissionRefusal } from '../../domain/permissions.js';
import { Prisma } from '../../prisma/generated/client.js';

/** `null` if nothing speaks against it. The first that holds is the answer. */
export function refusalSql(...whens: readonly (readonly [PermissionRefusal, Prisma.Sql])[]): Prisma.Sql {
  const lines = whens.map(([refusal, condition]) => Prisma.sql`WHEN ${condition} THEN ${refusal}`);
  return Prisma.sql`CASE ${Prisma.join(lines, '\n          ')} END`;
}
