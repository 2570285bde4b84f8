// What people and operators do to a withdrawal: pure functions of its record. Each returns what follows; the step
// stores it.
import type { ReviewDecision } from './deposit.js';
import { isSamePerson } from '../people.js';
import { isDoneTo, permittedAct, type PersonAct, type StaffAct, type StaffActRefusal, usedAct } from '../staff.js';
import { approvalsNeeded, mayHaveLeft, type WithdrawalDecision, withdrawalAllows } from './withdrawal.js';
import { sendStateOf, type WithdrawalChange, type WithdrawalRecord } from './withdrawal-record.js';

/** A change to store; `done` if it is stored already; or why nothing changes. */
export type WithdrawalActResult =
  | WithdrawalChange
  | 'done'
  | 'invalid_state'
  | 'same_person'
  | 'not_judged'
  | 'refused_by_rules'
  | StaffActRefusal;

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
