// Requests for a change that a second person approves (domain/approvals.ts). A request changes nothing by itself. SQL
// only where a row is locked.
import { type RequestKind, UNUSED_APPROVAL_DAYS, type UsedRequestKind } from '../../domain/approvals.js';
import { newId } from '../../domain/identifiers.js';
import type { Reach } from '../../domain/staff.js';
import type { ApprovalRequest, Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { inReach } from '../reach-sql.js';
import type { Transaction } from '../transactions.js';

export interface ApprovalRequestRef {
  readonly id: string;
  readonly kind: RequestKind;
}

export interface NewRequest {
  /** `null` if it is about the whole gateway. */
  readonly operationId: string | null;
  readonly kind: RequestKind;
  readonly payload: Prisma.InputJsonObject;
  readonly requestedBy: string;
}

/** Stores a request. The caller has checked that the person may make it. */
export async function insertRequest(transaction: Transaction, request: NewRequest): Promise<ApprovalRequestRef> {
  const id = newId('approvalRequest');
  await transaction.approvalRequest.create({ data: { id, ...request } });
  return { id, kind: request.kind };
}

/** Requests, newest first: pending ones, with `all` also decided ones. */
export async function listRequests(
  database: Database,
  { operationId, all, limit }: { operationId: string | null; all: boolean; limit: number },
): Promise<ApprovalRequest[]> {
  return database.approvalRequest.findMany({
    where: { ...(operationId === null ? {} : { operationId }), ...(all ? {} : { status: 'pending' }) },
    orderBy: { requestedAt: 'desc' },
    take: limit,
  });
}

/** Kinds of requests, and the operations in which a person sees these. */
export interface SeenRequests {
  readonly kinds: readonly RequestKind[];
  readonly reach: Reach;
}

/** Pending requests that a person may see, after a place in the list, oldest first. */
export function pendingRequests(
  database: Database,
  seen: readonly SeenRequests[],
  { after, take }: { readonly after: { readonly at: Date; readonly id: string } | null; readonly take: number },
): Promise<ApprovalRequest[]> {
  const beyond =
    after === null ? {} : { OR: [{ requestedAt: { gt: after.at } }, { requestedAt: after.at, id: { gt: after.id } }] };
  return database.approvalRequest.findMany({
    where: {
      status: 'pending',
      AND: [beyond, { OR: seen.map(({ kinds, reach }) => ({ kind: { in: [...kinds] }, ...inReach(reach) })) }],
    },
    orderBy: [{ requestedAt: 'asc' }, { id: 'asc' }],
    take,
  });
}

/** The request, locked until the transaction ends; `null` if there is none. Lock its operation first. */
export async function lockRequest(transaction: Transaction, requestId: string): Promise<ApprovalRequest | null> {
  await transaction.$queryRaw`SELECT id FROM approval_request WHERE id = ${requestId} FOR UPDATE`;
  return transaction.approvalRequest.findUnique({ where: { id: requestId } });
}

export async function decideLocked(
  transaction: Transaction,
  id: string,
  status: 'approved' | 'rejected',
  decidedBy: string,
): Promise<void> {
  await transaction.approvalRequest.update({ where: { id }, data: { status, decidedBy, decidedAt: new Date() } });
}

/** Rejects what waits: a person has stopped what it would start again. Answers the ids. The operation is locked. */
export async function rejectPending(
  transaction: Transaction,
  {
    operationId,
    kind,
    person,
    payload,
  }: { operationId: string | null; kind: RequestKind; person: string; payload?: Prisma.InputJsonObject },
): Promise<string[]> {
  const rejected = await transaction.approvalRequest.updateManyAndReturn({
    where: { operationId, kind, status: 'pending', ...(payload === undefined ? {} : { payload: { equals: payload } }) },
    data: { status: 'rejected', decidedBy: person, decidedAt: new Date() },
    select: { id: true },
  });
  return rejected.map(({ id }) => id);
}

/** Whether a request of this kind that was made later than this one was approved. */
export async function isOvertaken(
  transaction: Transaction,
  { operationId, kind, requestedAt }: ApprovalRequest,
): Promise<boolean> {
  const where = { operationId, kind, status: 'approved', requestedAt: { gt: requestedAt } };
  return (await transaction.approvalRequest.count({ where })) > 0;
}

/** What is asked for again, word for word. */
export interface UsedRequest {
  /** `null` if it is about people. */
  readonly operationId: string | null;
  readonly kind: UsedRequestKind;
  readonly payload: Readonly<Record<string, string | number | boolean | null>>;
}

/** The request like this one that still waits; null if none does. */
export async function pendingLike(
  transaction: Transaction,
  { operationId, kind, payload }: UsedRequest,
): Promise<ApprovalRequestRef | null> {
  const where = { operationId, kind, status: 'pending', payload: { equals: payload } };
  const found = await transaction.approvalRequest.findFirst({ where, orderBy: { requestedAt: 'desc' } });
  return found === null ? null : { id: found.id, kind };
}

/**
 * Uses up one approved request like this one, and answers it. `null`: there is none. The operation, or for people the
 * table of roles, is locked.
 */
export async function useApproved(
  transaction: Transaction,
  { operationId, kind, payload }: UsedRequest,
): Promise<{ readonly id: string; readonly requestedBy: string } | null> {
  const since = new Date(Date.now() - UNUSED_APPROVAL_DAYS * 86_400_000);
  const approved = await transaction.approvalRequest.findFirst({
    where: { operationId, kind, status: 'approved', payload: { equals: payload }, decidedAt: { gt: since } },
    orderBy: { requestedAt: 'asc' },
  });
  if (approved === null) return null;
  await transaction.approvalRequest.update({ where: { id: approved.id }, data: { status: 'used' } });
  return approved;
}
