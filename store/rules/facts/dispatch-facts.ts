// The facts of a dispatch: lists, operation and cash box as they are now, in one statement over the withdrawal's row.
import { ApplicationFailure } from '@temporalio/activity';
import type { DispatchFacts } from '../../../domain/rules/dispatch-rules.js';
import { Prisma } from '../../../prisma/generated/client.js';
import type { Database } from '../../database.js';
import { type RuleSetColumns, type RulesInForce, rulesInForce, ruleSetSql } from './facts-sql.js';
import type { DispatchQuestion } from '../../../activities/rules/types.js';

interface DispatchRow extends RuleSetColumns {
  readonly currency: string;
  readonly operation_status: string;
  readonly player_blocked: boolean;
  readonly document_blocked: boolean;
  readonly destination_blocked: boolean;
  readonly available_minor: string;
}

export async function readDispatchFacts(
  database: Database,
  { withdrawalId, operationId, at }: DispatchQuestion,
): Promise<RulesInForce & { facts: DispatchFacts }> {
  // The hash of a player's reference is store/sealing/lookup-hashes.ts, playerHash.
  const [row] = await database.$queryRaw<DispatchRow[]>(Prisma.sql`
    WITH ${ruleSetSql(operationId)},
      blocked AS (SELECT kind, value_hash FROM list_entry WHERE operation_id = ${operationId} AND list = 'block')
    SELECT rule_set.version, rule_set.rules, rule_set.engine, withdrawal.currency, operation.status AS operation_status,
      EXISTS (SELECT FROM blocked WHERE kind = 'player' AND value_hash = sha256(convert_to('player' || chr(10) || withdrawal.player_ref, 'UTF8'))) AS player_blocked,
      EXISTS (SELECT FROM blocked WHERE kind = 'document' AND value_hash = player.document_hash) AS document_blocked,
      EXISTS (SELECT FROM blocked WHERE kind = 'pix_key' AND value_hash = withdrawal.destination_hash) AS destination_blocked,
      coalesce(ledger_account.balance_minor, 0)::text AS available_minor
    FROM withdrawal
    JOIN operation ON operation.id = withdrawal.operation_id
    LEFT JOIN player ON player.operation_id = withdrawal.operation_id AND player.external_ref = withdrawal.player_ref
    LEFT JOIN ledger_account ON ledger_account.operation_id = withdrawal.operation_id AND ledger_account.currency = withdrawal.currency AND account = 'available'
    LEFT JOIN rule_set ON TRUE
    WHERE withdrawal.id = ${withdrawalId} AND withdrawal.operation_id = ${operationId}`);
  if (row === undefined)
    throw ApplicationFailure.nonRetryable(`withdrawal ${withdrawalId} does not exist`, 'WithdrawalMissing');
  const facts: DispatchFacts = {
    at,
    playerBlocked: row.player_blocked,
    documentBlocked: row.document_blocked,
    destinationBlocked: row.destination_blocked,
    operationSuspended: row.operation_status !== 'active',
    availableMinor: row.available_minor,
  };
  return { ...rulesInForce(row, operationId, row.currency), facts };
}
