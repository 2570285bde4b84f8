// Changes that need a second person in production, and the second person's decision. In the sandbox the same change is
// made at once. Each act is stored, used up and audited in the transaction that performs it.
import { APPROVAL_KINDS, type RequestKind } from '../../domain/approvals.js';
import { isSamePerson } from '../../domain/people.js';
import type { Doer } from '../../domain/staff.js';
import type { JsonValue } from '../../domain/rules/canonical-json.js';
import type { ApprovalRequest, Prisma } from '../../prisma/generated/client.js';
import { appendAudit } from '../../store/audit/audit.js';
import type { Database } from '../../store/database.js';
import { lockOperation, type TooManyKeys } from '../../store/operations/access.js';
import { approvalRequestById } from '../../store/operations/approval-request-row.js';
import {
  decideLocked,
  insertRequest,
  isOvertaken,
  lockRequest,
  type ApprovalRequestRef,
} from '../../store/operations/approval-requests.js';
import type { AccountTaken } from '../../store/operations/account-owners.js';
import type { NotConcludable } from '../../store/payments/deposit/provider-requests.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import { type AccessAct, type Actor, doAct, mayAct } from '../../store/staff/acts.js';
import { isPermitted } from '../../store/staff/people.js';
import { peopleCloseTo } from '../../store/staff/policy.js';
import type { NotOpen } from '../../store/statements/items.js';
import type { StatementChanged } from '../../store/statements/removals.js';
import { inTransaction, type Transaction } from '../../store/transactions.js';
import type { CashRefusal } from '../../store/ledger/cash-movements.js';
import { type EndedWait, waitEndedBy } from './wake.js';
import {
  EFFECTS,
  type Effects,
  type NetworksChanged,
  type Payloads,
  REFUSED_AT_ONCE,
  type ApprovalContext,
} from './effects.js';

export interface ChangeServices {
  readonly database: Database;
  /** Opened only for what needs it: stopping something must not wait for a vault. */
  sealer(): Promise<Sealer>;
  /** The environment that this deployment serves. */
  readonly deployment: 'sandbox' | 'production';
  /** Wakes the operation's payments, or all with `null`, because what they wait for has ended. Never throws. */
  wake(operationId: string | null, wait: EndedWait): Promise<void>;
}

export interface ChangeOrder<Kind extends RequestKind> {
  readonly kind: Kind;
  /** `null` if it is about the whole gateway. */
  readonly operationId: string | null;
  readonly payload: Payloads[Kind];
}

export type ChangeResult<Kind extends RequestKind> =
  | Effects[Kind]
  /** Production: a second person decides. */
  | { readonly kind: 'requested'; readonly request: ApprovalRequestRef }
  | { readonly kind: 'no_such_operation' | 'not_permitted' };

/** Makes a change, or in production requests it. */
export async function change<Kind extends RequestKind>(
  services: ChangeServices,
  actor: Actor,
  order: ChangeOrder<Kind>,
): Promise<ChangeResult<Kind>> {
  const changed = await inTransaction(services.database, (transaction) =>
    changeLocked(transaction, services, actor, order),
  );
  if (changed.kind === 'done') await wakeAfter(services, order);
  return changed;
}

async function changeLocked<Kind extends RequestKind>(
  transaction: Transaction,
  { sealer, deployment }: ChangeServices,
  actor: Actor,
  { kind, operationId, payload }: ChangeOrder<Kind>,
): Promise<ChangeResult<Kind>> {
  const { asks, audited } = APPROVAL_KINDS[kind];

  const operation = operationId === null ? null : await lockOperation(transaction, operationId);
  if (operationId !== null && operation === null) return { kind: 'no_such_operation' };
  const act: AccessAct = { actor, kind: asks, operationId, subjectId: operationId ?? 'gateway', deployment };
  if (!(await mayAct(transaction, act))) return { kind: 'not_permitted' };
  const entry = { operationId, detail: detailOf(kind, payload) };
  if ((operation?.environment ?? deployment) === 'production') {
    const refusal = await REFUSED_AT_ONCE[kind]?.({ transaction, sealer, operationId, payload });
    if (refusal != null) return refusal;
    const stored = payload as unknown as Prisma.InputJsonObject;
    const request = await insertRequest(transaction, {
      operationId,
      kind,
      payload: stored,
      requestedBy: actor.handle,
    });
    const person = await done(transaction, { ...act, subjectId: request.id });
    await appendAudit(transaction, { ...entry, person, action: audited.asked, subject: request.id });
    return { kind: 'requested', request };
  }
  const people = { requestedBy: actor.handle, approval: null };
  const effect = await take(kind, { transaction, sealer, operationId, payload, people });
  if (effect.kind !== 'done') return effect;
  const person = await done(transaction, act);
  await appendAudit(transaction, { ...entry, person, action: audited.done, subject: keyOf(effect) ?? operationId });
  return effect;
}

