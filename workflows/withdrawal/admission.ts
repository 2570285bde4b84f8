// How a withdrawal comes to be: the rules decide, the key's holder is looked up where they ask for it, and the row is made in
// its decided state together with the reservation of its money.
import { ActivityFailure } from '@temporalio/workflow';
import type { FoundWithdrawal } from '../../contract/temporal/transitions.js';
import type { WithdrawalCreation, WithdrawalOrder } from '../../contract/temporal/withdrawal.js';
import type { AutomaticUse } from '../../domain/rules/automatic-use.js';
import { isWithdrawalVerdict, type KeyOwnerFinding, type WithdrawalVerdict } from '../../domain/rules/verdicts.js';
import {
  REJECTING_REASONS,
  type WithdrawalDecision,
  type WithdrawalSnapshot,
  type WithdrawalStatus,
} from '../../domain/withdrawal.js';
import { keyDirectory, rules, store } from '../steps/activity-proxies.js';
import { errorCodeOf } from '../steps/asking.js';
import { nextId, now } from '../steps/clock.js';
import { askRules } from '../steps/rules-answer.js';
import { WithdrawalRecord } from './record.js';

export type AdmittedWithdrawal =
  | { readonly kind: 'admitted'; readonly record: WithdrawalRecord; readonly lookupEndToEndId: string | null }
  | Exclude<WithdrawalCreation, { kind: 'created' }>;

/** A decided birth state and what it was decided from. */
interface Birth {
  readonly status: Extract<WithdrawalStatus, 'approved' | 'under_review' | 'requested'>;
  readonly decision: WithdrawalDecision;
  readonly playerRevision: string | null;
  /** Of an automatic one: where it counts against the operation's cap. */
  readonly automaticUse: AutomaticUse | null;
}

/** Facts can change between the decision and the row; then the decision is made again, a bounded number of times. */
const MAX_DECISIONS = 5;

export async function admitWithdrawal(order: WithdrawalOrder): Promise<AdmittedWithdrawal> {
  let owner: KeyOwner = { finding: 'not_asked', endToEndId: null, reason: null };
  for (let decisions = 1; ; decisions += 1) {
    // A directory that did not answer has not been asked, as far as the decision goes: the check is still to be made.
    let verdict = await decide(order, owner.finding === 'unavailable' ? 'not_asked' : owner.finding, 'creation');
    if (needsKeyCheck(verdict) && owner.finding === 'not_asked') {
      owner = await lookUpKeyOwner(order);
      if (owner.finding !== 'unavailable') verdict = await decide(order, owner.finding, 'creation');
    }
    if (verdict.kind === 'refuse') return { kind: 'refused', code: verdict.code };
    const birth = birthOf(verdict, owner.finding, decisions === MAX_DECISIONS);
    const withdrawal = newWithdrawal(order, birth);
    const event = birth.status === 'requested' ? null : { id: nextId('event'), type: `withdrawal.${birth.status}` };
    const admission = await store.admitWithdrawal({
      order,
      withdrawal,
      event,
      playerRevision: birth.playerRevision,
      automaticUse: birth.automaticUse,
    });
    switch (admission.kind) {
      case 'admitted':
        return admitted(
          order,
          admission.found ?? { withdrawal, events: event === null ? [] : [event] },
          owner.endToEndId,
        );
      case 'duplicate':
        return admission;
      case 'insufficient_balance':
        return { kind: 'refused', code: 'insufficient_operation_balance' };
      case 'document_mismatch':
        return { kind: 'refused', code: 'document_mismatch' };
      case 'stale':
        if (decisions >= MAX_DECISIONS) return { kind: 'refused', code: 'document_mismatch' };
    }
  }
}

function admitted(
  order: WithdrawalOrder,
  stored: FoundWithdrawal,
  lookupEndToEndId: string | null,
): AdmittedWithdrawal {
  const record = new WithdrawalRecord(order, stored.withdrawal);
  record.adopt(stored);
  return { kind: 'admitted', record, lookupEndToEndId };
}

