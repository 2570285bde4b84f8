// Stores a withdrawal's transition with its event, ledger entries and alerts, in one SQL statement that is safe to
// repeat.
import type { FoundWithdrawal, WithdrawalTransitionInput } from '../../contract/temporal/transitions.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { auditedSql } from '../payments/audited-sql.js';
import { automaticUseSql, automaticUseTaken } from '../payments/automatic-use-sql.js';
import { counterLockedSql, effectsSql } from '../payments/transition-sql.js';
import type { Sealer } from '../sealing/sealer.js';
import { sealWithdrawalEvent } from './events.js';
import { foundWithdrawal } from './found.js';

/**
 * Answers what is stored already, if an earlier attempt stored it. `cap_reached`: nothing is stored, because the amount
 * exceeds what is left of the operation's automatic cap. Throws VersionGapError.
 */
export async function storeWithdrawalTransition(
  database: Database,
  sealer: Sealer,
  input: WithdrawalTransitionInput,
): Promise<'stored' | 'cap_reached' | FoundWithdrawal> {
  const [result] = await database.$queryRaw<{ changed: number; found: number }[]>(transitionSql(sealer, input));
  if (result?.changed === 1) return 'stored';
  return result?.found === 1 ? 'cap_reached' : foundWithdrawal(database, input.withdrawal, input.fromVersion);
}

/** Locks the operation's counter first, as an insertion does: in any other order the two could deadlock. */
function transitionSql(sealer: Sealer, input: WithdrawalTransitionInput): Prisma.Sql {
  const { withdrawal, fromVersion, automaticUse } = input;
  const { operationId, id: objectId, currency, updatedAt: at } = withdrawal;
  const body = sealWithdrawalEvent(sealer, withdrawal, input.sealedRequest, input.event);
  return Prisma.sql`
    WITH ${counterLockedSql(operationId)}
    held AS (
      SELECT id FROM withdrawal, locked
      WHERE id = ${objectId} AND operation_id = ${operationId} AND version = ${fromVersion}
      FOR UPDATE OF withdrawal
    ),
    ${automaticUseSql(withdrawal, automaticUse, Prisma.sql`held`)}
    changed AS (
      ${updateSql(input)}
      FROM held WHERE withdrawal.id = held.id AND ${automaticUseTaken(automaticUse)}
      RETURNING version
    ),
    ${effectsSql({ operationId, objectId, currency, at }, input, body)}
    ${auditedSql('withdrawal', withdrawal, input.act)}
    SELECT count(*)::int AS changed, (SELECT count(*) FROM held)::int AS found,
      (SELECT count(sequence) FROM audited)::int AS audited
    FROM changed`;
}

/** The row's UPDATE … SET, without its condition. */
function updateSql({ withdrawal }: WithdrawalTransitionInput): Prisma.Sql {
  const { decision } = withdrawal;
  return Prisma.sql`
      UPDATE withdrawal SET
        status = ${withdrawal.status},
        version = ${withdrawal.version},
        fee_minor = ${withdrawal.feeMinor}::numeric,
        decision_mode = ${decision.mode},
        decision_reasons = ${[...decision.reasons]}::text[],
        rule_set_version = ${decision.ruleSetVersion},
        decided_by = ${JSON.stringify(decision.decidedBy)}::jsonb,
        decided_at = ${decision.decidedAt}::timestamptz,
        psp_reference = ${withdrawal.pspReference},
        failure_code = ${withdrawal.failureCode},
        updated_at = ${withdrawal.updatedAt}::timestamptz,
        paid_at = ${withdrawal.paidAt}::timestamptz,
        conclusions = ${JSON.stringify(withdrawal.conclusions ?? [])}::jsonb`;
}
