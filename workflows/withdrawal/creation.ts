// Creates a withdrawal: the rules decide, the holder of the key is looked up where they need it, and the row is
// inserted in its decided state together with the reservation of its money.
import type { FoundWithdrawal } from '../../contract/temporal/transitions.js';
import type { WithdrawalCreation, WithdrawalOrder } from '../../contract/temporal/withdrawal.js';
import type { AutomaticUse } from '../../domain/rules/automatic-use.js';
import type { KeyOwnerFinding } from '../../domain/rules/verdicts.js';
import type { WithdrawalDecision, WithdrawalSnapshot, WithdrawalStatus } from '../../domain/withdrawal.js';
import { store } from '../steps/activity-proxies.js';
import { nextId, now } from '../steps/clock.js';
import { decideWithdrawal, type KeyOwner, lookUpKeyOwner, type Verdict } from './decision.js';
import { WithdrawalRecord } from './record.js';

export type CreatedWithdrawal =
  | { readonly kind: 'created'; readonly record: WithdrawalRecord; readonly lookupEndToEndId: string | null }
  | Exclude<WithdrawalCreation, { kind: 'created' }>;

/** The state a withdrawal is created in, and the decision behind it. */
interface InitialState {
  readonly status: Extract<WithdrawalStatus, 'approved' | 'under_review' | 'requested'>;
  readonly decision: WithdrawalDecision;
  readonly playerRevision: string | null;
  /** Where an automatic withdrawal counts against the operation's cap; null for the others. */
  readonly automaticUse: AutomaticUse | null;
}

/** When facts change between the decision and the insert, the decision is repeated up to this number. */
const MAX_DECISIONS = 5;

/** Decides the withdrawal and inserts it in its decided state, together with the reservation of its money. */
export async function createWithdrawal(order: WithdrawalOrder): Promise<CreatedWithdrawal> {
  let owner: KeyOwner = { finding: 'not_asked', endToEndId: null, reason: null };
  for (let decisions = 1; ; decisions += 1) {
    // For the decision, a look-up without an answer counts as none: the key must still be checked.
    let verdict = await decideWithdrawal(
      order,
      owner.finding === 'unavailable' ? 'not_asked' : owner.finding,
      'creation',
    );
    if (needsKeyCheck(verdict) && owner.finding === 'not_asked') {
      owner = await lookUpKeyOwner(order);
      if (owner.finding !== 'unavailable') verdict = await decideWithdrawal(order, owner.finding, 'creation');
    }
    if (verdict.kind === 'refuse') return { kind: 'refused', code: verdict.code };
    const initial = initialState(verdict, owner.finding, decisions === MAX_DECISIONS);
    const withdrawal = newWithdrawal(order, initial);
    const event = initial.status === 'requested' ? null : { id: nextId('event'), type: `withdrawal.${initial.status}` };
    const inserted = await store.admitWithdrawal({
      order,
      withdrawal,
      event,
      playerRevision: initial.playerRevision,
      automaticUse: initial.automaticUse,
    });
    switch (inserted.kind) {
      case 'admitted':
        return created(
          order,
          inserted.found ?? { withdrawal, events: event === null ? [] : [event] },
          owner.endToEndId,
        );
      case 'duplicate':
        return inserted;
      case 'insufficient_balance':
        return { kind: 'refused', code: 'insufficient_operation_balance' };
      case 'document_mismatch':
        return { kind: 'refused', code: 'document_mismatch' };
      case 'stale':
        if (decisions >= MAX_DECISIONS) return { kind: 'refused', code: 'document_mismatch' };
    }
  }
}

function created(order: WithdrawalOrder, stored: FoundWithdrawal, lookupEndToEndId: string | null): CreatedWithdrawal {
  const record = new WithdrawalRecord(order, stored.withdrawal);
  record.adopt(stored);
  return { kind: 'created', record, lookupEndToEndId };
}

function needsKeyCheck(verdict: Verdict): boolean {
  return verdict.kind !== 'refuse' && verdict.keyCheckNeeded;
}

/** `unguarded`: the facts changed at every try. People decide, and the insert compares nothing. */
function initialState(
  verdict: Exclude<Verdict, { kind: 'refuse' }>,
  finding: KeyOwnerFinding,
  unguarded: boolean,
): InitialState {
  const { ruleSetVersion } = verdict;
  const manual = { mode: 'manual', ruleSetVersion, decidedBy: [], decidedAt: null } as const;
  const playerRevision = unguarded ? null : verdict.playerRevision;
  const byPeople = { playerRevision, automaticUse: null };
  if (verdict.keyCheckNeeded && finding === 'unavailable')
    return { status: 'requested', ...byPeople, decision: { ...manual, reasons: [] } };
  if (verdict.kind === 'review')
    return { status: 'under_review', ...byPeople, decision: { ...manual, reasons: verdict.reasons } };
  if (unguarded)
    return { status: 'under_review', ...byPeople, decision: { ...manual, reasons: ['RULES_UNAVAILABLE'] } };
  const decision = { mode: 'automatic', reasons: [], ruleSetVersion, decidedBy: [], decidedAt: now() } as const;
  return { status: 'approved', playerRevision, automaticUse: verdict.automaticUse ?? null, decision };
}

function newWithdrawal(order: WithdrawalOrder, { status, decision }: InitialState): WithdrawalSnapshot {
  const at = now();
  return {
    id: order.withdrawalId,
    operationId: order.operationId,
    externalId: order.externalId,
    status,
    version: 1,
    amountMinor: order.amountMinor,
    currency: order.currency,
    feeMinor: null,
    method: 'pix',
    playerRef: order.playerRef,
    provider: order.provider,
    decision,
    pspReference: null,
    failureCode: null,
    createdAt: at,
    updatedAt: at,
    paidAt: null,
  };
}
