// What a person decides about a payment: approve, refuse or return one under review, cancel what has not left, or write
// off a payout that was lost. The act is stored first; the payment's workflow only gets its id.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, type WorkflowUpdateHandle, WorkflowUpdateStage } from '@temporalio/client';
import {
  cancelDepositByStaff,
  cancelWithdrawalByStaff,
  type DepositActionOutcome,
  NOT_POSSIBLE,
  reviewDeposit,
  reviewWithdrawal,
  type StaffCancel,
  type WithdrawalActionOutcome,
  type WriteOffOutcome,
  writeOffWithdrawal,
} from '../../contract/temporal/payment.js';
import { DEPOSIT_TRANSITIONS } from '../../domain/payments/deposit.js';
import { isSamePerson } from '../../domain/people.js';
import type { PaymentActKind } from '../../domain/staff.js';
import { WRITE_OFF_STATUSES } from '../../domain/payments/write-off.js';
import { WITHDRAWAL_TRANSITIONS } from '../../domain/payments/withdrawal.js';
import type { Database } from '../../store/database.js';
import { readReviewState, type ReviewState } from '../../store/payments/reviews.js';
import { type Actor, insertAct } from '../../store/staff/acts.js';
import { mayNow } from '../../store/staff/people.js';
import { DEPOSIT_OUTCOMES, type StoredOutcomes, WITHDRAWAL_OUTCOMES, WRITE_OFF_OUTCOMES } from './stored-outcomes.js';
import {
  type ActServices,
  mayStillBeDone,
  settle,
  settled,
  type UnderWay,
  type Unreached,
  UPDATE_TIMEOUTS,
} from './workflow-updates.js';

interface Decision {
  readonly id: string;
  readonly reason: string;
  /** The version that the person saw; by default the one that the payment has now. */
  readonly seenVersion?: number;
}

/** Refused by the payment's row, before anything is stored. */
export type NotAsked =
  | { readonly kind: 'unknown_payment' | 'not_permitted' }
  /** It is not in the state that the act is for. */
  | { readonly kind: 'other_state'; readonly status: string }
  /** `person` has approved already. */
  | { readonly kind: 'approved_already'; readonly person: string };

type ActResult<Outcome> = Outcome | UnderWay | Unreached | NotAsked;

export function decideDeposit(
  services: ActServices,
  actor: Actor,
  { decision, ...input }: Decision & { readonly decision: 'approve' | 'return' },
): Promise<ActResult<DepositActionOutcome>> {
  const ask = async (client: Client, actId: string) =>
    client.workflow
      .getHandle(input.id)
      .startUpdate(reviewDeposit, { args: [{ decision, actId }], updateId: actId, waitForStage });
  const act = { ...input, kind: `deposit.${decision}`, payment: 'deposit', from: UNDER_REVIEW } as const;
  return storeAndAsk(services, actor, act, { ask, outcomes: DEPOSIT_OUTCOMES });
}

export function decideWithdrawal(
  services: ActServices,
  actor: Actor,
  { decision, ...input }: Decision & { readonly decision: 'approve' | 'refuse' },
): Promise<ActResult<WithdrawalActionOutcome>> {
  const ask = async (client: Client, actId: string) =>
    client.workflow
      .getHandle(input.id)
      .startUpdate(reviewWithdrawal, { args: [{ decision, actId }], updateId: actId, waitForStage });
  const act = { ...input, kind: `withdrawal.${decision}`, payment: 'withdrawal', from: UNDER_REVIEW } as const;
  return storeAndAsk(services, actor, act, { ask, outcomes: WITHDRAWAL_OUTCOMES });
}

/**
 * Requests or confirms that a payout is written off: the provider has stated that it never accepted it, or that it will
 * not pay what it accepted.
 */
export function writeOffPayout(
  services: ActServices,
  actor: Actor,
  input: Decision & { readonly evidence: string },
): Promise<ActResult<WriteOffOutcome>> {
  const ask = async (client: Client, actId: string) =>
    client.workflow
      .getHandle(input.id)
      .startUpdate(writeOffWithdrawal, { args: [{ actId }], updateId: actId, waitForStage });
  const act = { ...input, kind: 'withdrawal.write_off', payment: 'withdrawal', from: WRITE_OFF_STATUSES } as const;
  return storeAndAsk(services, actor, act, { ask, outcomes: WRITE_OFF_OUTCOMES });
}

type CancelOutcome = DepositActionOutcome | WithdrawalActionOutcome;

