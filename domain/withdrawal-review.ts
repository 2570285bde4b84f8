// What people and the rules decide about a stored withdrawal: pure functions of its record. Each returns what follows;
// the step stores it.
import type { ActResult, PersonAct } from './act-result.js';
import type { ReviewDecision } from './deposit.js';
import { isSamePerson } from './people.js';
import type { KeyOwnerFinding, WithdrawalVerdict } from './rules/verdicts.js';
import { isDoneTo, permittedAct, type StaffAct, type StaffActRefusal, usedAct } from './staff.js';
import { type WithdrawalChange, type WithdrawalRecord, sendStateOf } from './withdrawal-record.js';
import { approvalsNeeded, isRejecting, mayHaveLeft, withdrawalAllows, type WithdrawalDecision } from './withdrawal.js';

/** The reason of a withdrawal that the rules did not decide. */
export type WithoutVerdict = 'RULES_UNAVAILABLE' | 'RULES_INVALID_RESPONSE';

export type ActRefusal = 'invalid_state' | 'same_person' | 'not_judged' | 'refused_by_rules' | StaffActRefusal;
export type WithdrawalActResult = ActResult<WithdrawalChange, ActRefusal>;

/** The approvals that count. */
export function approvalsGiven({ decidedBy }: WithdrawalDecision): number {
  return decidedBy.filter(({ decision }) => decision === 'approve').length;
}

/** One person's approval: the last of those that are needed approves, an earlier one is a note. */
export function approve(record: WithdrawalRecord, given: PersonAct): WithdrawalActResult {
  const { status, decision } = record.snapshot;
  if (isStored(decision, given)) return 'done';
  if (!withdrawalAllows('approve', status)) return 'invalid_state';
  switch (record.judgement) {
    case 'none':
      return 'not_judged';
    case 'refused':
      return 'refused_by_rules';
    case 'passed':
      break;
  }
  // The same person cannot approve twice, but may refuse what they approved.
  const others = decision.decidedBy.map(({ person }) => person);
  const act = permittedAct(given.stored, 'withdrawal.approve', record.snapshot, others);
  if (typeof act === 'string') return act;
  if (others.some((person) => isSamePerson(person, act.handle))) return 'same_person';
  const uses = usedAct(act, 'withdrawal.approve', others);
  const decided = decidedAlso(decision, 'approve', act, given.at);
  const isLast = approvalsGiven(decided) >= approvalsNeeded(decided.reasons);
  return isLast
    ? { trigger: 'approve', fields: { decision: { ...decided, decidedAt: given.at } }, uses }
    : { trigger: null, fields: { decision: decided }, uses };
}

/** One person's refusal, which is enough. */
export function refuse(record: WithdrawalRecord, given: PersonAct): WithdrawalActResult {
  const { status, decision } = record.snapshot;
  if (isStored(decision, given)) return 'done';
  if (!withdrawalAllows('refuse', status)) return 'invalid_state';
  const act = permittedAct(given.stored, 'withdrawal.refuse', record.snapshot);
  if (typeof act === 'string') return act;
  return {
    trigger: 'refuse',
    fields: { decision: { ...decidedAlso(decision, 'refuse', act, given.at), decidedAt: given.at } },
    uses: usedAct(act, 'withdrawal.refuse'),
  };
}

/** The operator's cancel. It comes too late once the send may have left. */
export function cancel(record: WithdrawalRecord): WithdrawalActResult {
  if (record.snapshot.status === 'cancelled') return 'done';
  return isCancellable(record) ? { trigger: 'cancel' } : 'invalid_state';
}

/** A person's cancel of the withdrawal at the version that the person saw. */
export function cancelByStaff(record: WithdrawalRecord, { stored, at }: PersonAct): WithdrawalActResult {
  const kind = 'withdrawal.cancel';
  if (isDoneTo(stored, kind, record.snapshot)) return 'done';
  const act = permittedAct(stored, kind, record.snapshot);
  if (typeof act === 'string') return act;
  if (!isCancellable(record)) return 'invalid_state';
  const { handle: person, reason } = act;
  const cancelled = { person, decision: 'cancel', reason, at, number: 'cancel' } as const;
  return { trigger: 'cancel', cancelled, uses: usedAct(act, kind) };
}

function isCancellable(record: WithdrawalRecord): boolean {
  return withdrawalAllows('cancel', record.snapshot.status) && !mayHaveLeft(sendStateOf(record));
}

function isStored({ decidedBy }: WithdrawalDecision, { actId }: PersonAct): boolean {
  return decidedBy.some((act) => act.actId === actId);
}

