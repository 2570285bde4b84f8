// What one person may always stop: an operation's calls, its automatic withdrawals, a provider, and a key. Starting
// again takes two people in production (requests.ts), so a stop also rejects the requests that wait for it.
import type { RequestKind } from '../../domain/approvals.js';
import type { AccountName } from '../../domain/provider-accounts.js';
import type { AccessActKind } from '../../domain/staff.js';
import { appendAudit } from '../../store/audit/audit.js';
import { lockOperation } from '../../store/operations/access.js';
import { rejectPending } from '../../store/operations/approval-requests.js';
import { keyById, markKeyRevoked } from '../../store/operations/keys.js';
import { pauseProvider } from '../../store/operations/provider-pauses.js';
import { type OperationChange, updateOperation } from '../../store/operations/operations.js';
import { type Actor, doAct } from '../../store/staff/acts.js';
import { inTransaction } from '../../store/transactions.js';
import type { ChangeServices } from './requests.js';

interface Stop {
  readonly act: AccessActKind;
  /** The requests that would start it again. */
  readonly resumedBy: RequestKind;
  stopped(at: Date): OperationChange;
}

const STOPS = {
  operation: { act: 'operation.suspend', resumedBy: 'resume', stopped: () => ({ status: 'suspended' }) },
  automatic: { act: 'automatic.stop', resumedBy: 'automatic_resume', stopped: (at) => ({ automaticStoppedAt: at }) },
} as const satisfies Readonly<Record<string, Stop>>;

export type StopResult = { readonly kind: 'done' | 'no_such_operation' | 'not_permitted' };

/** Stops the operation's calls, or its automatic withdrawals. Doing it again is allowed. */
export function stop(
  { database, deployment }: ChangeServices,
  actor: Actor,
  {
    what,
    operationId,
    reason,
  }: { readonly what: keyof typeof STOPS; readonly operationId: string; readonly reason?: string | undefined },
): Promise<StopResult> {
  const { act, resumedBy, stopped }: Stop = STOPS[what];
  const person = actor.handle;
  return inTransaction(database, async (transaction): Promise<StopResult> => {
    if ((await lockOperation(transaction, operationId)) === null) return { kind: 'no_such_operation' };
    const doer = await doAct(transaction, { actor, kind: act, operationId, subjectId: operationId, deployment });
    if (doer === null) return { kind: 'not_permitted' };
    await updateOperation(transaction, operationId, stopped(new Date()));
    const rejected = await rejectPending(transaction, { operationId, kind: resumedBy, person });
    const detail = { ...given(reason), ...(rejected.length === 0 ? {} : { rejected }) };
    await appendAudit(transaction, { person: doer, action: act, operationId, subject: operationId, detail });
    return { kind: 'done' };
  });
}

export type PauseResult = { readonly kind: 'done' | 'not_permitted' };

/** Pauses a provider: no charge is created and nothing is sent there. Doing it again is allowed. */
export function pause(
  { database, deployment }: ChangeServices,
  actor: Actor,
  { provider, reason }: { readonly provider: AccountName; readonly reason: string },
): Promise<PauseResult> {
  const person = actor.handle;
  return inTransaction(database, async (transaction): Promise<PauseResult> => {
    const act = { actor, kind: 'provider.pause', operationId: null, subjectId: provider, deployment } as const;
    const doer = await doAct(transaction, act);
    if (doer === null) return { kind: 'not_permitted' };
    await pauseProvider(transaction, { provider, pausedBy: person, reason });
    const resumptions = { operationId: null, kind: 'provider_resume', person, payload: { provider } } as const;
    const rejected = await rejectPending(transaction, resumptions);
    const detail = { reason, ...(rejected.length === 0 ? {} : { rejected }) };
    await appendAudit(transaction, { person: doer, action: act.kind, operationId: null, subject: provider, detail });
    return { kind: 'done' };
  });
}

export type RevocationResult =
  | { readonly kind: 'done'; readonly operationId: string; readonly revokedAt: Date }
  | { readonly kind: 'no_such_key' | 'not_permitted' };

/** A stop needs no reason; the audit entry keeps one that was given. */
function given(reason: string | undefined) {
  return reason === undefined ? {} : { reason };
}

/** Revokes a key at once. A key that was revoked before keeps its time. */
export function revokeKey(
  { database, deployment }: ChangeServices,
  actor: Actor,
  { keyId, reason }: { readonly keyId: string; readonly reason?: string | undefined },
): Promise<RevocationResult> {
  return inTransaction(database, async (transaction): Promise<RevocationResult> => {
    const key = await keyById(transaction, keyId);
    if (key === null) return { kind: 'no_such_key' };
    const { operationId } = key;
    const person = await doAct(transaction, { actor, kind: 'key.revoke', operationId, subjectId: keyId, deployment });
    if (person === null) return { kind: 'not_permitted' };
    const { revokedAt, isNew } = await markKeyRevoked(transaction, keyId);
    const entry = { person, action: 'key.revoke', operationId, subject: keyId, detail: given(reason) } as const;
    if (isNew) await appendAudit(transaction, entry);
    return { kind: 'done', operationId, revokedAt };
  });
}