/** Stores an act that the transaction has checked before, and returns its person. */
async function done(transaction: Transaction, act: AccessAct): Promise<Doer> {
  const doer = await doAct(transaction, act);
  if (doer === null) throw new Error('an act that was permitted is not any more');
  return doer;
}

/** Wakes the payments that waited for the end of what the change has ended. */
async function wakeAfter(
  { wake }: ChangeServices,
  { kind, operationId, payload }: ChangeOrder<RequestKind>,
): Promise<void> {
  const wait = waitEndedBy(kind, payload);
  if (wait !== null) await wake(operationId, wait);
}

export type RequestDecision =
  | ApprovalResult[RequestKind]
  | { readonly kind: 'rejected'; readonly operationId: string | null; readonly requested: RequestKind }
  | { readonly kind: 'no_such_request' | 'not_permitted' }
  | { readonly kind: 'decided_before'; readonly status: string; readonly decidedBy: string | null }
  /** The requester cannot approve, nor can whoever is close to them (people_close_to). */
  | { readonly kind: 'same_person' | 'too_close'; readonly requestedBy: string }
  /** It is about the person who would approve it. */
  | { readonly kind: 'yourself' }
  /** The requester is no longer allowed to request it. */
  | { readonly kind: 'requester_not_permitted'; readonly requestedBy: string }
  /** One that was requested later is in force; approving this one would undo it. */
  | { readonly kind: 'overtaken' }
  | { readonly kind: 'unknown_key' | 'no_such_player' | 'payments_open' | 'no_such_passkey' | 'own_code' }
  | { readonly kind: 'key_in_use'; readonly blocks: readonly string[] }
  | NetworksChanged
  | StatementChanged
  | NotOpen
  | NotConcludable
  | CashRefusal
  | AccountTaken
  | TooManyKeys;

/** By kind: what its approval did. */
type ApprovalResult = {
  readonly [Kind in RequestKind]: {
    readonly kind: 'approved';
    readonly requested: Kind;
    readonly operationId: string | null;
    readonly effect: Extract<Effects[Kind], { kind: 'done' }>;
  };
};

export interface DecisionServices extends ChangeServices {
  /** Why a sealing key cannot be retired; empty if it can. */
  retirementBlocks(keyId: string): Promise<readonly string[]>;
}

interface RequestVerdict {
  readonly decision: 'approve' | 'reject';
  readonly reason?: string;
}

/** Decides a request once. The requester may withdraw it (reject), but not approve it. */
export async function decideRequest(
  services: DecisionServices,
  actor: Actor,
  { requestId, ...decided }: RequestVerdict & { readonly requestId: string },
): Promise<RequestDecision> {
  const { decision } = decided;
  const seen = await approvalRequestById(services.database, requestId);
  if (seen === null) return { kind: 'no_such_request' };
  if (decision === 'approve' && seen.kind === 'sealing_key' && seen.status === 'pending') {
    // Reads whole tables, so before anything is locked.
    const { key_id: keyId } = seen.payload as unknown as Payloads['sealing_key'];
    const blocks = await services.retirementBlocks(keyId);
    if (blocks.length > 0) return { kind: 'key_in_use', blocks };
  }
  const outcome = await inTransaction(services.database, async (transaction): Promise<RequestDecision> => {
    // In the order of every other change: the operation first.
    if (seen.operationId !== null) await lockOperation(transaction, seen.operationId);
    const request = await lockRequest(transaction, requestId);
    if (request === null) return { kind: 'no_such_request' };
    return decideOnce(transaction, services, actor, request, decided);
  });
  if (outcome.kind === 'approved') {
    const payload = seen.payload as unknown as Payloads[RequestKind];
    await wakeAfter(services, { kind: outcome.requested, operationId: outcome.operationId, payload });
  }
  return outcome;
}

