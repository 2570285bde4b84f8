// The withdrawal's business process: decided by rules or people, sent once, and followed until its outcome is known.
// Each withdrawal has one workflow. Its steps decide and store (activities/payments/withdrawal); the workflow says when
// the next one is due.
import { allHandlersFinished, continueAsNew, setHandler } from '@temporalio/workflow';
import type { WithdrawalOpening } from '../activities/types.js';
import {
  cancelWithdrawal,
  cancelWithdrawalByStaff,
  checkAgain,
  nextStep,
  payoutNotice,
  refreshWithdrawal,
  reviewWithdrawal,
  type StaffCancel,
  type WithdrawalActionOutcome,
  type WithdrawalCreation,
  withdrawalCreation,
  type WithdrawalOrder,
  withdrawalQuery,
  type WithdrawalWorkflowInput,
  writeOffWithdrawal,
} from '../contract/temporal/payment.js';
import { mayHaveLeft } from '../domain/payments/withdrawal.js';
import { answerUpdate, assertActId } from './steps/message-queue.js';
import { assertStepFailed, isOrderRefused } from './steps/patient-call.js';
import { runPayment } from './steps/payment-run.js';
import { step } from './steps/step.js';
import { followClock, waitAtMost, waitUntil } from './steps/time.js';
import { checkNow, dispatch } from './withdrawal/dispatch.js';
import { assertWriteOff, follow, lookUp, lookUpOnRequest, writeOff } from './withdrawal/follow.js';
import { findKeyHolder } from './withdrawal/key-holder.js';
import { WithdrawalProcess } from './withdrawal/process.js';
import { assertReview, decideReview, outcomeOf, review } from './withdrawal/review.js';

export function withdrawal(input: WithdrawalWorkflowInput): Promise<string> {
  const run = new WithdrawalProcess(input.kind === 'create');
  return runPayment(run, input, {
    registerMessages: () => registerMessages(run),
    create: (order) => create(run, order),
    load: (payment) => step.loadWithdrawal(payment),
    goOn: () => goOn(run),
    continueAsNew: (next) => continueAsNew<typeof withdrawal>(next),
  });
}

async function goOn(run: WithdrawalProcess): Promise<void> {
  switch (run.withdrawal.status) {
    case 'requested':
      return findKeyHolder(run);
    case 'under_review':
      return review(run);
    case 'approved':
      return mayHaveLeft(run.state.send) ? follow(run) : dispatch(run);
    case 'processing':
      return follow(run);
    case 'paid':
    case 'rejected':
    case 'failed':
    case 'cancelled':
    case 'returned':
      return finish(run);
  }
}

/** Registers the messages of the withdrawal. Those that change it are handled one at a time, in its own flow. */
function registerMessages(run: WithdrawalProcess): void {
  const { messages } = run;
  // A query, because reads must not change the history.
  setHandler(withdrawalQuery, () => run.vouched);
  setHandler(nextStep, () => run.nextStep);
  // Updates, because each caller needs the result. One that cannot succeed is refused before it enters the history.
  answerUpdate(messages, withdrawalCreation, () => creationAnswer(run));
  answerUpdate(
    messages,
    cancelWithdrawal,
    () => messages.ask(() => cancel(run)),
    () => run.assertCancellable(),
  );
  answerUpdate(
    messages,
    cancelWithdrawalByStaff,
    (by) => messages.ask(() => cancelByStaff(run, by)),
    (by) => assertStaffCancel(run, by),
  );
  answerUpdate(messages, refreshWithdrawal, () => lookUpOnRequest(run));
  answerUpdate(
    messages,
    reviewWithdrawal,
    (decision) => decideReview(run, decision),
    (decision) => assertReview(run, decision),
  );
  answerUpdate(
    messages,
    writeOffWithdrawal,
    (decision) => writeOff(run, decision),
    (decision) => assertWriteOff(run, decision),
  );
  // A signal: a callback is recorded in any state, and the next look-up applies it.
  setHandler(payoutNotice, () => run.notice());
  setHandler(checkAgain, () => checkNow(run));
  followClock(() => run.clockMoved());
}

/** The step reports whether the payout may already have been sent. */
async function cancel({ payment }: WithdrawalProcess): Promise<WithdrawalActionOutcome> {
  return outcomeOf(payment.adopt(await step.cancelWithdrawal(payment.ref)));
}

async function cancelByStaff({ payment }: WithdrawalProcess, { actId }: StaffCancel): Promise<WithdrawalActionOutcome> {
  return outcomeOf(payment.adopt(await step.cancelWithdrawalByStaff({ ...payment.ref, actId })));
}

/** Refuses what cannot succeed before it enters the history. */
function assertStaffCancel(run: WithdrawalProcess, { actId }: StaffCancel): void {
  assertActId(actId);
  run.assertCancellable();
}

async function create(run: WithdrawalProcess, order: WithdrawalOrder): Promise<string | null> {
  const opening = await openWithdrawal(order);
  run.create(order, opening);
  if (opening.kind === 'created') return null;
  // Callers that arrived in the meantime get their answer.
  await waitAtMost(allHandlersFinished, 10_000, 'close the run');
  return opening.kind;
}

/** Without an answer of the rules people decide, never a 503. */
async function openWithdrawal(order: WithdrawalOrder): Promise<WithdrawalOpening> {
  try {
    return await step.openWithdrawal({ order, rules: 'asked' });
  } catch (error) {
    assertStepFailed(error);
    if (isOrderRefused(error)) throw error;
    return step.openWithdrawal({ order, rules: 'silent' });
  }
}

async function creationAnswer(run: WithdrawalProcess): Promise<WithdrawalCreation> {
  await waitUntil(() => run.opening !== null);
  const { opening } = run;
  if (opening === null) throw new Error('the creation is not decided');
  if (opening.kind !== 'created') return opening;
  const { snapshot, proof } = opening.state;
  return { kind: 'created', snapshot, proof };
}

/** A closed withdrawal: looks up what was requested, and ends when nothing is under way. */
async function finish(run: WithdrawalProcess): Promise<void> {
  if (run.isLookUpRequested) return lookUp(run);
  await run.untilOver();
}
