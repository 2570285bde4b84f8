// Onboarding: operations, their keys, networks and webhook secrets. Each function is one transaction. Expected refusals
// are values; secrets are stored sealed (`sealBytes` of their UTF-8 bytes) and returned once.
import { randomUUID } from 'node:crypto';
import { type Scope, SCOPES } from '../../contract/http/route.js';
import { ENABLED_CURRENCIES } from '../../domain/currencies.js';
import { newId } from '../../domain/identifiers.js';
import { LEDGER_ACCOUNTS } from '../../domain/ledger.js';
import type { EngineRules } from '../../domain/rules/engine-rules.js';
import type { RuleSet } from '../../domain/rules/rule-set.js';
import type { Operation } from '../../prisma/generated/client.js';
import { requestAllowlist, requestKey, type Requested } from './approval-requests.js';
import { appendAudit } from '../audit/audit.js';
import type { Database } from '../database.js';
import { insertRules } from '../rules/engine-rules.js';
import { type Environment, newWebhookSecret } from './key-material.js';
import {
  ACTIVE_KEYS_PER_SCOPES,
  activeKeysOf,
  type GrantedKey,
  inTransaction,
  insertKey,
  lockOperation,
  networksOf,
  replaceNetworks,
  type TooManyKeys,
  type Transaction,
} from './access.js';
import type { Sealer } from '../sealing/sealer.js';

/** How long an earlier webhook secret still signs after a rotation (specification, "Secret rotation"). */
export const WEBHOOK_SECRET_OVERLAP_DAYS = 7;

export type NoSuchOperation = { readonly kind: 'no_such_operation' };
export interface NewOperation {
  readonly name: string;
  readonly environment: Environment;
  readonly provider: 'simulator' | 'a' | 'b';
  readonly webhookUrl: string | null;
  /** It becomes version 1. */
  readonly rules: RuleSet;
  /** The engine's own thresholds; none without. */
  readonly engine?: EngineRules | null;
  readonly networks: readonly string[];
  readonly requestedBy: string;
}

export interface CreatedOperation {
  readonly operationId: string;
  readonly scopes: readonly Scope[];
  readonly webhookSecret: string;
  /** Null in production, where a second person has to approve `requests`. */
  readonly key: GrantedKey | null;
  readonly requests: readonly Requested[];
}

/** Makes an operation whole: counter, ledger accounts, rule set version 1, webhook secret, networks and a key with every scope. */
export async function createOperation(
  database: Database,
  sealer: Sealer,
  order: NewOperation,
): Promise<CreatedOperation> {
  return inTransaction(database, async (transaction) => {
    const operation = await insertOperation(transaction, order);
    await insertRules(transaction, {
      operationId: operation.id,
      rules: order.rules,
      engine: order.engine ?? null,
      createdBy: order.requestedBy,
    });
    const webhookSecret = await insertWebhookSecret(transaction, sealer, operation.id);
    const access =
      order.environment === 'production'
        ? await requestAccess(transaction, operation.id, order)
        : await grantAccess(transaction, sealer, operation, order);
    const { environment, provider, networks } = order;
    await appendAudit(transaction, {
      person: order.requestedBy,
      action: 'operation.create',
      operationId: operation.id,
      subject: operation.id,
      detail: {
        environment,
        provider,
        networks: [...networks],
        key_id: access.key?.keyId ?? null,
        requests: access.requests.map(({ id }) => id),
      },
    });
    return { operationId: operation.id, scopes: SCOPES, webhookSecret, ...access };
  });
}

async function insertOperation(
  transaction: Transaction,
  { name, environment, provider, webhookUrl }: NewOperation,
): Promise<Operation> {
  const operation = await transaction.operation.create({
    data: { id: newId('operation'), name, environment, provider, webhookUrl },
  });
  await transaction.operationCounter.create({ data: { operationId: operation.id } });
  await transaction.ledgerAccount.createMany({
    data: ENABLED_CURRENCIES.flatMap(({ code }) =>
      LEDGER_ACCOUNTS.map((account) => ({ operationId: operation.id, currency: code, account })),
    ),
  });
  return operation;
}

async function grantAccess(transaction: Transaction, sealer: Sealer, operation: Operation, { networks }: NewOperation) {
  await replaceNetworks(transaction, operation.id, networks);
  return { key: await insertKey(transaction, sealer, operation, SCOPES), requests: [] };
}

