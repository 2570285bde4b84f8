// What a payment waits for, from its workflow or, if that does not answer, from its row.
import type { Client } from '@temporalio/client';
import type { Answering } from '../../../contract/panel/routes.js';
import { pageUrl, type TemporalUi } from '../../../contract/temporal/ui-links.js';
import type { Database } from '../../../store/database.js';
import { readFoundPayments } from '../../../store/support/found-payments.js';
import type { Viewer } from '../../viewer.js';
import { readWorkflowPages, type WorkflowPage } from '../workflow-page.js';
import { visiblePayment } from './payment.js';

export interface WaitReads {
  readonly database: Database;
  readonly temporal: Client;
  /** `null` if there is no UI to link to. */
  readonly temporalUi: TemporalUi | null;
}

/** A page must not wait longer for a worker that is down. */
const TIMEOUT_MS = 2_000;

/** `null` if there is no such payment, or the viewer may not see it. */
export async function readWait(
  { database, temporal, temporalUi }: WaitReads,
  viewer: Viewer,
  id: string,
): Promise<Answering<'readWait'> | null> {
  const payment = await visiblePayment(database, viewer, id);
  if (payment === null) return null;
  const [found, pages] = await Promise.all([
    readFoundPayments(database, [{ kind: payment.kind, id }]),
    readWorkflowPages(temporal, [id], TIMEOUT_MS),
  ]);
  const [stated] = found;
  if (stated === undefined) return null;
  const page: WorkflowPage = pages.get(id) ?? { answer: 'none' };
  const running = page.answer === 'page' && page.status === 'running' ? page : null;
  const pending = running?.pending_activities.at(-1) ?? null;
  const said = running?.waiting_for ?? null;
  return {
    said_by: said === null ? 'database' : 'workflow',
    for: said ?? stated.awaits.for,
    since: stated.since,
    next: running?.says ?? stated.awaits.next,
    next_at: pending?.next_attempt_at ?? stated.awaits.at,
    last_error: pending?.last_failure ?? null,
    attempts: pending === null ? 0 : pending.attempt,
    workflow_status: page.answer === 'page' ? page.status : null,
    temporal_url: temporalUi === null ? null : pageUrl(temporalUi, id, page.answer === 'page' ? page.run_id : null),
  };
}