function decidedAlso(
  decision: WithdrawalDecision,
  kind: Extract<ReviewDecision['decision'], 'approve' | 'refuse'>,
  { id: actId, handle: person, reason }: StaffAct,
  at: string,
): WithdrawalDecision {
  return { ...decision, decidedBy: [...decision.decidedBy, { actId, person, decision: kind, reason, at }] };
}

/** What the verdict does to a `requested` withdrawal. */
export function requestedDecision(verdict: WithdrawalVerdict, at: string): WithdrawalChange {
  const { ruleSetVersion, reasons } = verdict;
  const byPeople = { mode: 'manual', reasons, ruleSetVersion, decidedBy: [], decidedAt: null } as const;
  switch (verdict.kind) {
    case 'automatic':
      return {
        trigger: 'decided_automatic',
        judgement: 'passed',
        fields: { decision: { ...byPeople, mode: 'automatic', decidedAt: at } },
        automaticUse: verdict.automaticUse ?? null,
      };
    case 'review':
      return { trigger: 'decided_manual', judgement: 'passed', fields: { decision: byPeople } };
    case 'refuse':
      return reasons.some(isRejecting)
        ? { trigger: 'blocked', judgement: 'refused', fields: { decision: { ...byPeople, decidedAt: at } } }
        : { trigger: 'decided_manual', judgement: 'refused', fields: { decision: byPeople } };
  }
}

/** A `requested` withdrawal that the rules gave no verdict on goes to people, who cannot approve it yet. */
export function requestedUndecided(reason: WithoutVerdict): WithdrawalChange {
  const decision = { mode: 'manual', reasons: [reason], ruleSetVersion: 0, decidedBy: [], decidedAt: null } as const;
  return { trigger: 'decided_manual', judgement: 'none', fields: { decision } };
}

/**
 * The rules' later verdict on a withdrawal under review that they had not judged. It stays under review in any case,
 * and its original reason stays the first one.
 */
export function laterJudgement(record: WithdrawalRecord, verdict: WithdrawalVerdict): WithdrawalChange {
  const { decision } = record.snapshot;
  const reasons = [...new Set([...decision.reasons, ...verdict.reasons])];
  return {
    trigger: null,
    judgement: judgementOf(verdict),
    fields: { decision: { ...decision, reasons, ruleSetVersion: verdict.ruleSetVersion } },
  };
}

function judgementOf({ kind }: WithdrawalVerdict): 'passed' | 'refused' {
  switch (kind) {
    case 'automatic':
    case 'review':
      return 'passed';
    case 'refuse':
      return 'refused';
  }
}

/**
 * What the answer of the key directory does. Another holder rejects a `requested` withdrawal and makes the approval of
 * one under review impossible, whatever the rules decide. `null` if nothing changes.
 */
export function keyOwnerChange(
  record: WithdrawalRecord,
  { finding, endToEndId }: { readonly finding: KeyOwnerFinding; readonly endToEndId: string | null },
  at: string,
): WithdrawalChange | null {
  const known = { keyOwner: finding, lookupEndToEndId: endToEndId } as const;
  switch (finding) {
    case 'not_asked':
    case 'unavailable':
      return null;
    case 'match':
    case 'weak_match':
    case 'at_send':
    case 'no_such_key':
      return awaitsKeyOwner(record) ? { trigger: null, ...known } : null;
    case 'mismatch':
      return awaitsKeyOwner(record) ? { ...known, ...belongsToAnother(record, at) } : null;
  }
}

/** Whether the holder of the key can still change the decision. */
export function awaitsKeyOwner({ snapshot: { status } }: WithdrawalRecord): boolean {
  switch (status) {
    case 'requested':
    case 'under_review':
      return true;
    case 'approved':
    case 'processing':
    case 'paid':
    case 'rejected':
    case 'failed':
    case 'cancelled':
    case 'returned':
      return false;
  }
}

/** The change of a withdrawal whose key belongs to another person. */
export function belongsToAnother({ snapshot }: WithdrawalRecord, at: string): WithdrawalChange {
  const { decision, status } = snapshot;
  const reasons = [...new Set([...decision.reasons, 'DOCUMENT_MISMATCH'])];
  return status === 'requested'
    ? { trigger: 'blocked', judgement: 'refused', fields: { decision: { ...decision, reasons, decidedAt: at } } }
    : { trigger: null, judgement: 'refused', fields: { decision: { ...decision, reasons } } };
}

/** A list hit by the checks before the send. */
export function blockedAtDispatch({ snapshot: { decision } }: WithdrawalRecord): WithdrawalChange {
  const reasons = [...decision.reasons, 'BLOCKLIST_HIT_AT_DISPATCH'];
  return { trigger: 'blocked_at_dispatch', fields: { decision: { ...decision, reasons } } };
}