async function requestAccess(transaction: Transaction, operationId: string, { networks, requestedBy }: NewOperation) {
  const key = await requestKey(transaction, { operationId, scopes: SCOPES, requestedBy });
  if (networks.length === 0) return { key: null, requests: [key] };
  return { key: null, requests: [key, await requestAllowlist(transaction, { operationId, networks, requestedBy })] };
}

export type KeyCreation =
  | { readonly kind: 'granted'; readonly key: GrantedKey }
  /** Production: a second person decides. */
  | { readonly kind: 'requested'; readonly request: Requested }
  | NoSuchOperation
  | TooManyKeys;

/** A key with these scopes, or in production the request for one. At most two with the same scopes are active. */
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
  /** Production: a second person decides; `networks` is what holds until then. */
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

export type WebhookSecretRotation =
  | {
      readonly kind: 'rotated';
      readonly secret: string;
      /** Until when the earlier secret still signs; null if none does. */ readonly previousExpiresAt: Date | null;
    }
  /** A rotation is under way: two secrets sign already. */
  | { readonly kind: 'two_active'; readonly until: Date }
  | NoSuchOperation;

/** A new webhook secret. The earlier one signs beside it for seven days, or, with `revokeEarlier`, not at all. */
export async function rotateWebhookSecret(
  database: Database,
  sealer: Sealer,
  { operationId, revokeEarlier, person }: { operationId: string; revokeEarlier: boolean; person: string },
): Promise<WebhookSecretRotation> {
  return inTransaction(database, async (transaction) => {
    if ((await lockOperation(transaction, operationId)) === null) return { kind: 'no_such_operation' };
    const now = new Date();
    const active = await transaction.webhookSecret.findMany({
      where: { operationId, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
    });
    const ending = active.find(({ expiresAt }) => expiresAt !== null);
    if (!revokeEarlier && active.length > 1 && ending?.expiresAt != null)
      return { kind: 'two_active', until: ending.expiresAt };
    const expiresAt = revokeEarlier ? now : new Date(now.getTime() + WEBHOOK_SECRET_OVERLAP_DAYS * 86_400_000);
    await transaction.webhookSecret.updateMany({
      where: { id: { in: active.map(({ id }) => id) } },
      data: { expiresAt },
    });
    const secret = await insertWebhookSecret(transaction, sealer, operationId);
    await appendAudit(transaction, {
      person,
      action: 'webhook_secret.rotate',
      operationId,
      subject: operationId,
      detail: { revoke_earlier: revokeEarlier },
    });
    return { kind: 'rotated', secret, previousExpiresAt: revokeEarlier || active.length === 0 ? null : expiresAt };
  });
}

async function insertWebhookSecret(transaction: Transaction, sealer: Sealer, operationId: string): Promise<string> {
  const secret = newWebhookSecret();
  await transaction.webhookSecret.create({
    data: { id: randomUUID(), operationId, secretSealed: sealer.sealBytes(Buffer.from(secret, 'utf8')) },
  });
  return secret;
}

/** Suspends or resumes. The same status twice is no fault. False if there is no such operation. */
export async function setOperationStatus(
  database: Database,
  order: { operationId: string; status: 'active' | 'suspended'; person: string },
): Promise<boolean> {
  const { operationId, status, person } = order;
  return inTransaction(database, async (transaction) => {
    const { count } = await transaction.operation.updateMany({ where: { id: operationId }, data: { status } });
    if (count !== 1) return false;
    await appendAudit(transaction, {
      person,
      action: status === 'active' ? 'operation.resume' : 'operation.suspend',
      operationId,
      subject: operationId,
    });
    return true;
  });
}

/** Where the operation's webhooks go from now on; the caller checked the address. False if there is no such operation. */
export async function setWebhookUrl(
  database: Database,
  order: { operationId: string; webhookUrl: string; person: string },
): Promise<boolean> {
  const { operationId, webhookUrl, person } = order;
  return inTransaction(database, async (transaction) => {
    const { count } = await transaction.operation.updateMany({ where: { id: operationId }, data: { webhookUrl } });
    if (count !== 1) return false;
    await appendAudit(transaction, {
      person,
      action: 'webhook.set',
      operationId,
      subject: operationId,
      detail: { host: new URL(webhookUrl).host },
    });
    return true;
  });
}
