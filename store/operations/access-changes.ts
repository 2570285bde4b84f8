// Changes of an operation's keys and allowlist, each in one transaction with its audit entry. In production a change
// only becomes a request, which a second person approves (approval-requests.ts).
import type { Scope } from '../../contract/http/route.js';
import { appendAudit } from '../audit/audit.js';
import type { Database } from '../database.js';
import type { Sealer } from '../sealing/sealer.js';
import { inTransaction } from '../transactions.js';
import {
  ACTIVE_KEYS_PER_SCOPES,
  activeKeysOf,
  type GrantedKey,
  insertKey,
  lockOperation,
  networksOf,
  type NoSuchOperation,
  replaceNetworks,
  type TooManyKeys,
} from './access.js';
import { requestAllowlist, requestKey, type Requested } from './approval-requests.js';

export type KeyCreation =
  | { readonly kind: 'granted'; readonly key: GrantedKey }
  /** Production: a second person decides. */
  | { readonly kind: 'requested'; readonly request: Requested }
  | NoSuchOperation
  | TooManyKeys;

/** Creates a key with these scopes, or in production the request for one. At most two of the same scopes are active. */
export async function createKey(
  database: Database,
  sealer: Sealer,
  order: { operationId: string; scopes: readonly Scope[]; requestedBy: string },
): Promise<KeyCreation> {
  return inTransaction(database, async (transaction) => {
    const operation = await lockOperation(transaction, order.operationId);
    if (operation === null) return { kind: 'no_such_operation' };
    const activeKeyIds = await activeKeysOf(transaction, order.operationId, order.scopes);
    if (activeKeyIds.length >= ACTIVE_KEYS_PER_SCOPES) return { kind: 'too_many_keys', activeKeyIds };
    const act = { person: order.requestedBy, operationId: order.operationId } as const;
    const scopes = [...order.scopes];
    if (operation.environment === 'production') {
      const request = await requestKey(transaction, order);
      await appendAudit(transaction, { ...act, action: 'key.request', subject: request.id, detail: { scopes } });
      return { kind: 'requested', request };
    }
    const key = await insertKey(transaction, sealer, operation, order.scopes);
    await appendAudit(transaction, { ...act, action: 'key.create', subject: key.keyId, detail: { scopes } });
    return { kind: 'granted', key };
  });
}

/** Revokes a key at once. A key that was revoked before keeps its time. Null if there is no such key. */
export async function revokeKey(
  database: Database,
  { keyId, person }: { keyId: string; person: string },
): Promise<{ operationId: string; revokedAt: Date } | null> {
  return inTransaction(database, async (transaction) => {
    const { count } = await transaction.apiKey.updateMany({
      where: { keyId, revokedAt: null },
      data: { revokedAt: new Date() },
    });
    const key = await transaction.apiKey.findUnique({ where: { keyId } });
    if (key?.revokedAt == null) return null;
    if (count > 0)
      await appendAudit(transaction, { person, action: 'key.revoke', operationId: key.operationId, subject: keyId });
    return { operationId: key.operationId, revokedAt: key.revokedAt };
  });
}

export type AllowlistChange =
  | { readonly kind: 'set'; readonly networks: readonly string[] }
  /** Production: a second person decides; `networks` are those in force until then. */
  | { readonly kind: 'requested'; readonly request: Requested; readonly networks: readonly string[] }
  | NoSuchOperation;

/** Replaces the operation's allowlist, or in production requests it. */
export async function setAllowlist(
  database: Database,
  order: { operationId: string; networks: readonly string[]; requestedBy: string },
): Promise<AllowlistChange> {
  return inTransaction(database, async (transaction) => {
    const operation = await lockOperation(transaction, order.operationId);
    if (operation === null) return { kind: 'no_such_operation' };
    const act = {
      person: order.requestedBy,
      operationId: order.operationId,
      detail: { networks: [...order.networks] },
    } as const;
    if (operation.environment === 'production') {
      const request = await requestAllowlist(transaction, order);
      await appendAudit(transaction, { ...act, action: 'allowlist.request', subject: request.id });
      return { kind: 'requested', request, networks: await networksOf(transaction, order.operationId) };
    }
    await replaceNetworks(transaction, order.operationId, order.networks);
    await appendAudit(transaction, { ...act, action: 'allowlist.set', subject: order.operationId });
    return { kind: 'set', networks: order.networks };
  });
}
