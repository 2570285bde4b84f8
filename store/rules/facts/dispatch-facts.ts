// The facts of a dispatch: lists, operation and cash box as they are now, in one statement over the withdrawal's row.
import type { DispatchQuestion } from '../../../contract/temporal/rule-questions.js';
import type { DispatchFacts } from '../../../domain/rules/dispatch-rules.js';
import { Prisma } from '../../../prisma/generated/client.js';
import type { Database } from '../../database.js';
import { MissingRowError } from '../../missing-row.js';
import { rowOf } from '../../statements.js';
import { type RuleSetColumns, type RulesInForce, rulesInForce, ruleSetSql } from './facts-sql.js';

interface DispatchRow extends RuleSetColumns {
  readonly currency: string;
  readonly operation_status: string;
  readonly automatic_stopped: boolean;
  readonly provider_paused: boolean;
  readonly player_blocked: boolean;
  readonly document_blocked: boolean;
  readonly destination_blocked: boolean;
  readonly available_minor: string;
}

/** Throws MissingRowError if there is no such withdrawal, or its operation has no rule set. */
export async function readDispatchFacts(
  database: Database,
  question: DispatchQuestion,
): Promise<RulesInForce & { facts: DispatchFacts }> {
  const { withdrawalId, operationId, at } = question;
  const row = await rowOf<DispatchRow>(database, factsSql(question));
  if (row === null) throw new MissingRowError('Withdrawal', `withdrawal ${withdrawalId} does not exist`);
  const facts: DispatchFacts = {
    at,
    playerBlocked: row.player_blocked,
    documentBlocked: row.document_blocked,
    destinationBlocked: row.destination_blocked,
    operationSuspended: row.operation_status !== 'active',
    automaticStopped: row.automatic_stopped,
    providerPaused: row.provider_paused,
    availableMinor: row.available_minor,
  };
  return { ...rulesInForce(row, operationId, row.currency), facts };
}

function factsSql({ withdrawalId, operationId }: DispatchQuestion): Prisma.Sql {
  return Prisma.sql`
    WITH ${ruleSetSql(operationId)}
    SELECT rule_set.version, rule_set.rules, rule_set.engine,
      withdrawal.currency, operation.status AS operation_status,
      withdrawal.decision_mode = 'automatic' AND operation.automatic_stopped_at IS NOT NULL AS automatic_stopped,
      is_paused(withdrawal.provider) AS provider_paused,
      is_blocked(withdrawal.operation_id, 'player',
        sha256(convert_to('player' || chr(10) || withdrawal.player_ref, 'UTF8'))) AS player_blocked,
      is_blocked(withdrawal.operation_id, 'document', player.document_hash) AS document_blocked,
      is_blocked(withdrawal.operation_id, 'pix_key', withdrawal.destination_hash) AS destination_blocked,
      coalesce(ledger_account.balance_minor, 0)::text AS available_minor
    FROM withdrawal
    JOIN operation ON operation.id = withdrawal.operation_id
    LEFT JOIN player
      ON player.operation_id = withdrawal.operation_id AND player.external_ref = withdrawal.player_ref
    LEFT JOIN ledger_account
      ON ledger_account.operation_id = withdrawal.operation_id AND ledger_account.provider = withdrawal.provider
      AND ledger_account.currency = withdrawal.currency AND account = 'available'
    LEFT JOIN rule_set ON TRUE
    WHERE withdrawal.id = ${withdrawalId} AND withdrawal.operation_id = ${operationId}`;
}
