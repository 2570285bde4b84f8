// Onboarding an operation, and rotating the secret that its webhooks are signed with.
import { newId } from '../../domain/identifiers.js';
import { lockOperation } from '../../store/operations/access.js';
import { AccountIsTaken, type AccountTaken } from '../../store/operations/account-owners.js';
import { type CreatedOperation, createOperation, type NewOperation } from '../../store/operations/provisioning.js';
import {
  rotateWebhookSecret,
  rotationUnderWay,
  type WebhookSecretRotation,
} from '../../store/operations/webhook-secrets.js';
import { type Actor, doAct, mayAct } from '../../store/staff/acts.js';
import { inTransaction } from '../../store/transactions.js';
import type { ChangeServices } from './requests.js';
import { type ApprovalRequested, useApproval } from './used-approvals.js';

type OperationSettings = Omit<NewOperation, 'operationId' | 'by'>;

/** Creates an operation. It is an act on the gateway: the person needs the role in every operation. */
export async function addOperation(
  { database, sealer, deployment }: ChangeServices,
  actor: Actor,
  order: OperationSettings,
): Promise<({ readonly kind: 'created' } & CreatedOperation) | { readonly kind: 'not_permitted' } | AccountTaken> {
  const [operationId, opened] = [newId('operation'), await sealer()];
  return inTransaction(database, async (transaction) => {
    const act = { actor, kind: 'operation.create', operationId: null, subjectId: operationId, deployment } as const;
    const by = await doAct(transaction, act);
    if (by === null) return { kind: 'not_permitted' as const };
    const created = await createOperation(transaction, opened, { ...order, operationId, by });
    return { kind: 'created' as const, ...created };
  }).catch((error: unknown) => {
    if (error instanceof AccountIsTaken) return error.refusal;
    throw error;
  });
}

/** Makes a new secret, which is answered once; in production only after a second person has approved it. */
export async function rotateSecret(
  { database, sealer, deployment }: ChangeServices,
  actor: Actor,
  { operationId, revokeEarlier }: { readonly operationId: string; readonly revokeEarlier: boolean },
): Promise<WebhookSecretRotation | ApprovalRequested | { readonly kind: 'no_such_operation' | 'not_permitted' }> {
  const opened = await sealer();
  return inTransaction(database, async (transaction) => {
    const operation = await lockOperation(transaction, operationId);
    if (operation === null) return { kind: 'no_such_operation' };
    const act = { actor, kind: 'webhook_secret.rotate', operationId, subjectId: operationId, deployment } as const;
    if (!(await mayAct(transaction, act))) return { kind: 'not_permitted' };
    // Before anything is used up: an approval is not lost on a rotation that cannot be.
    const underWay = await rotationUnderWay(transaction, { operationId, revokeEarlier });
    if (underWay !== null) return underWay;
    const order = { operationId, kind: 'webhook_secret', payload: { revoke_earlier: revokeEarlier } } as const;
    const used = await useApproval(transaction, act, { ...order, environment: operation.environment });
    if (used.kind === 'requested') return used;
    const person = (await doAct(transaction, act)) ?? actor;
    const { approval } = used;
    return rotateWebhookSecret(transaction, opened, { operationId, revokeEarlier, person, approval });
  });
}
