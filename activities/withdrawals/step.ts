// The shape of every step: read, decide, and store the decision if the row is unchanged. Otherwise read and decide
// again.
import { ApplicationFailure } from '@temporalio/activity';
import type { PaymentRef } from '../../contract/temporal/payment-steps.js';
import { approvalsGiven } from '../../domain/withdrawal-review.js';
import { sendStateOf, type WithdrawalChange, type WithdrawalRecord } from '../../domain/withdrawal-record.js';
import type { StaffAct } from '../../domain/staff.js';
import type { WithdrawalSnapshot } from '../../domain/withdrawal.js';
import { lapseOf, pendingRequest } from '../../domain/write-off.js';
import type { DecisionRecord } from '../../store/rules/decisions.js';
import type { HeldWithdrawal } from '../../store/withdrawals/held.js';
import { MAX_TRIES, untilStored } from '../payments/until-stored.js';
import type { WithdrawalStore } from './ports.js';
import type { StoredWithdrawal, WithdrawalState } from './types.js';

/** What a step decided: its outcome, and what to store with the rules' decision behind it. */
export interface Plan<Outcome> {
  readonly outcome: Outcome;
  /** `null` if nothing changes. */
  readonly change: WithdrawalChange | null;
  readonly decision?: DecisionRecord | null;
}

/**
 * Reads, decides and stores. If the row changed in between, it decides again. A person's act is read before the row, so
 * the row includes the change of an act that is used.
 */
export async function decideAndStore<Outcome>(
  withdrawals: WithdrawalStore,
  ref: PaymentRef,
  decide: (held: HeldWithdrawal, act: StaffAct | null) => Plan<Outcome> | Promise<Plan<Outcome>>,
  actId: string | null = null,
): Promise<{ readonly held: HeldWithdrawal; readonly outcome: Outcome }> {
  return untilStored(async () => {
    const act = actId === null ? null : await withdrawals.readAct(actId);
    const held = await withdrawals.read(ref);
    const { outcome, change, decision = null } = await decide(held, act);
    if (change === null) return { held, outcome };
    const stored = await withdrawals.store({ held, change, at: ref.at, decision });
    return stored.kind === 'stored' ? { held: stored.held, outcome } : null;
  }, keptChanging);
}

/** Stores one change after another, each decided on the row as it is by then, until none follows. */
export async function storeInTurn(
  withdrawals: WithdrawalStore,
  ref: PaymentRef,
  start: HeldWithdrawal,
  next: (record: WithdrawalRecord) => WithdrawalChange | null,
): Promise<HeldWithdrawal> {
  let held = start;
  for (let lost = 0; lost < MAX_TRIES;) {
    const change = next(held.record);
    if (change === null) return held;
    const stored = await withdrawals.store({ held, change, at: ref.at, decision: null });
    if (stored.kind === 'stored') held = stored.held;
    else {
      lost += 1;
      held = await withdrawals.read(ref);
    }
  }
  throw keptChanging();
}

export function keptChanging(): ApplicationFailure {
  return ApplicationFailure.retryable('the withdrawal changed at every try', 'KeptChanging');
}

/** The part of a step's answer that the process adopts; `vouching` adds the proof. */
export function answered({ record }: HeldWithdrawal, at: string): StoredWithdrawal {
  const { snapshot, judgement, keyOwner } = record;
  const { decision } = snapshot;
  const request = pendingRequest(snapshot, at);
  const state: WithdrawalState = {
    withdrawal: withoutPeople(snapshot),
    proof: null,
    approvals: approvalsGiven(decision),
    judgement,
    keyOwner,
    send: sendStateOf(record),
    writeOffLapsesAt: request === null ? null : lapseOf(request),
    revision: record.revision,
  };
  return { state };
}

/** The people who decided, and their reasons, stay in PostgreSQL: histories hold no names and no free text. */
function withoutPeople({ writeOffs: _, ...snapshot }: WithdrawalSnapshot): WithdrawalSnapshot {
  return { ...snapshot, decision: { ...snapshot.decision, decidedBy: [] } };
}
