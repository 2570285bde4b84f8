// Requests for keys and allowlists in production, where a second person must approve. A request grants nothing by
// itself. SQL only where a row is locked.
import type { Scope } from '../../contract/http/route.js';
import { newId } from '../../domain/identifiers.js';
import type { ApprovalRequest, Prisma } from '../../prisma/generated/client.js';
import { appendAudit } from '../audit/audit.js';
import type { Database } from '../database.js';
import {
  ACTIVE_KEYS_PER_SCOPES,
  activeKeysOf,
  type GrantedKey,
  insertKey,
  lockOperation,
  replaceNetworks,
  type TooManyKeys,
} from './access.js';
import type { Sealer } from '../sealing/sealer.js';
import { inTransaction, type Transaction } from '../transactions.js';

export type RequestKind = 'key' | 'allowlist';

export interface Requested {
  readonly id: string;
  readonly kind: RequestKind;
}

/** Requests a key with these scopes. */
export async function requestKey(
  transaction: Transaction,
  { operationId, scopes, requestedBy }: { operationId: string; scopes: readonly Scope[]; requestedBy: string },
): Promise<Requested> {
  return insertRequest(transaction, { operationId, kind: 'key', payload: { scopes: [...scopes] }, requestedBy });
}

/** Requests these networks as the operation's allowlist. */
export async function requestAllowlist(
  transaction: Transaction,
  { operationId, networks, requestedBy }: { operationId: string; networks: readonly string[]; requestedBy: string },
): Promise<Requested> {
  return insertRequest(transaction, {
    operationId,
    kind: 'allowlist',
    payload: { networks: [...networks] },
    requestedBy,
  });
}

async function insertRequest(
  transaction: Transaction,
  request: { operationId: string; kind: RequestKind; payload: Prisma.InputJsonObject; requestedBy: string },
): Promise<Requested> {
  const id = newId('approvalRequest');
  await transaction.approvalRequest.create({ data: { id, ...request } });
  return { id, kind: request.kind };
}

/** Requests, newest first: pending ones, or with `all` also decided ones. */
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

export type RequestDecision =
  | { readonly kind: 'key_granted'; readonly operationId: string; readonly key: GrantedKey }
  | { readonly kind: 'allowlist_set'; readonly operationId: string; readonly networks: readonly string[] }
  | { readonly kind: 'rejected'; readonly operationId: string; readonly requested: RequestKind }
  | { readonly kind: 'no_such_request' }
  | { readonly kind: 'decided_before'; readonly status: string; readonly decidedBy: string | null }
  /** The requester cannot approve. */
  | { readonly kind: 'same_person'; readonly requestedBy: string }
  /** A list that was requested later is in force; approving this one would undo it. */
  | { readonly kind: 'overtaken' }
  | TooManyKeys;

/**
 * Decides a request once. The requester may withdraw it (reject) but not approve it; `isSamePerson` compares two names.
 */
export async function decideRequest(
  database: Database,
  sealer: Sealer,
  order: {
    requestId: string;
    decision: 'approve' | 'reject';
    person: string;
    isSamePerson: (one: string, other: string) => boolean;
  },
): Promise<RequestDecision> {
  return inTransaction(database, async (transaction) => {
    const request = await lockRequest(transaction, order.requestId);
    if (request === null) return { kind: 'no_such_request' };
    if (request.status !== 'pending')
      return { kind: 'decided_before', status: request.status, decidedBy: request.decidedBy };
    const approved = order.decision === 'approve';
    if (approved && order.isSamePerson(order.person, request.requestedBy))
      return { kind: 'same_person', requestedBy: request.requestedBy };
    const outcome = approved
      ? await APPROVALS[request.kind as RequestKind](transaction, sealer, request)
      : rejection(request);
    if (!TAKES_EFFECT.has(outcome.kind)) return outcome;
    await transaction.approvalRequest.update({
      where: { id: request.id },
      data: { status: approved ? 'approved' : 'rejected', decidedBy: order.person, decidedAt: new Date() },
    });
    await appendAudit(transaction, {
      person: order.person,
      action: `request.${order.decision}`,
      operationId: request.operationId,
      subject: request.id,
      detail: {
        asks_for: request.kind,
        requested_by: request.requestedBy,
        key_id: outcome.kind === 'key_granted' ? outcome.key.keyId : null,
      },
    });
    return outcome;
  });
}

const TAKES_EFFECT: ReadonlySet<RequestDecision['kind']> = new Set(['key_granted', 'allowlist_set', 'rejected']);

const APPROVALS: Record<
  RequestKind,
  (transaction: Transaction, sealer: Sealer, request: ApprovalRequest) => Promise<RequestDecision>
> = {
  key: approveKey,
  allowlist: approveAllowlist,
};

async function approveKey(
  transaction: Transaction,
  sealer: Sealer,
  { operationId, payload }: ApprovalRequest,
): Promise<RequestDecision> {
  const { scopes } = payload as unknown as { scopes: Scope[] };
  const operation = await existingOperation(transaction, operationId);
  const activeKeyIds = await activeKeysOf(transaction, operationId, scopes);
  if (activeKeyIds.length >= ACTIVE_KEYS_PER_SCOPES) return { kind: 'too_many_keys', activeKeyIds };
  return { kind: 'key_granted', operationId, key: await insertKey(transaction, sealer, operation, scopes) };
}

async function approveAllowlist(
  transaction: Transaction,
  _sealer: Sealer,
  request: ApprovalRequest,
): Promise<RequestDecision> {
  const { operationId, payload, requestedAt } = request;
  const { networks } = payload as unknown as { networks: string[] };
  await existingOperation(transaction, operationId);
  const later = await transaction.approvalRequest.count({
    where: { operationId, kind: 'allowlist', status: 'approved', requestedAt: { gt: requestedAt } },
  });
  if (later > 0) return { kind: 'overtaken' };
  await replaceNetworks(transaction, operationId, networks);
  return { kind: 'allowlist_set', operationId, networks };
}

function rejection({ operationId, kind }: ApprovalRequest): RequestDecision {
  return { kind: 'rejected', operationId, requested: kind as RequestKind };
}

async function existingOperation(transaction: Transaction, operationId: string) {
  const operation = await lockOperation(transaction, operationId);
  if (operation === null) throw new Error(`request of ${operationId}, which does not exist`);
  return operation;
}

async function lockRequest(transaction: Transaction, requestId: string): Promise<ApprovalRequest | null> {
  await transaction.$queryRaw`SELECT id FROM approval_request WHERE id = ${requestId} FOR UPDATE`;
  return transaction.approvalRequest.findUnique({ where: { id: requestId } });
}
