// The facts of a dispatch: lists, operation and cash box as they are now, in one statement over the withdrawal's row.
import type { DispatchQuestion } from '../../../contract/temporal/rule-questions.js';
import type { DispatchFacts } from '../../../domain/rules/dispatch-rules.js';
import type { Database } from '../../database.js';
import { MissingRowError } from '../../errors.js';
import { rowOf, sqlFile } from '../../statements.js';
import { type RuleSetColumns, type RulesInForce, rulesInForce } from './shared.js';

const FACTS = sqlFile('rules/facts/dispatch.sql');

interface DispatchRow extends RuleSetColumns {
  readonly currency: string;
  readonly operation_status: string;
  readonly automatic_stopped: boolean;
  readonly provider_paused: boolean;
  readonly player_blocked: boolean;
  readonly document_blocked: boolean;
  readonly destination_blocked: boolean;
  readonly available_minor: bigint;
}

/** Throws MissingRowError if there is no such withdrawal, or its operation has no rule set. */
export async function readDispatchFacts(
  database: Database,
  question: DispatchQuestion,
): Promise<RulesInForce & { facts: DispatchFacts }> {
  const { id, operationId, at } = question;
  const row = await rowOf<DispatchRow>(database, FACTS({ id, operationId }));
  if (row === null) throw new MissingRowError('Withdrawal', `withdrawal ${id} does not exist`);
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
