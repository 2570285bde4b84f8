// The deposit's business process: decided by the rules, charged at the provider, paid or expired, and reviewed when a
// payment is in doubt. Each deposit has one workflow. Its steps decide and store (activities/payments/deposit); the
// workflow says when the next one is due.
import { allHandlersFinished, ApplicationFailure, continueAsNew, setHandler, workflowInfo } from '@temporalio/workflow';
import type { DepositOpening } from '../activities/types.js';
import {
  cancelDeposit,
  cancelDepositByStaff,
  chargeNotice,
  CREATION_UNAVAILABLE,
  DEPOSIT_MISSING,
  type DepositActionOutcome,
  depositCreation,
  type DepositCreation,
  type DepositEnd,
  type DepositOrder,
  depositQuery,
  type DepositWorkflowInput,
  expireDeposit,
  nextStep,
  refreshDeposit,
  reviewDeposit,
  type StaffCancel,
} from '../contract/temporal/payment.js';
import { CREATION_ANSWER_BUDGET_MS } from '../domain/payments/deposit.js';
import { lookUp, lookUpOnRequest } from './deposit/look-up.js';
import { awaitPayment, createCharge } from './deposit/payment.js';
import { DepositProcess } from './deposit/process.js';
import { assertDepositReview, decideReview, outcomeOf, returnToPayer, review } from './deposit/review.js';
import { answerUpdate, assertActId } from './steps/message-queue.js';
import { assertStepFailed, failureTypeOf, isOrderRefused } from './steps/patient-call.js';
import { runPayment } from './steps/payment-run.js';
import { step } from './steps/step.js';
import { followClock, waitAtMost, waitUntil } from './steps/time.js';

export function deposit(input: DepositWorkflowInput): Promise<DepositEnd> {
  const run = new DepositProcess(input.kind === 'create');
  return runPayment(run, input, {
    registerMessages: () => registerMessages(run),
    create: (order) => create(run, order),
    load: (payment) => step.loadDeposit(payment),
    goOn: () => goOn(run),
    continueAsNew: (next) => continueAsNew<typeof deposit>(next),
  });
}

async function goOn(run: DepositProcess): Promise<void> {
  switch (run.deposit.status) {
    case 'created':
      return createCharge(run);
    case 'pending':
      return awaitPayment(run);
    case 'under_review':
      return review(run);
    case 'paid':
    case 'expired':
    case 'cancelled':
    case 'failed':
    case 'returned':
    case 'refunded':
    case 'chargeback':
      return finish(run);
  }
}

/** Registers the messages of the deposit. Those that change it are handled one at a time, in the process's own flow. */
function registerMessages(run: DepositProcess): void {
  const { messages } = run;
  // A query, because reads must not change the history.
  setHandler(depositQuery, () => run.vouched);
  setHandler(nextStep, () => run.nextStep);
  // Updates, because each caller needs the result. One that cannot succeed is refused before it enters the history.
  answerUpdate(messages, depositCreation, () => creationAnswer(run));
  answerUpdate(
    messages,
    cancelDeposit,
    () => messages.ask(() => cancel(run)),
    () => run.assertAllows('cancel'),
  );
  answerUpdate(
    messages,
    cancelDepositByStaff,
    (by) => messages.ask(() => cancelByStaff(run, by)),
    (by) => assertStaffCancel(run, by),
  );
  answerUpdate(
    messages,
    expireDeposit,
    () => messages.ask(() => expire(run)),
    () => run.assertAllows('expiry'),
  );
  answerUpdate(messages, refreshDeposit, () => lookUpOnRequest(run));
  answerUpdate(
    messages,
    reviewDeposit,
    (decision) => decideReview(run, decision),
    (decision) => assertDepositReview(run, decision),
  );
  // A signal: a callback is recorded in any state, and the next look-up applies it.
  setHandler(chargeNotice, () => run.notice());
  followClock();
}

async function cancel({ payment }: DepositProcess): Promise<DepositActionOutcome> {
  return outcomeOf(payment.adopt(await step.cancelDeposit(payment.ref)));
}

async function cancelByStaff({ payment }: DepositProcess, { actId }: StaffCancel): Promise<DepositActionOutcome> {
  return outcomeOf(payment.adopt(await step.cancelDepositByStaff({ ...payment.ref, actId })));
}

/** Refuses what cannot succeed before it enters the history. */
function assertStaffCancel(run: DepositProcess, { actId }: StaffCancel): void {
  assertActId(actId);
  run.assertAllows('cancel');
}

async function expire({ payment }: DepositProcess): Promise<DepositActionOutcome> {
  return outcomeOf(payment.adopt(await step.expireDepositNow(payment.ref)));
}

async function create(run: DepositProcess, order: DepositOrder): Promise<DepositEnd | null> {
  const opening = await openDeposit(order);
  run.create(order, opening);
  if (opening.kind === 'created') return null;
  // Callers that arrived in the meantime get their answer.
  await waitAtMost(allHandlersFinished, 10_000, 'close the run');
  if (opening.kind === 'undecided') throw undecided();
  return opening;
}

/** Without an answer of the rules nothing is created, and the caller may try again. */
async function openDeposit(order: DepositOrder): Promise<DepositOpening> {
  try {
    return await step.openDeposit({ order, chargeWithinMs: answerWithinMs() });
  } catch (error) {
    assertStepFailed(error);
    if (isOrderRefused(error)) throw error;
    return storedOpening(order);
  }
}

/** What a step whose answer was lost has stored: the deposit, or nothing. */
async function storedOpening({ id, operationId }: DepositOrder): Promise<DepositOpening> {
  try {
    const { state } = await step.loadDeposit({ id, operationId, seenVersion: 0 });
    return { kind: 'created', state };
  } catch (error) {
    if (failureTypeOf(error) === DEPOSIT_MISSING) return { kind: 'undecided' };
    throw error;
  }
}

/** The answer to the creation: as soon as the provider has answered (201), or when the budget is spent (202). */
async function creationAnswer(run: DepositProcess): Promise<DepositCreation> {
  await waitUntil(() => run.opening !== null);
  const { opening } = run;
  if (opening === null || opening.kind === 'undecided') throw undecided();
  if (opening.kind !== 'created') return opening;
  if (run.deposit.status === 'created') {
    const isAnswered = () => run.deposit.status !== 'created';
    await waitAtMost(isAnswered, answerWithinMs(), 'answer the caller without a charge (202)');
  }
  return { kind: 'created', snapshot: run.deposit, proof: run.state.proof };
}

/** Real time: the caller waits. */
function answerWithinMs(): number {
  return Math.max(0, workflowInfo().startTime.getTime() + CREATION_ANSWER_BUDGET_MS - Date.now());
}

function undecided(): ApplicationFailure {
  return ApplicationFailure.nonRetryable('the creation could not be decided', CREATION_UNAVAILABLE);
}

/**
 * A closed deposit: looks up what was requested, follows the return of a late or extra payment, and ends when nothing
 * is under way.
 */
async function finish(run: DepositProcess): Promise<void> {
  if (run.isLookUpRequested) return lookUp(run);
  if (run.state.isReturning) return returnToPayer(run);
  await run.untilOver();
}