async function decideOnce(
  transaction: Transaction,
  { sealer, deployment }: ChangeServices,
  actor: Actor,
  request: ApprovalRequest,
  { decision, reason }: RequestVerdict,
): Promise<RequestDecision> {
  const { id, operationId, requestedBy, status, decidedBy } = request;
  const requested = request.kind as RequestKind;
  const { asks, approves, rejects } = APPROVAL_KINDS[requested];
  if (status !== 'pending') return { kind: 'decided_before', status, decidedBy };
  const isOwn = isSamePerson(actor.handle, requestedBy);
  if (isOwn && decision === 'approve') return { kind: 'same_person', requestedBy };
  if (decision === 'approve') {
    const { handle } = request.payload as { readonly handle?: string };
    if (requested !== 'passkey' && handle === actor.handle) return { kind: 'yourself' };
    if ((await peopleCloseTo(transaction, actor.handle)).includes(requestedBy))
      return { kind: 'too_close', requestedBy };
  }
  const kind = isOwn ? asks : decision === 'approve' ? approves : rejects;
  const act = { actor, kind, operationId, subjectId: id, deployment, reason: reason ?? '' };
  if (!(await mayAct(transaction, act))) return { kind: 'not_permitted' };
  const effect = decision === 'approve' ? await approve(transaction, sealer, request, actor.handle) : null;
  if (effect !== null && effect.kind !== 'done') return effect;
  const person = await done(transaction, act);
  await decideLocked(transaction, id, decision === 'approve' ? 'approved' : 'rejected', actor.handle);
  await appendAudit(transaction, {
    person,
    action: `request.${decision}`,
    operationId,
    subject: id,
    detail: {
      asks_for: requested,
      requested_by: requestedBy,
      key_id: effect === null ? null : keyOf(effect),
      ...(reason === undefined || reason === '' ? {} : { reason }),
    },
  });
  if (effect === null) return { kind: 'rejected', operationId, requested };
  return { kind: 'approved', requested, operationId, effect } as ApprovalResult[RequestKind];
}

/** Kinds where an older request would undo a newer one. */
const LATEST_ONLY: ReadonlySet<RequestKind> = new Set(['allowlist', 'webhook', 'provider']);

async function approve(
  transaction: Transaction,
  sealer: ChangeServices['sealer'],
  request: ApprovalRequest,
  approvedBy: string,
): Promise<Effects[RequestKind] | Extract<RequestDecision, { kind: 'requester_not_permitted' | 'overtaken' }>> {
  const { id: requestId, operationId, requestedBy } = request;
  const kind = request.kind as RequestKind;
  // Everybody may make a passkey, and so ask for its confirmation.
  const mayAsk =
    kind === 'passkey' || (await isPermitted(transaction, requestedBy, APPROVAL_KINDS[kind].asks, operationId));
  if (!mayAsk) return { kind: 'requester_not_permitted', requestedBy };
  if (LATEST_ONLY.has(kind) && (await isOvertaken(transaction, request))) return { kind: 'overtaken' };
  const payload = request.payload as unknown as Payloads[RequestKind];
  const people = { requestedBy, approval: { requestId, approvedBy } };
  return take(kind, { transaction, sealer, operationId, payload, people });
}

function take<Kind extends RequestKind>(kind: Kind, taken: ApprovalContext<Kind>): Promise<Effects[Kind]> {
  return EFFECTS[kind](taken);
}

/** The id of the key that was made; null in every other effect. */
function keyOf(effect: Effects[RequestKind]): string | null {
  return 'key' in effect ? effect.key.keyId : null;
}

const ENTRY_MARK_LENGTH = 16;

/** What the audit trail and lists of requests show of a request. */
export function detailOf<Kind extends RequestKind>(
  kind: Kind,
  payload: Payloads[Kind],
): Readonly<Record<string, JsonValue>> {
  if (kind === 'webhook') return { host: new URL((payload as Payloads['webhook']).url).host };
  if (kind !== 'list_removal') return payload as unknown as Readonly<Record<string, JsonValue>>;
  const { kind: of, entry } = payload as Payloads['list_removal'];
  return { list: 'block', kind: of, entry: entry.slice(0, ENTRY_MARK_LENGTH) };
}
