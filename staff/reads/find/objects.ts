// Objects other than payments, by their id: events, operations, keys, alerts, rule changes, requests for approval,
// acts.
import type { RequestKind } from '../../../domain/approvals.js';
import type { IdKind } from '../../../domain/identifiers.js';
import { alertById, presentAlert } from '../../../store/alerts/list.js';
import type { Database } from '../../../store/database.js';
import { deliveryAttemptsOf, eventById } from '../../../store/events/event-delivery.js';
import { cashMovementById } from '../../../store/ledger/cash-movements.js';
import { itemReturnById } from '../../../store/ledger/item-returns.js';
import { approvalRequestById } from '../../../store/operations/approval-request-row.js';
import { keyById, presentKey } from '../../../store/operations/keys.js';
import { operationById } from '../../../store/operations/operations.js';
import { ruleChangeById } from '../../../store/rules/rule-changes.js';
import { actById } from '../../../store/staff/acts.js';

/** An object with its type, status and the details that staff may see. */
export type FoundObject = OtherObject | FoundApprovalRequest;

interface ObjectRow {
  readonly id: string;
  readonly operation_id: string | null;
  readonly status: string;
  readonly since: Date;
  /** The payment or other object that it is about. */
  readonly object_id: string | null;
  readonly details: object;
}

interface OtherObject extends ObjectRow {
  readonly type: 'event' | 'operation' | 'key' | 'alert' | 'rule_change' | 'act' | 'cash_movement' | 'item_return';
}

interface FoundApprovalRequest extends ObjectRow {
  readonly type: 'request_for_approval';
  readonly details: {
    readonly kind: RequestKind;
    readonly requested_by: string;
    readonly decided_by: string | null;
  };
}

type OtherKind = Exclude<IdKind, 'deposit' | 'withdrawal'>;

const READERS: Readonly<Record<OtherKind, (database: Database, id: string) => Promise<FoundObject | null>>> = {
  event: readEvent,
  operation: readOperation,
  alert: readAlert,
  ruleChange: readRuleChange,
  approvalRequest: readApprovalRequest,
  staffAct: readStaffAct,
  cashMovement: readCashMovement,
  itemReturn: readItemReturn,
};

/** The object of that id; `null` if there is none. */
export function readObject(database: Database, kind: OtherKind, id: string): Promise<FoundObject | null> {
  return READERS[kind](database, id);
}

async function readEvent(database: Database, id: string): Promise<FoundObject | null> {
  const row = await eventById(database, id);
  if (row === null) return null;
  const { last, attempts } = await deliveryAttemptsOf(database, id);
  const isDelivered = last?.responseStatus != null && last.responseStatus >= 200 && last.responseStatus < 300;
  return {
    type: 'event',
    id,
    operation_id: row.operationId,
    object_id: row.objectId,
    status: isDelivered ? 'delivered' : undeliveredStatus(last),
    since: last?.sentAt ?? row.createdAt,
    details: {
      event_type: row.type,
      version: row.objectVersion,
      created_at: row.createdAt,
      attempts,
      response_status: last?.responseStatus ?? null,
      error: last?.error ?? null,
      next_attempt_at: isDelivered ? null : (last?.nextAttemptAt ?? null),
    },
  };
}

function undeliveredStatus(last: { readonly nextAttemptAt: Date | null } | null): string {
  if (last === null) return 'not_sent';
  return last.nextAttemptAt === null ? 'not_delivered' : 'waiting';
}

async function readOperation(database: Database, id: string): Promise<FoundObject | null> {
  const row = await operationById(database, id);
  if (row === null) return null;
  const { name, environment, provider, webhookUrl } = row;
  return {
    type: 'operation',
    id,
    operation_id: id,
    object_id: null,
    status: row.status,
    since: row.createdAt,
    details: { name, environment, provider, webhook_url: webhookUrl },
  };
}

/** The key of that id; `null` if there is none. */
export async function readKey(database: Database, keyId: string): Promise<FoundObject | null> {
  const row = await keyById(database, keyId);
  if (row === null) return null;
  const { key_id: id, operation_id, rotation, ...details } = presentKey(row, new Date());
  return {
    type: 'key',
    id,
    operation_id,
    object_id: null,
    status: rotation,
    since: row.revokedAt ?? row.firstUsedAt ?? row.createdAt,
    details,
  };
}

async function readAlert(database: Database, id: string): Promise<FoundObject | null> {
  const row = await alertById(database, id);
  if (row === null) return null;
  const { kind, detail, operation_id, object_id } = presentAlert(row);
  return {
    type: 'alert',
    id,
    operation_id,
    object_id,
    status: row.resolvedAt === null ? 'open' : 'resolved',
    since: row.resolvedAt ?? row.createdAt,
    details: { kind, detail },
  };
}

async function readRuleChange(database: Database, id: string): Promise<FoundObject | null> {
  const row = await ruleChangeById(database, id);
  if (row === null) return null;
  const { requestedBy, baseVersion, appliedVersion, decidedBy } = row;
  return {
    type: 'rule_change',
    id,
    operation_id: row.operationId,
    object_id: null,
    status: row.status,
    since: row.decidedAt ?? row.createdAt,
    details: {
      requested_by: requestedBy,
      base_version: baseVersion,
      applied_version: appliedVersion,
      decided_by: decidedBy,
    },
  };
}

async function readCashMovement(database: Database, id: string): Promise<FoundObject | null> {
  const row = await cashMovementById(database, id);
  if (row === null) return null;
  const { kind, document, requestedBy, approvedBy } = row;
  return {
    type: 'cash_movement',
    id,
    operation_id: row.operationId,
    object_id: row.requestId,
    status: 'done',
    since: row.createdAt,
    details: { kind, document, requested_by: requestedBy, approved_by: approvedBy },
  };
}

async function readApprovalRequest(database: Database, id: string): Promise<FoundObject | null> {
  const row = await approvalRequestById(database, id);
  if (row === null) return null;
  const { kind, requestedBy, decidedBy } = row;
  return {
    type: 'request_for_approval',
    id,
    operation_id: row.operationId,
    object_id: null,
    status: row.status,
    since: row.decidedAt ?? row.requestedAt,
    details: { kind: kind as RequestKind, requested_by: requestedBy, decided_by: decidedBy },
  };
}

async function readStaffAct(database: Database, id: string): Promise<FoundObject | null> {
  const row = await actById(database, id);
  if (row === null) return null;
  const { kind, operationId, subjectId, subjectVersion, staffHandle, means, createdAt, expiresAt } = row;
  return {
    type: 'act',
    id,
    operation_id: operationId,
    object_id: subjectId,
    status: row.outcome ?? (expiresAt > new Date() ? 'open' : 'expired'),
    since: row.consumedAt ?? createdAt,
    details: {
      kind,
      version: subjectVersion,
      person: staffHandle,
      means,
      created_at: createdAt,
      expires_at: expiresAt,
    },
  };
}

async function readItemReturn(database: Database, id: string): Promise<FoundObject | null> {
  const row = await itemReturnById(database, id);
  if (row === null) return null;
  const { endToEndId: payment, requestedBy, approvedBy } = row;
  return {
    type: 'item_return',
    id,
    operation_id: row.operationId,
    object_id: row.depositId,
    status: 'ordered',
    since: row.orderedAt,
    details: { payment, requested_by: requestedBy, approved_by: approvedBy },
  };
}
