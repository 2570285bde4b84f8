// Onboarding an operation, and rotating the secret that its webhooks are signed with.
import { newId } from '../../domain/identifiers.js';
import { lockOperation } from '../../store/operations/access.js';
import { AccountIsTaken, type AccountTaken } from '../../store/operations/account-owners.js';
import { type CreatedOperation, createOperation, type NewOperation } from '../../store/operations/provisioning.js';
import { rotateWebhookSecret, type WebhookSecretRotation } from '../../store/operations/webhook-secrets.js';
import { type Actor, doAct } from '../../store/staff/acts.js';
import { inTransaction } from '../../store/transactions.js';
import type { ChangeServices } from './requests.js';

type Ordered = Omit<NewOperation, 'operationId' | 'by'>;

/** Creates an operation. It is an act on the gateway: the person needs the role in every operation. */
export async function addOperation(
  { database, sealer, deployment }: ChangeServices,
  actor: Actor,
  order: Ordered,
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

export async function rotateSecret(
  { database, sealer, deployment }: ChangeServices,
  actor: Actor,
  { operationId, revokeEarlier }: { readonly operationId: string; readonly revokeEarlier: boolean },
): Promise<WebhookSecretRotation | { readonly kind: 'no_such_operation' | 'not_permitted' }> {
  const opened = await sealer();
  return inTransaction(database, async (transaction) => {
    if ((await lockOperation(transaction, operationId)) === null) return { kind: 'no_such_operation' };
    const act = { actor, kind: 'webhook_secret.rotate', operationId, subjectId: operationId, deployment } as const;
    const person = await doAct(transaction, act);
    if (person === null) return { kind: 'not_permitted' };
    return rotateWebhookSecret(transaction, opened, { operationId, revokeEarlier, person });
  });
}
