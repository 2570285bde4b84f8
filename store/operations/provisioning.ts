// Onboarding: an operation with everything it needs. Secrets are stored sealed and returned
// once.
import { type Scope, SCOPES } from '../../contract/http/route.js';
import { ENABLED_CURRENCIES } from '../../domain/currencies.js';
import { newId } from '../../domain/identifiers.js';
import { LEDGER_ACCOUNTS } from '../../domain/ledger.js';
import type { AccountName } from '../../domain/provider-accounts.js';
import type { EngineRules } from '../../domain/rules/engine-rules.js';
import type { RuleSet } from '../../domain/rules/rule-set.js';
import type { Doer } from '../../domain/staff.js';
import type { Operation } from '../../prisma/generated/client.js';
import { appendAudit } from '../audit/audit.js';
import { insertRules } from '../rules/rule-sets.js';
import type { Sealer } from '../sealing/sealer.js';
import type { Transaction } from '../transactions.js';
import { type GrantedKey, insertKey, replaceNetworks } from './access.js';
import { AccountIsTaken, useAccount } from './account-owners.js';
import { insertRequest, type ApprovalRequestRef } from './approval-requests.js';
import type { Environment } from './key-material.js';
import { insertWebhookSecret } from './webhook-secrets.js';

export interface NewOperation {
  /** A new id by default. */
  readonly operationId?: string;
  readonly name: string;
  readonly environment: Environment;
  readonly provider: AccountName;
  readonly webhookUrl: string | null;
  /** Stored as version 1. */
  readonly rules: RuleSet;
  /** The engine's own thresholds, if any. */
  readonly engine?: EngineRules | null;
  readonly networks: readonly string[];
  readonly by: Doer;
}

export interface CreatedOperation {
  readonly operationId: string;
  readonly scopes: readonly Scope[];
  /** Null in production, as the key: a second person has to approve `requests`. */
  readonly webhookSecret: string | null;
  readonly key: GrantedKey | null;
  readonly requests: readonly ApprovalRequestRef[];
}

/**
 * Creates the operation with counter, ledger accounts, rule set version 1, webhook secret, networks and a key of every
 * scope. Throws AccountIsTaken for an account that belongs to another operation.
 */
export async function createOperation(
  transaction: Transaction,
  sealer: Sealer,
  order: NewOperation,
): Promise<CreatedOperation> {
  const operation = await insertOperation(transaction, order);
  const own = { account: order.provider, operationId: operation.id };
  if ((await useAccount(transaction, own)) !== null) throw new AccountIsTaken();
  await insertRules(transaction, {
    operationId: operation.id,
    rules: order.rules,
    engine: order.engine ?? null,
    createdBy: order.by.handle,
  });
  // In production nobody is told this one. It signs until the one that a second person approves is made.
  const secret = await insertWebhookSecret(transaction, sealer, operation.id);
  const access =
    order.environment === 'production'
      ? await requestAccess(transaction, operation.id, order)
      : await grantAccess(transaction, sealer, operation, order);
  const { environment, provider, networks } = order;
  await appendAudit(transaction, {
    person: order.by,
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
  return { operationId: operation.id, scopes: SCOPES, webhookSecret: access.key === null ? null : secret, ...access };
}

async function insertOperation(
  transaction: Transaction,
  { operationId = newId('operation'), name, environment, provider, webhookUrl }: NewOperation,
): Promise<Operation> {
  const operation = await transaction.operation.create({
    data: { id: operationId, name, environment, provider, webhookUrl },
  });
  await transaction.operationCounter.create({ data: { operationId: operation.id } });
  await transaction.ledgerAccount.createMany({
    data: ENABLED_CURRENCIES.flatMap(({ code }) =>
      LEDGER_ACCOUNTS.map((account) => ({ operationId: operation.id, provider, currency: code, account })),
    ),
  });
  return operation;
}

async function grantAccess(transaction: Transaction, sealer: Sealer, operation: Operation, { networks }: NewOperation) {
  await replaceNetworks(transaction, operation.id, networks);
  return { key: await insertKey(transaction, sealer, operation, SCOPES), requests: [] };
}

async function requestAccess(transaction: Transaction, operationId: string, { networks, by }: NewOperation) {
  const request = { operationId, requestedBy: by.handle };
  const key = await insertRequest(transaction, { ...request, kind: 'key', payload: { scopes: [...SCOPES] } });
  const secret = { kind: 'webhook_secret', payload: { revoke_earlier: false } } as const;
  const requests = [key, await insertRequest(transaction, { ...request, ...secret })];
  if (networks.length === 0) return { key: null, requests };
  const payload = { networks: [...networks], replaces: [] };
  const allowlist = await insertRequest(transaction, { ...request, kind: 'allowlist', payload });
  return { key: null, requests: [...requests, allowlist] };
}