/** Cancels a payment that has not left: a pending deposit, or a withdrawal before its send. */
export async function cancelPayment(
  services: ActServices,
  actor: Actor,
  { kind: payment, ...input }: Decision & { readonly kind: 'deposit' | 'withdrawal'; readonly seenVersion: number },
): Promise<ActResult<CancelOutcome>> {
  const ask = async (client: Client, actId: string): Promise<WorkflowUpdateHandle<CancelOutcome>> => {
    const options = { args: [{ actId }] as [StaffCancel], updateId: actId, waitForStage } as const;
    const workflow = client.workflow.getHandle(input.id);
    return payment === 'deposit'
      ? workflow.startUpdate(cancelDepositByStaff, options)
      : workflow.startUpdate(cancelWithdrawalByStaff, options);
  };
  const { from } = payment === 'deposit' ? DEPOSIT_TRANSITIONS.cancel : WITHDRAWAL_TRANSITIONS.cancel;
  const act = { ...input, kind: `${payment}.cancel`, payment, from } as const;
  const outcomes = (payment === 'deposit' ? DEPOSIT_OUTCOMES : WITHDRAWAL_OUTCOMES) as StoredOutcomes<CancelOutcome>;
  const answer = await storeAndAsk(services, actor, act, { ask, outcomes });
  // The row still allows it, and its workflow does not: its payout may have left.
  return isBehind(answer) ? { kind: 'other_state', status: await statusOf(services.database, act) } : answer;
}

const UNDER_REVIEW = ['under_review'] as const;

const waitForStage = WorkflowUpdateStage.ACCEPTED;

interface Act extends Decision {
  readonly kind: PaymentActKind;
  readonly payment: 'deposit' | 'withdrawal';
  /** The states that the act is for. */
  readonly from: readonly string[];
  readonly evidence?: string;
}

interface Asking<Outcome> {
  readonly ask: (client: Client, actId: string) => Promise<WorkflowUpdateHandle<Outcome>>;
  readonly outcomes: StoredOutcomes<Outcome>;
}

async function storeAndAsk<Outcome extends { readonly kind: string }>(
  { database, withTemporal, timeouts = UPDATE_TIMEOUTS }: ActServices,
  actor: Actor,
  act: Act,
  { ask, outcomes }: Asking<Outcome>,
): Promise<ActResult<Outcome>> {
  const state = await readReviewState(database, act.payment, act.id);
  const refusal = await whyNotAsked(database, actor, act, state);
  if (refusal !== null || state === null) return refusal ?? { kind: 'unknown_payment' };
  const { id: subjectId, kind, reason, evidence, seenVersion: subjectVersion = state.version } = act;
  return withTemporal(async (client) => {
    const { operationId } = state;
    const stored = { actor, kind, operationId, subjectId, subjectVersion, reason, ...(evidence && { evidence }) };
    const actId = await insertAct(database, stored);
    const decide = () => settle(client, timeouts, () => ask(client, actId));
    let answer = await decide();
    if (isBehind(answer)) {
      await sleep(BEHIND_PAUSE_MS);
      answer = await decide();
    }
    if (isUnknown(answer)) return answer;
    const paymentAct = { operationId, subjectId, actId };
    const outcome = await settled(database, actId, {
      done: () => outcomes.done(database, paymentAct),
      refused: async () => (isUnreached(answer) ? answer : outcomes.refused(database, paymentAct, answer as Outcome)),
    });
    if (outcome.kind !== 'unreached' || mayStillBeDone(outcome as Unreached)) return outcome;
    const status = await statusOf(database, act);
    return act.from.includes(status) ? outcome : { kind: 'other_state', status };
  });
}

/** Its state now: somebody else may have acted since the row was read. */
async function statusOf(database: Database, { payment, id }: Pick<Act, 'payment' | 'id'>): Promise<string> {
  return (await readReviewState(database, payment, id))?.status ?? '';
}

/** Pause before a decision that the workflow refused is sent again: it reads its row within a moment. */
const BEHIND_PAUSE_MS = 500;

/** The row allows it and its workflow does not: a step stores before its workflow learns of it. */
function isBehind(answer: { readonly kind: string } | Unreached): boolean {
  return answer.kind === 'unreached' && (answer as Unreached).failure === NOT_POSSIBLE;
}

/** The row is enough to refuse an unknown payment, a wrong state, and a person who may not or has approved before. */
async function whyNotAsked(
  database: Database,
  actor: Actor,
  { kind, from }: Act,
  state: ReviewState | null,
): Promise<NotAsked | null> {
  if (state === null) return { kind: 'unknown_payment' };
  if (!from.includes(state.status)) return { kind: 'other_state', status: state.status };
  // A person who approved may still refuse.
  const earlier = kind.endsWith('.approve')
    ? state.people.find((person) => isSamePerson(person, actor.handle))
    : undefined;
  if (earlier !== undefined) return { kind: 'approved_already', person: earlier };
  return (await mayNow(database, actor, kind, state.operationId)) ? null : { kind: 'not_permitted' };
}

/** The act may be done yet: what becomes of it is not known. */
function isUnknown(answer: { readonly kind: string } | Unreached): answer is UnderWay | Unreached {
  return answer.kind === 'under_way' || (isUnreached(answer) && mayStillBeDone(answer));
}

function isUnreached(answer: { readonly kind: string }): answer is Unreached {
  return answer.kind === 'unreached';
}
