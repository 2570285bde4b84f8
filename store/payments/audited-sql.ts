// The audit entry of a transition: a person's decision is written in the statement that changes the payment.
import type { ReviewAct } from '../../contract/temporal/transitions.js';
import { canonicalJson } from '../../domain/rules/canonical-json.js';
import type { UsedAct } from '../../domain/staff.js';
import { Prisma } from '../../prisma/generated/client.js';
import { detailBy } from '../audit/audit.js';

/**
 * CTE `audited`, to follow `effectsSql`; no row if no person decided. The statement must select from it, or Postgres
 * skips it. It reads `counter`, so the audit chain is locked after the operation: two reviews cannot deadlock. The
 * act's key makes a repeated statement write it once. `uses` is the stored act that the change performs; a return that
 * the provider refused has none.
 */
export function auditedSql(
  kind: 'deposit' | 'withdrawal',
  payment: { id: string; operationId: string; version: number },
  act: ReviewAct | null | undefined,
  uses: UsedAct | undefined,
): Prisma.Sql {
  if (!act) return Prisma.sql`, audited AS (SELECT NULL::bigint AS sequence WHERE FALSE)`;
  const { id, operationId, version } = payment;
  const basic = {
    reason: act.reason,
    version,
    ...('evidence' in act ? { evidence: act.evidence } : {}),
    ...('code' in act ? { code: act.code } : {}),
  };
  const detail = canonicalJson(uses === undefined ? basic : detailBy({ ...uses, actId: uses.id }, basic));
  const [key, action] = [`${id}:${act.number}`, `${kind}.${act.decision}`];
  return Prisma.sql`,
    audited AS MATERIALIZED (
      SELECT append_audit(${key}, ${act.at}::timestamptz, ${act.person}, ${action}, ${operationId}, ${id}, ${detail})
        AS sequence
      FROM counter
    )`;
}
