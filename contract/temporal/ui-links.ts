// Links into the Temporal UI: saved views of its list, and the page of one workflow.
import type { WaitingFor } from './search-attributes.js';

export interface TemporalUi {
  /** Its address. */
  readonly url: string;
  readonly namespace: string;
}

/** A filter of the list. Opening its link adds it to the saved views of the browser. */
export interface View {
  readonly name: string;
  readonly shows: string;
  readonly query: string;
}

const RUNNING = 'ExecutionStatus = "Running"';
/** Attributes stay on a run that has ended, so only those that run wait for anything. */
const waitsFor = (what: WaitingFor) => `WaitingFor = "${what}" AND ${RUNNING}`;

export const TO_REVIEW: View = {
  name: 'To review',
  shows: 'everything that a person must decide',
  query: waitsFor('review'),
};

/** The views, by priority. The UI keeps at most 20. */
export const VIEWS: readonly View[] = [
  TO_REVIEW,
  {
    name: 'To review: two people',
    shows: 'withdrawals that need two approvals',
    query: `${waitsFor('review')} AND ReviewReasons = "DUAL_APPROVAL_REQUIRED"`,
  },
  {
    name: 'To review: requested by the operator',
    shows: 'withdrawals for which the operator requested a review',
    query: `${waitsFor('review')} AND ReviewReasons = "OPERATOR_REVIEW_REQUESTED"`,
  },
  {
    name: 'To review: rules unavailable',
    shows: 'payments that the rules did not decide',
    query: `${waitsFor('review')} AND ReviewReasons IN ("RULES_UNAVAILABLE", "RULES_INVALID_RESPONSE")`,
  },
  { name: 'Payout outcome unknown', shows: 'sends without an answer', query: waitsFor('payout_reply') },
  { name: 'Payout in progress', shows: 'payouts that the provider has not finished', query: waitsFor('payout_result') },
  {
    name: 'Deposit without a charge',
    shows: 'the provider does not answer',
    query: waitsFor('provider_charge'),
  },
  {
    name: 'Return in progress',
    shows: 'reviewed deposits on their way back to the payer',
    query: waitsFor('return_to_payer'),
  },
  { name: 'Cash box short', shows: 'approved withdrawals without money', query: waitsFor('cash_box') },
  {
    name: 'Account short',
    shows: 'approved withdrawals that the account at the provider does not cover',
    query: waitsFor('provider_balance'),
  },
  {
    name: 'Provider paused',
    shows: 'approved withdrawals whose provider a person has paused',
    query: waitsFor('provider_paused'),
  },
  { name: 'Not sent yet', shows: 'suspended operations, unavailable rules', query: waitsFor('dispatch_check') },
  {
    name: 'Webhook retries',
    shows: 'events that an operator has not accepted',
    query: waitsFor('webhook_delivery'),
  },
  { name: 'Rule changes', shows: 'proposed rules that wait for two people', query: waitsFor('approval') },
  {
    name: 'Large amounts',
    shows: 'open payments of R$ 10.000,00 or more',
    query: `AmountMinor >= 1000000 AND ${RUNNING}`,
  },
  {
    name: 'Failed',
    shows: 'runs that ended without an outcome',
    query: 'ExecutionStatus IN ("Failed", "Terminated", "TimedOut")',
  },
];

/** A link that opens the view and saves it in the browser under its name. */
export function viewUrl(ui: TemporalUi, { name, query }: View): string {
  return `${listOf(ui)}?${new URLSearchParams({ query, savedQuery: name })}`;
}

/** The view for one operation, under its own name. */
export function ofOperation({ name, shows, query }: View, operationId: string): View {
  return { name: `${name} · ${operationId}`, shows, query: `${query} AND OperationId = "${operationId}"` };
}

/**
 * The page of a workflow. With a run id it opens on the summary and current details; without one the UI opens on the
 * history.
 */
export function pageUrl(ui: TemporalUi, workflowId: string, runId: string | null): string {
  const page = `${listOf(ui)}/${encodeURIComponent(workflowId)}`;
  return runId === null ? page : `${page}/${encodeURIComponent(runId)}/user-metadata`;
}

function listOf({ url, namespace }: TemporalUi): string {
  return `${url.replace(/\/+$/, '')}/namespaces/${encodeURIComponent(namespace)}/workflows`;
}
