// A withdrawal that is `under_review`: one or two people approve it, or one refuses it. If the rules did not answer,
// they are called until they do: a withdrawal cannot be approved before the rules have judged it.
import { ApplicationFailure } from '@temporalio/workflow';
import type { WithdrawalActed } from '../../activities/types.js';
import type { WithdrawalActionOutcome, WithdrawalReview } from '../../contract/temporal/payment.js';
import { approvalsNeeded, WITHDRAWAL_TRANSITIONS } from '../../domain/payments/withdrawal.js';
import { assertActId } from '../steps/message-queue.js';
import { assertStepFailed } from '../steps/patient-call.js';
import type { Wait } from '../steps/status-reporter.js';
import { step } from '../steps/step.js';
import { now, secondsAfter, waitUntil } from '../steps/time.js';
import { askDirectoryInReview } from './key-holder.js';
import type { WithdrawalProcess } from './process.js';

/** Pause before the rules are called again, by the number of tries. They are usually back within a minute. */
const JUDGING_PAUSES_SECONDS = [10, 20, 30] as const;
const LATER_JUDGING_PAUSE_SECONDS = 60;
const LATEST_JUDGING_PAUSE_SECONDS = 900;
const TRIES_BY_THE_MINUTE = 60;

export async function review(run: WithdrawalProcess): Promise<void> {
  const { messages } = run;
  const isOver = () => run.withdrawal.status !== 'under_review';
  const waiting = {
    wait: () => reviewWait(run),
    until: () => judgingAt(run),
    isOver: () => isOver() || run.shouldContinueAsNew,
  };
  const served = await messages.serve(waiting);
  if (served.kind !== 'due') return;
  await messages.serveCall({ wait: () => judgingWait(run), isOver }, () => judge(run));
}

/** When the rules judge it (again); `null` once they have. */
function judgingAt({ state, progress, withdrawal }: WithdrawalProcess): string | null {
  if (state.judgement !== 'none') return null;
  return progress.judging.nextAt ?? secondsAfter(withdrawal.updatedAt, JUDGING_PAUSES_SECONDS[0]);
}

/** Has the rules judge it. If they, or the key directory, do not answer, plans the next try. */
async function judge(run: WithdrawalProcess): Promise<void> {
  const { progress } = run;
  let keyAskedAgainAt: string | null = null;
  try {
    keyAskedAgainAt = await askRules(run);
    if (keyAskedAgainAt === null) run.reportError(null);
  } catch (error) {
    assertStepFailed(error);
    run.reportError('the rules engine does not answer');
  }
  const tries = progress.judging.tries + 1;
  progress.judging = { tries, nextAt: keyAskedAgainAt ?? secondsAfter(now(), judgingPause(tries)) };
}

/**
 * Asks the rules, and the key directory where they need it. Their answer is binding. While the directory does not
 * answer, the rules are called without it only if a person waits. Returns the time of the next directory look-up;
 * `null` when the rules have answered.
 */
async function askRules(run: WithdrawalProcess): Promise<string | null> {
  const { payment } = run;
  const judged = payment.adopt(await step.judgeReviewed({ ...payment.ref, isKeyAsked: false }));
  if (judged.outcome === 'decided') return null;
  const askedAgainAt = await askDirectoryInReview(run);
  if (askedAgainAt !== null && run.approvalsWaiting === 0) return askedAgainAt;
  payment.adopt(await step.judgeReviewed({ ...payment.ref, isKeyAsked: true }));
  return null;
}

function judgingPause(tries: number): number {
  if (tries > TRIES_BY_THE_MINUTE) return LATEST_JUDGING_PAUSE_SECONDS;
  return JUDGING_PAUSES_SECONDS[tries] ?? LATER_JUDGING_PAUSE_SECONDS;
}

/**
 * Applies a person's decision. The rules must judge a withdrawal before its approval counts, so they are called first.
 */
export async function decideReview(
  run: WithdrawalProcess,
  { decision, actId }: WithdrawalReview,
): Promise<WithdrawalActionOutcome> {
  if (decision === 'approve') await haveJudged(run);
  return run.messages.ask(async () => {
    const { payment } = run;
    const input = { ...payment.ref, actId };
    const acted = decision === 'approve' ? await step.approveWithdrawal(input) : await step.refuseWithdrawal(input);
    return outcomeOf(payment.adopt(acted));
  });
}

/** Calls the rules at once, and waits for that try. */
async function haveJudged(run: WithdrawalProcess): Promise<void> {
  await run.untilOpen();
  const { progress } = run;
  if (run.state.judgement !== 'none' || run.withdrawal.status !== 'under_review') return;
  const { tries } = progress.judging;
  progress.judging = { tries, nextAt: now() };
  const isOver = () => run.state.judgement !== 'none' || run.withdrawal.status !== 'under_review';
  run.approvalsWaiting += 1;
  await waitUntil(() => isOver() || run.progress.judging.tries > tries);
  run.approvalsWaiting -= 1;
}

/** Refuses what cannot succeed before it enters the history. */
export function assertReview(run: WithdrawalProcess, { decision, actId }: WithdrawalReview): void {
  if (decision !== 'approve' && decision !== 'refuse')
    throw ApplicationFailure.nonRetryable('a decision is one of approve, refuse', 'InvalidReview');
  assertActId(actId);
  run.assertState(...WITHDRAWAL_TRANSITIONS[decision].from);
}

export function outcomeOf({ outcome, state: { snapshot: withdrawal } }: WithdrawalActed): WithdrawalActionOutcome {
  return { kind: outcome === 'not_judged' ? 'rules_unavailable' : outcome, snapshot: withdrawal };
}

function reviewWait(run: WithdrawalProcess): Wait {
  const { state, withdrawal, payment } = run;
  const { reasons } = withdrawal.decision;
  const missing = approvalsNeeded(reasons) - state.approvals;
  // The operator's own reasons are free text and may name a person, so Temporal gets only their number.
  const { operatorReasons } = payment.context;
  const more = operatorReasons === 0 ? '' : `; OP: ${operatorReasons}, see gateway review show ${withdrawal.id}`;
  const why = `(${reasons.join(', ')}${more})`;
  switch (state.judgement) {
    case 'passed':
      return { for: 'review', next: `${missing} approval${missing === 1 ? '' : 's'} or a refusal ${why}`, until: null };
    case 'refused':
      return { for: 'review', next: `a refusal, or the operator cancels: the rules forbid it ${why}`, until: null };
    case 'none':
      return {
        for: 'review',
        next: `a person decides; the rules are asked again ${why}`,
        until: run.judgingNextAt,
      };
  }
}

function judgingWait(run: WithdrawalProcess): Wait {
  return { ...reviewWait(run), next: 'the rules are being asked', until: null };
}
