// Objects other than payments that an id names: events, operations, keys, alerts, rule changes, requests for a second
// person.
import type { IdKind } from '../../domain/identifiers.js';
import type { Database } from '../../store/database.js';
import { presentAlert } from './alerts.js';
import { presentKey } from './keys.js';

/** An object that is no payment: its type, and its members as support may see them. */
export interface FoundObject {
  readonly type: 'event' | 'operation' | 'key' | 'alert' | 'rule_change' | 'request_for_approval';
  readonly id: string;
  readonly operation_id: string | null;
  readonly status: string;
  readonly since: Date;
  /** The payment or object that it is about. */
  readonly object_id: string | null;
  readonly details: object;
}

type OtherKind = Exclude<IdKind, 'deposit' | 'withdrawal'>;

const READERS: Readonly<Record<OtherKind, (database: Database, id: string) => Promise<FoundObject | null>>> = {
  event: readEvent,
  operation: readOperation,
  alert: readAlert,
  ruleChange: readRuleChange,
  approvalRequest: readApprovalRequest,
};

/** The object of that id; null if there is none. */
export function readObject(database: Database, kind: OtherKind, id: string): Promise<FoundObject | null> {
  return READERS[kind](database, id);
}

async function readEvent(database: Database, id: string): Promise<FoundObject | null> {
  const row = await database.event.findUnique({
    where: { id },
    select: { operationId: true, type: true, objectId: true, objectVersion: true, createdAt: true },
  });
  if (row === null) return null;
  const [last, attempts] = await Promise.all([
    database.webhookDelivery.findFirst({ where: { eventId: id }, orderBy: { id: 'desc' } }),
    database.webhookDelivery.count({ where: { eventId: id } }),
  ]);
  const isDelivered = last?.responseStatus != null && last.responseStatus >= 200 && last.responseStatus < 300;
  return {
    type: 'event',
    id,
    operation_id: row.operationId,
    object_id: row.objectId,
    status: isDelivered
      ? 'delivered'
      : last === null
        ? 'not_sent'
        : last.nextAttemptAt === null
          ? 'not_delivered'
          : 'waiting',
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

async function readOperation(database: Database, id: string): Promise<FoundObject | null> {
  const row = await database.operation.findUnique({ where: { id } });
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

/** The key of that id; null if there is none. */
export async function readKey(database: Database, keyId: string): Promise<FoundObject | null> {
  const row = await database.apiKey.findUnique({ where: { keyId } });
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
  const row = await database.alert.findUnique({ where: { id } });
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
  const row = await database.ruleChangeRequest.findUnique({
    where: { id },
    select: {
      operationId: true,
      status: true,
      createdAt: true,
      decidedAt: true,
      requestedBy: true,
      baseVersion: true,
      appliedVersion: true,
      decidedBy: true,
    },
  });
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

async function readApprovalRequest(database: Database, id: string): Promise<FoundObject | null> {
  const row = await database.approvalRequest.findUnique({
    where: { id },
    select: {
      operationId: true,
      kind: true,
      status: true,
      requestedBy: true,
      requestedAt: true,
      decidedBy: true,
      decidedAt: true,
    },
  });
  if (row === null) return null;
  const { kind, requestedBy, decidedBy } = row;
  return {
    type: 'request_for_approval',
    id,
    operation_id: row.operationId,
    object_id: null,
    status: row.status,
    since: row.decidedAt ?? row.requestedAt,
    details: { kind, requested_by: requestedBy, decided_by: decidedBy },
  };
}
