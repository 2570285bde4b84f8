// A deposit that is `under_review`: a person approves or returns it. A return is stored as requested before the
// provider is called; from then on it proceeds without further input, in this run or in a later one.
import { ApplicationFailure } from '@temporalio/workflow';
import type { DepositActionOutcome, DepositReview } from '../../contract/temporal/payment.js';
import type { DepositActed } from '../../activities/types.js';
import { assertActId } from '../steps/message-queue.js';
import { PATIENCE_SECONDS, step, type StepOptions } from '../steps/step.js';
import type { Wait } from '../steps/status-reporter.js';
import { waitAtMost } from '../steps/time.js';
import { callUntilAnswered } from '../steps/patient-call.js';
import { lookOnceBeside, lookUp, reviewWait } from './look-up.js';
import type { DepositProcess } from './process.js';

/** How long a person who requests a return waits for its end. */
const RETURN_ANSWER_MS = 8_000;

export async function review(run: DepositProcess): Promise<void> {
  const { messages } = run;
  if (run.isLookUpRequested) return lookUp(run);
  if (run.state.isReturning) return returnToPayer(run);
  const waiting = {
    wait: () => reviewWait(run.deposit),
    until: () => null,
    isOver: () =>
      run.deposit.status !== 'under_review' ||
      run.state.isReturning ||
      run.isLookUpRequested ||
      run.shouldContinueAsNew,
  };
  await messages.serve(waiting);
}

function returnWait(since: string): Wait {
  const underWay = { what: 'the provider is asked until the return is done', since };
  return { for: 'return_to_payer', underWay, next: '', until: null };
}

/** Calls the provider until the return of its own or another payment of the deposit is done or refused. */
export async function returnToPayer(run: DepositProcess): Promise<void> {
  const { messages } = run;
  const waiting = {
    wait: returnWait,
    isOver: () => !run.state.isReturning || run.isLookUpRequested || run.shouldContinueAsNew,
  };
  await messages.serveCall(waiting, () => followReturn(run));
}

async function followReturn(run: DepositProcess): Promise<void> {
  const { payment } = run;
  const call = (options: StepOptions, isLater: boolean) =>
    step.followReturn({ ...payment.providerRef, isLater }, options);
  const unanswered = (error: string) => run.reportError(`the return is not done (${error})`);
  payment.adopt(await callUntilAnswered(call, unanswered, PATIENCE_SECONDS.following));
  run.reportError(null);
}

/** Applies a person's decision. A return is answered when it is done, refused, or under way for a while. */
export async function decideReview(
  run: DepositProcess,
  { decision, actId }: DepositReview,
): Promise<DepositActionOutcome> {
  if (decision === 'approve') return approve(run, actId);
  const answer = await run.messages.ask(() => requestReturn(run, actId));
  if (answer.kind !== 'returning') return answer;
  await waitAtMost(() => !run.state.isReturning, RETURN_ANSWER_MS, 'answer that the return is under way');
  const { deposit, state } = run;
  if (state.isReturning) return { kind: 'returning', snapshot: deposit };
  return { kind: deposit.status === 'returned' ? 'done' : 'invalid_state', snapshot: deposit };
}

/**
 * Looks the charge up first: a payment that was returned in the meantime must not be credited. The look-up does not
 * block the process: nothing waits for it but this person.
 */
async function approve(run: DepositProcess, actId: string): Promise<DepositActionOutcome> {
  await run.untilOpen();
  const { messages, payment } = run;
  const { error } = await lookOnceBeside(run, 'look once more before it is approved', 'asked');
  if (error !== null) return { kind: 'provider_silent', snapshot: run.deposit };
  return messages.ask(async () => outcomeOf(payment.adopt(await step.approveDeposit({ ...payment.ref, actId }))));
}

async function requestReturn({ payment }: DepositProcess, actId: string): Promise<DepositActionOutcome> {
  const asked = payment.adopt(await step.requestReturn({ ...payment.ref, actId }));
  if (asked.outcome === 'done' && asked.state.isReturning) return { kind: 'returning', snapshot: asked.state.snapshot };
  return outcomeOf(asked);
}

/** Refuses what cannot succeed before it enters the history. */
export function assertDepositReview(run: DepositProcess, { decision, actId }: DepositReview): void {
  if (decision !== 'approve' && decision !== 'return')
    throw ApplicationFailure.nonRetryable('a decision is one of approve, return', 'InvalidReview');
  assertActId(actId);
  run.assertAllows(decision);
}

export function outcomeOf({ outcome, state }: DepositActed): DepositActionOutcome {
  return { kind: outcome, snapshot: state.snapshot };
}
