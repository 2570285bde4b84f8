// What people stop at once in an operation, and what they request. Nothing here gives access in production: that takes
// a second person, in the inbox.
import type { Answering, Asked } from '../../contract/panel/routes.js';
import { rotateSecret } from '../../staff/acts/operations.js';
import { change, type ChangeResult } from '../../staff/acts/requests.js';
import { revokeKey, stop } from '../../staff/acts/stops.js';
import { sees, type Viewer } from '../../staff/viewer.js';
import { findItem } from '../../store/ledger/suspense.js';
import { keyById } from '../../store/operations/keys.js';
import { webhookUrlProblem } from '../../domain/webhook-url.js';
import { type Refusal, refuse } from '../refusal.js';
import type { HandlerRequest, Handlers } from '../request.js';
import { changeServices, type PanelServices } from '../services.js';

type AccessHandlers = Handlers<'stopOperation' | 'changeOperation' | 'revokeKey'>;

export function accessHandlers(services: PanelServices): AccessHandlers {
  return {
    stopOperation: (request) => stopOne(services, request),
    changeOperation: (request) => changeOne(services, request),
    revokeKey: (request) => revoke(services, request),
  };
}

async function stopOne(
  services: PanelServices,
  { viewer, params: { operation: operationId }, body: { what, reason } }: HandlerRequest<'stopOperation'>,
): Promise<Answering<'stopOperation'> | Refusal> {
  if (!sees(viewer, operationId)) return refuse('not_found');
  const { kind } = await stop(changeServices(services), viewer, { what, operationId, reason });
  switch (kind) {
    case 'done':
      return { stopped: true };
    case 'no_such_operation':
      return refuse('not_found');
    case 'not_permitted':
      return refuse('not_permitted');
  }
}

async function changeOne(
  services: PanelServices,
  { viewer, params: { operation: operationId }, body }: HandlerRequest<'changeOperation'>,
): Promise<Answering<'changeOperation'> | Refusal> {
  if (!sees(viewer, operationId)) return refuse('not_found');
  const changes = changeServices(services);
  switch (body.kind) {
    case 'resume':
    case 'automatic_resume':
      return changedOf(await change(changes, viewer, { kind: body.kind, operationId, payload: {} }));
    case 'key':
      return changedOf(await change(changes, viewer, { kind: 'key', operationId, payload: { scopes: body.scopes } }));
    case 'allowlist': {
      const payload = { networks: [...new Set(body.networks)], replaces: body.seen };
      return changedOf(await change(changes, viewer, { kind: 'allowlist', operationId, payload }));
    }
    case 'item_return':
    case 'item_credit':
    case 'item_funding':
      return exitOf(services, viewer, operationId, body);
    case 'webhook': {
      const problem = webhookUrlProblem(body.url, services.environment);
      if (problem !== null) return refuse('invalid', { issues: [{ path: 'url', problem }] });
      return changedOf(await change(changes, viewer, { kind: 'webhook', operationId, payload: { url: body.url } }));
    }
    case 'webhook_secret': {
      const order = { operationId, revokeEarlier: body.revoke_earlier };
      return rotatedOf(await rotateSecret(changes, viewer, order));
    }
  }
}

type Exit = Extract<Asked<'changeOperation'>['body'], { payment: string }>;

/** An exit of what is left of a payment in suspense, by the acts of the command. */
async function exitOf(
  services: PanelServices,
  viewer: Viewer,
  operationId: string,
  { payment, left, reason, ...exit }: Exit,
): Promise<Answering<'changeOperation'> | Refusal> {
  const item = await findItem(services.database, operationId, payment);
  if (item === null) return refuse('not_in_suspense');
  const { amount: all, account: provider, deposit } = item;
  if (all.amount !== left) return refuse('stale');
  const changes = changeServices(services);
  if (exit.kind === 'item_return') {
    const payload = { deposit, payment, amount: all, reason };
    return changedOf(await change(changes, viewer, { kind: exit.kind, operationId, payload }));
  }
  const movement = MOVEMENTS[exit.kind];
  const amount = { ...all, amount: exit.amount ?? left };
  const payload = { movement, amount, provider, to_provider: null, document: payment, reason };
  return changedOf(await change(changes, viewer, { kind: 'cash_movement', operationId, payload }));
}

const MOVEMENTS = { item_credit: 'suspense_credited', item_funding: 'suspense_assigned' } as const;

function rotatedOf(rotated: Awaited<ReturnType<typeof rotateSecret>>): Answering<'changeOperation'> | Refusal {
  switch (rotated.kind) {
    case 'rotated': {
      const { secret, previousExpiresAt } = rotated;
      return { status: 'done', key: null, webhook_secret: { secret, previous_expires_at: previousExpiresAt } };
    }
    case 'requested':
      return { status: 'requested', request_id: rotated.request.id };
    case 'two_active':
      return refuse('two_secrets');
    case 'no_such_operation':
      return refuse('not_found');
    case 'not_permitted':
      return refuse('not_permitted');
  }
}

type AskedKind =
  | Exclude<Asked<'changeOperation'>['body']['kind'], 'webhook_secret' | keyof typeof MOVEMENTS>
  | 'cash_movement';

function changedOf(changed: ChangeResult<AskedKind>): Answering<'changeOperation'> | Refusal {
  switch (changed.kind) {
    case 'requested':
      return { status: 'requested', request_id: changed.request.id };
    case 'done': {
      if (!('key' in changed)) return { status: 'done', key: null };
      const { keyId: key_id, secret, scopes } = changed.key;
      return { status: 'done', key: { key_id, secret, scopes: [...scopes] } };
    }
    case 'no_such_operation':
      return refuse('not_found');
    case 'networks_changed':
      return refuse('stale');
    case 'not_permitted':
    case 'not_in_suspense':
    case 'not_covered':
    case 'already_in_books':
    case 'account_in_use':
    case 'account_taken':
    case 'too_many_keys':
      return refuse(changed.kind);
  }
}

async function revoke(
  services: PanelServices,
  { viewer, params: { key }, body }: HandlerRequest<'revokeKey'>,
): Promise<Answering<'revokeKey'> | Refusal> {
  const seen = await keyById(services.database, key);
  if (seen === null || !sees(viewer, seen.operationId)) return refuse('not_found');
  const revoked = await revokeKey(changeServices(services), viewer, { keyId: key, reason: body?.reason });
  switch (revoked.kind) {
    case 'done':
      return { revoked_at: revoked.revokedAt };
    case 'no_such_key':
      return refuse('not_found');
    case 'not_permitted':
      return refuse('not_permitted');
  }
}
