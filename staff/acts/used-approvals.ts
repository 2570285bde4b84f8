// What one person makes in production only after a second one has approved it: the same command asks, and makes it once
// it is approved.
import { APPROVAL_KINDS } from '../../domain/approvals.js';
import { appendAudit } from '../../store/audit/audit.js';
import {
  insertRequest,
  pendingLike,
  type ApprovalRequestRef,
  useApproved,
  type UsedRequest,
} from '../../store/operations/approval-requests.js';
import { type AccessAct, doAct } from '../../store/staff/acts.js';
import type { Transaction } from '../../store/transactions.js';

/** Production: a second person approves the request; then the same act makes what it asks for. */
export interface ApprovalRequested {
  readonly kind: 'requested';
  readonly request: ApprovalRequestRef;
}

interface UsedApproval {
  readonly kind: 'approved';
  /** The request; `null` in the sandbox, where one person is enough. */
  readonly approval: string | null;
  readonly requestedBy: string;
}

/**
 * Uses up the approval of this act, or asks for one. `approval` is `null` in the sandbox, where one person is enough.
 * The operation is locked, and the caller has checked that the person may do it.
 */
export async function useApproval(
  transaction: Transaction,
  act: AccessAct,
  { environment, ...order }: UsedRequest & { readonly environment: string },
): Promise<ApprovalRequested | UsedApproval> {
  if (environment !== 'production') return { kind: 'approved', approval: null, requestedBy: act.actor.handle };
  const used = await useApproved(transaction, order);
  if (used !== null) return { kind: 'approved', approval: used.id, requestedBy: used.requestedBy };
  const pending = await pendingLike(transaction, order);
  if (pending !== null) return { kind: 'requested', request: pending };
  const request = await insertRequest(transaction, { ...order, requestedBy: act.actor.handle });
  const person = (await doAct(transaction, { ...act, subjectId: request.id })) ?? act.actor;
  const { operationId, payload: detail } = order;
  const action = APPROVAL_KINDS[order.kind].audited.asked;
  await appendAudit(transaction, { person, action, operationId, subject: request.id, detail });
  return { kind: 'requested', request };
}
