// The inbox: requests of two people, lost payouts that wait for a second person, and the decision on a request.
import type { Answering } from '../../contract/panel/routes.js';
import { APPROVAL_KINDS, type RequestKind } from '../../domain/approvals.js';
import { isSignedAct } from '../../domain/staff.js';
import { decideRequest, type RequestDecision } from '../../staff/acts/requests.js';
import { COMMAND_ONLY, readApprovals } from '../../staff/reads/panel/approvals.js';
import { readWriteOffs } from '../../staff/reads/panel/write-offs.js';
import { sees } from '../../staff/viewer.js';
import { approvalRequestById } from '../../store/operations/approval-request-row.js';
import { confirmed } from '../confirmation.js';
import { paged } from '../paged.js';
import { isRefusal, type Refusal, refuse } from '../refusal.js';
import type { HandlerRequest, Handlers } from '../request.js';
import { changeServices, type PanelServices } from '../services.js';

export function approvalHandlers(
  services: PanelServices,
): Handlers<'readApprovals' | 'readWriteOffs' | 'decideApproval'> {
  const { database } = services;
  return {
    readApprovals: async ({ viewer, query: { cursor } }) => paged(await readApprovals(database, viewer, cursor)),
    readWriteOffs: ({ viewer }) => readWriteOffs(database, viewer),
    decideApproval: (request) => decide(services, request),
  };
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
    case 'own_code':
    case 'too_close':
    case 'yourself':
    case 'account_taken':
    case 'account_in_use':
    case 'overtaken':
    case 'too_many_keys':
      return refuse(outcome.kind);
    case 'not_returning':
      return refuse('other_state');
    case 'return_too_recent':
      return refuse('too_early', { not_before: outcome.notBefore });
    case 'networks_changed':
    case 'statement_changed':
    case 'item_not_open':
      return refuse('stale');
    case 'not_covered':
    case 'not_in_suspense':
    case 'already_in_books':
      return refuse(outcome.kind);
    case 'no_such_passkey':
      return refuse('stale');
    case 'key_in_use':
    case 'unknown_key':
    case 'no_such_player':
    case 'payments_open':
      return refuse('command_line_only');
  }
}