/** What each decision is called in the withdrawal's history. */
const DECISIONS = {
  creation: 'decide the withdrawal',
  dict: 'decide the withdrawal again, with the holder of its key',
} as const;

/** The rules' verdict; where the engine is down or incoherent, people decide (never a 503). */
export async function decide(
  order: WithdrawalOrder,
  keyOwner: KeyOwnerFinding,
  stage: 'creation' | 'dict',
): Promise<WithdrawalVerdict | UndecidedVerdict> {
  const question = { order, at: now(), keyOwner, stage };
  const answer = await askRules(() => rules.decideWithdrawal(DECISIONS[stage], question), isWithdrawalVerdict);
  if (answer.kind === 'verdict') return answer.verdict;
  const reason = answer.kind === 'unavailable' ? 'RULES_UNAVAILABLE' : 'RULES_INVALID_RESPONSE';
  return { kind: 'review', reasons: [reason], ruleSetVersion: 0, keyCheckNeeded: false, playerRevision: null };
}

interface UndecidedVerdict {
  readonly kind: 'review';
  readonly reasons: readonly string[];
  readonly ruleSetVersion: number;
  readonly keyCheckNeeded: false;
  readonly playerRevision: null;
}

/** What was learned of the key's holder. */
export interface KeyOwner {
  readonly finding: KeyOwnerFinding;
  readonly endToEndId: string | null;
  /** Why there was no answer: a code; null where there was one. */
  readonly reason: string | null;
}

/** One look at the directory. No answer is `unavailable`: the withdrawal then waits in `requested`. */
export async function lookUpKeyOwner(order: WithdrawalOrder): Promise<KeyOwner> {
  try {
    return await keyDirectory.lookUpKeyOwner('look up the holder of the PIX key', { order });
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    return { finding: 'unavailable', endToEndId: null, reason: errorCodeOf(error) };
  }
}

function needsKeyCheck(verdict: WithdrawalVerdict | UndecidedVerdict): boolean {
  return verdict.kind !== 'refuse' && verdict.keyCheckNeeded;
}

/** `unguarded`: facts kept changing, so people decide and nothing is compared any more. */
function birthOf(
  verdict: Exclude<WithdrawalVerdict | UndecidedVerdict, { kind: 'refuse' }>,
  finding: KeyOwnerFinding,
  unguarded: boolean,
): Birth {
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
  return { status: 'approved', playerRevision, automaticUse: automaticUseOf(verdict), decision };
}

/** Null in the answers of workers of an earlier release. */
function automaticUseOf(verdict: object): AutomaticUse | null {
  return 'automaticUse' in verdict ? ((verdict as { automaticUse?: AutomaticUse }).automaticUse ?? null) : null;
}

function newWithdrawal(order: WithdrawalOrder, { status, decision }: Birth): WithdrawalSnapshot {
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

/** What the rules say of a withdrawal that waited for its key's holder. False: the automatic cap has no room for it any more. */
export async function decideRequested(record: WithdrawalRecord, verdict: WithdrawalVerdict): Promise<boolean> {
  const { ruleSetVersion, reasons } = verdict;
  const decision = { mode: 'manual', reasons, ruleSetVersion, decidedBy: [], decidedAt: null } as const;
  if (verdict.kind === 'automatic') {
    return record.moveWithin(automaticUseOf(verdict), 'decided_automatic', {
      decision: { ...decision, mode: 'automatic', decidedAt: now() },
    });
  }
  const rejects =
    verdict.kind === 'refuse' && reasons.some((reason) => (REJECTING_REASONS as readonly string[]).includes(reason));
  await (rejects
    ? record.move('blocked', { decision: { ...decision, decidedAt: now() } })
    : record.move('decided_manual', { decision }));
  return true;
}
