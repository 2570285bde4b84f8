// The audit trail's part of a transition: a person's decision is written in the same statement that it changes the payment with.
import { canonicalJson } from '../../domain/rules/canonical-json.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { ReviewAct } from '../../activities/types.js';

/**
 * CTE `audited` after `effectsSql`, without a row where no person decided; the statement must select from it, or Postgres leaves
 * it out. It reads `counter`, so the chain's lock is taken after the
 * operation's: two reviews never wait for one another crosswise. The act's key makes a repeated statement write it once.
 */
export function auditedSql(
  kind: 'deposit' | 'withdrawal',
  payment: { id: string; operationId: string; version: number },
  act: ReviewAct | null | undefined,
): Prisma.Sql {
  if (!act) return Prisma.sql`, audited AS (SELECT NULL::bigint AS sequence WHERE FALSE)`;
  const { id, operationId, version } = payment;
  const detail = canonicalJson({
    reason: act.reason,
    version,
    ...('evidence' in act ? { evidence: act.evidence } : {}),
    ...('code' in act ? { code: act.code } : {}),
  });
  return Prisma.sql`, audited AS MATERIALIZED (
      SELECT append_audit(${`${id}:${act.number}`}, ${act.at}::timestamptz, ${act.person}, ${`${kind}.${act.decision}`}, ${operationId}, ${id}, ${detail}) AS sequence FROM counter
    )`;
}
