// What the rules, the key directory and the lists decide about a stored withdrawal: pure functions of its record.
import type { KeyOwnerFinding, WithdrawalVerdict } from '../rules/verdicts.js';
import { isRejecting } from './withdrawal.js';
import type { WithdrawalChange, WithdrawalRecord } from './withdrawal-record.js';

/** The reason of a withdrawal that the rules did not decide. */
export type WithoutVerdict = 'RULES_UNAVAILABLE' | 'RULES_INVALID_RESPONSE';

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
