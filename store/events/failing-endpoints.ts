// Operations whose webhooks fail now: how many events wait for another attempt, since when, and the last response.
import type { Database } from '../database.js';
import { rowsOf, sqlFile } from '../statements.js';

export interface FailingEndpoint {
  readonly operation_id: string;
  readonly operation_name: string;
  readonly webhook_url: string | null;
  /** Events whose last attempt failed and that will be retried. */
  readonly waiting_events: number;
  /** The first attempt of the waiting events. */
  readonly since: string | null;
  readonly next_attempt_at: string | null;
  /** Events that are no longer retried and whose alert is open. */
  readonly given_up_events: number;
  readonly last_attempt_at: string | null;
  readonly last_status: number | null;
  readonly last_error: string | null;
}

/** Exported for the test of its plan. */
export const FAILING_ENDPOINTS = sqlFile('events/failing-endpoints.sql');

/** The operations with the most waiting events first, at most `take`. */
export function readFailingEndpoints(
  database: Database,
  { operationId, take }: { operationId: string | null; take: number },
): Promise<FailingEndpoint[]> {
  return rowsOf<FailingEndpoint>(database, FAILING_ENDPOINTS({ operationId, take }), 'for_its_values');
}
