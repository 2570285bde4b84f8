// Requests of two people, alerts, the audit trail, and what is configured for operations.
import type { Answering } from '../../contract/panel/routes.js';
import { APPROVAL_KINDS, type RequestKind } from '../../domain/approvals.js';
import { isSignedAct } from '../../domain/staff.js';
import { assignAlert, resolve } from '../../staff/acts/alerts.js';
import { exportAudit } from '../../staff/acts/audit-export.js';
import { decideRequest, type RequestDecision } from '../../staff/acts/requests.js';
import { readAlert, readAlerts, readAudit } from '../../staff/reads/panel/alerts.js';
import { readCashPage } from '../../staff/reads/panel/cash-movements.js';
import { COMMAND_ONLY, readApprovals } from '../../staff/reads/panel/approvals.js';
import { readDayPage, readExceptionsOfDay } from '../../staff/reads/panel/days.js';
import { readDisputePage } from '../../staff/reads/panel/disputes.js';
import { readLists, readOperations, readRules } from '../../staff/reads/panel/operations.js';
import { readStatement, readStatements } from '../../staff/reads/panel/statements.js';
import { sees } from '../../staff/viewer.js';
import { approvalRequestById } from '../../store/operations/approval-request-row.js';
import { badCursor } from '../bad-cursor.js';
import { confirmed } from '../confirmation.js';
import { isRefusal, type Refusal, refuse } from '../refusal.js';
import type { HandlerRequest, Handlers } from '../request.js';
import { changeServices, type PanelServices } from '../services.js';

type OperationHandlers = Handlers<
  | 'readApprovals'
  | 'decideApproval'
  | 'readAlerts'
  | 'actOnAlert'
  | 'readAudit'
  | 'exportAudit'
  | 'readRules'
  | 'readLists'
  | 'readOperations'
  | 'readCashMovements'
  | 'readDisputes'
  | 'readDays'
  | 'readDayExceptions'
  | 'readStatements'
  | 'readStatement'
>;

export function operationHandlers(services: PanelServices): OperationHandlers {
  const { database } = services;
  return {
    readApprovals: async ({ viewer, query: { cursor } }) => paged(await readApprovals(database, viewer, cursor)),
    decideApproval: (request) => decide(services, request),
    readCashMovements: async ({ viewer, params: { operation }, query }) =>
      paged((await readCashPage(database, viewer, operation, query)) ?? refuse('not_found')),
    readDays: async ({ viewer, params: { operation }, query }) =>
      paged((await readDayPage(database, viewer, operation, query)) ?? refuse('not_found')),
    readDayExceptions: async ({ viewer, params }) =>
      (await readExceptionsOfDay(database, viewer, params)) ?? refuse('not_found'),
    readStatements: ({ viewer }) => readStatements(database, viewer),
    readStatement: async ({ viewer, params }) => (await readStatement(database, viewer, params)) ?? refuse('not_found'),
    readDisputes: async ({ viewer, params: { operation }, query }) =>
      paged((await readDisputePage(database, viewer, operation, query)) ?? refuse('not_found')),
    readAlerts: async ({ viewer, query }) => paged(await readAlerts(database, viewer, query)),
    actOnAlert: (request) => actOnAlert(services, request),
    readAudit: async ({ viewer, query }) => paged(await readAudit(database, viewer, query)),
    exportAudit: (request) => exportTrail(services, request),
    readRules: async ({ viewer, params: { operation } }) =>
      (await readRules(database, viewer, operation)) ?? refuse('not_found'),
    readLists: async ({ viewer, params: { operation }, query }) =>
      paged((await readLists(services, viewer, operation, query)) ?? refuse('not_found')),
    readOperations: ({ viewer, now }) => readOperations(database, viewer, now),
  };
}

function paged<Page>(page: Page | 'bad_cursor'): Page | Refusal {
  return page === 'bad_cursor' ? badCursor() : page;
}

async function exportTrail(
  { database }: PanelServices,
  { viewer, query, now }: HandlerRequest<'exportAudit'>,
): Promise<Answering<'exportAudit'> | Refusal> {
  const outcome = await exportAudit(database, viewer, query);
  if (outcome.kind === 'rate_limited')
    return refuse('rate_limited', { retry_after_seconds: outcome.retryAfterSeconds });
  return { name: `audit-${now.toISOString().replace(/\D/g, '').slice(0, 14)}Z.csv`, text: outcome.text };
}

async function actOnAlert(
  { database }: PanelServices,
  { viewer, params: { id }, body }: HandlerRequest<'actOnAlert'>,
): Promise<Answering<'actOnAlert'> | Refusal> {
  const seen = await readAlert(database, viewer, id);
  if (seen === null) return refuse('not_found');
  const outcome =
    body.act === 'assign'
      ? await assignAlert(database, viewer, { id, isTaken: body.person !== null })
      : await resolve(database, viewer, { id, reason: body.reason });
  switch (outcome) {
    case 'no_such_alert':
      return refuse('not_found');
    case 'not_permitted':
      return refuse('not_permitted');
    case 'done':
      return (await readAlert(database, viewer, id)) ?? seen;
  }
}

async function decide(
  services: PanelServices,
  { viewer, params: { id: requestId }, body }: HandlerRequest<'decideApproval'>,
): Promise<Answering<'decideApproval'> | Refusal> {
  const { decision, reason } = body;
  const seen = await approvalRequestById(services.database, requestId);
  if (seen === null || !sees(viewer, seen.operationId)) return refuse('not_found');
  if (decision === 'approve' && COMMAND_ONLY.has(seen.kind)) return refuse('command_line_only');
  const kind = APPROVAL_KINDS[seen.kind as RequestKind].approves;
  const actor =
    decision === 'approve' && isSignedAct(kind)
      ? await confirmed(services, viewer, { kind, subjectId: requestId, reason }, body)
      : viewer;
  if (isRefusal(actor)) return actor;
  return present(requestId, await decideRequest(changeServices(services), actor, { requestId, decision, reason }));
}

function present(id: string, outcome: RequestDecision): Answering<'decideApproval'> | Refusal {
  switch (outcome.kind) {
    case 'approved': {
      const key = outcome.requested === 'key' ? outcome.effect.key : null;
      const shown = key === null ? null : { key_id: key.keyId, secret: key.secret, scopes: [...key.scopes] };
      return { id, status: 'approved', key: shown };
    }
    case 'rejected':
      return { id, status: 'rejected', key: null };
    case 'no_such_request':
      return refuse('not_found');
    case 'not_permitted':
      return refuse('not_permitted');
    case 'decided_before': {
      const { status } = outcome;
      return refuse('decided_before', { now: { status, version: null, decisions: [] } });
    }
    case 'same_person':
      return refuse('own_request');
    case 'requester_not_permitted':
    case 'account_taken':
    case 'overtaken':
    case 'too_many_keys':
      return refuse(outcome.kind);
    case 'not_covered':
      return refuse('not_covered');
    case 'key_in_use':
    case 'unknown_key':
    case 'no_such_player':
    case 'payments_open':
      return refuse('command_line_only');
  }
}
