// Requests for a second person, as staff see them.
import { APPROVAL_KINDS, type RequestKind } from '../../domain/approvals.js';
import type { JsonValue } from '../../domain/rules/canonical-json.js';
import type { ApprovalRequest } from '../../prisma/generated/client.js';
import type { Database } from '../../store/database.js';
import { listRequests } from '../../store/operations/approval-requests.js';
import type { Payloads } from '../acts/effects.js';
import { detailOf } from '../acts/requests.js';

/** Newest first: pending ones, or with `all` also decided ones. */
export async function readRequests(
  database: Database,
  filter: { readonly operationId: string | null; readonly all: boolean; readonly limit: number },
) {
  return (await listRequests(database, filter)).map(present);
}

function present(request: ApprovalRequest) {
  const kind = request.kind as RequestKind;
  return {
    id: request.id,
    operation_id: request.operationId,
    kind,
    does: APPROVAL_KINDS[kind].does,
    asks_for: shownPayload(request),
    status: request.status,
    requested_by: request.requestedBy,
    requested_at: request.requestedAt,
    decided_by: request.decidedBy,
    decided_at: request.decidedAt,
  };
}

/** The approver sees the whole address; the audit trail only has its host. */
export function shownPayload({ kind: of, payload }: Pick<ApprovalRequest, 'kind' | 'payload'>): JsonValue {
  const kind = of as RequestKind;
  return kind === 'webhook' ? (payload as JsonValue) : detailOf(kind, payload as Payloads[typeof kind]);
}
