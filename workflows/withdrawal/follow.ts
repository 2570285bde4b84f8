// Follows a payout that left, or may have left: looks it up by its reference until the provider's answer is conclusive.
// "Not found" proves nothing: the payout may still arrive. One whose send was never answered, or that stays processing,
// two people may write off, with the provider's written statement as evidence.
import type { WriteOffDecided } from '../../activities/types.js';
import type { WriteOffDecision, WriteOffOutcome } from '../../contract/temporal/payment.js';
import { UNKNOWN_ALERT_SECONDS } from '../../domain/payments/outside-waits.js';
import type { WithdrawalSnapshot, WithdrawalStatus } from '../../domain/payments/withdrawal.js';
import { WRITE_OFF_STATUSES } from '../../domain/payments/write-off.js';
import { assertActId, type Call } from '../steps/message-queue.js';
import { assertStepFailed, callUntilAnswered } from '../steps/patient-call.js';
import type { Wait } from '../steps/status-reporter.js';
import { PATIENCE_SECONDS, step, type StepOptions } from '../steps/step.js';
import { earliest, now, secondsAfter } from '../steps/time.js';
import type { WithdrawalProcess } from './process.js';

/**
 * Time before the first of the repeated look-ups. The provider's callback is usually faster; after one they begin at
 * once. Temporal repeats them.
 */
const FIRST_LOOK_UP_SECONDS = 30;

export async function follow(run: WithdrawalProcess): Promise<void> {
  const { messages, progress } = run;
  const { status } = run.withdrawal;
  progress.lookUpAt ??= secondsAfter(now(), FIRST_LOOK_UP_SECONDS);
  if (run.isLookUpRequested) return lookUp(run);
  const isOver = () => isSettled(run, status) || run.isLookUpRequested;
  let call: Call<void> | null = null;
  try {
    for (;;) {
      const isFollowing = call !== null;
      const waiting = {
        wait: (since: string) => followWait(run, isFollowing ? since : null),
        until: () => earliest(isFollowing ? null : progress.lookUpAt, alertAt(run)),
        isOver: () => isOver() || run.shouldContinueAsNew,
      };
      const served = call === null ? await messages.serve(waiting) : await messages.serve(waiting, call);
      if (served.kind !== 'due') return;
      if (isAlertDue(run)) await raiseUnknown(run);
      else call = messages.call(() => followPayout(run), true);
    }
  } finally {
    call?.leave();
  }
}

/** Makes the requested look-up: a brief try, then until the provider answers. */
export async function lookUp(run: WithdrawalProcess): Promise<void> {
  const { status } = run.withdrawal;
  const request = run.lookUps.start();
  const { notices, hasNotice: isNoticed } = run;
  const isOver = () => isSettled(run, status) || run.shouldContinueAsNew;
  const waiting = { wait: (since: string) => lookUpWait(run, since), until: () => alertAt(run), isOver };
  const call = run.messages.call(() => ask(run, isNoticed, request.unanswered));
  let served = await run.messages.serve(waiting, call);
  while (served.kind === 'due') {
    await raiseUnknown(run);
    served = await run.messages.serve(waiting, call);
  }
  call.leave();
  if (served.kind === 'done') {
    run.noticesAnswered(notices);
    return request.answer();
  }
  request.withdraw();
  if (isNoticed) run.followNotice();
}

/** It left the state, or its send turned out to have left nothing: then it is checked and sent again. */
function isSettled(run: WithdrawalProcess, status: WithdrawalStatus): boolean {
  return run.withdrawal.status !== status || !(run.isClosed || run.isSent);
}

/** A look-up for a caller: answered as soon as the provider has answered, or does not answer at once. */
export async function lookUpOnRequest(run: WithdrawalProcess): Promise<WithdrawalSnapshot> {
  await run.untilOpen();
  if (!run.isSent && !run.isClosed) return run.withdrawal;
  await run.lookUps.requestAnswer();
  return run.withdrawal;
}

async function ask(run: WithdrawalProcess, isNoticed: boolean, unanswered: () => void): Promise<void> {
  const { payment } = run;
  try {
    payment.adopt(await step.lookUpPayoutBriefly({ ...payment.providerRef, isNoticed }));
    run.lookUpAnswered();
    return;
  } catch (error) {
    assertStepFailed(error);
    // A task that was lost may have stored an answer: queries show it before the provider answers again.
    payment.adopt(await step.loadWithdrawal(payment.ref));
    unanswered();
  }
  const call = (options: StepOptions) => step.lookUpPayout({ ...payment.providerRef, isNoticed }, options);
  payment.adopt(await callUntilAnswered(call, (error) => run.lookUpUnanswered(error)));
  run.lookUpAnswered();
}

/** Looks up again and again until something changes. */
async function followPayout(run: WithdrawalProcess): Promise<void> {
  const { payment } = run;
  const call = (options: StepOptions, isLater: boolean) =>
    step.followPayout({ ...payment.providerRef, isLater }, options);
  payment.adopt(await callUntilAnswered(call, (error) => run.lookUpUnanswered(error), PATIENCE_SECONDS.following));
  run.lookUpAnswered();
}

/** When the unknown outcome becomes an alert; null when it is known, nothing was sent, or the alert is raised. */
function alertAt({ progress, payment, withdrawal, isSent }: WithdrawalProcess): string | null {
  const { unknownSince } = progress;
  const isRaised = payment.hasRaised('PAYOUT_OUTCOME_UNKNOWN');
  if (unknownSince === null || isRaised || withdrawal.status !== 'approved' || !isSent) return null;
  return secondsAfter(unknownSince, UNKNOWN_ALERT_SECONDS);
}

function isAlertDue(run: WithdrawalProcess): boolean {
  const at = alertAt(run);
  return at !== null && at <= now();
}

async function raiseUnknown(run: WithdrawalProcess): Promise<void> {
  const { silence } = run;
  await run.payment.alertOnce(silence === null ? 'payout_traceless' : 'payout_unanswered', silence);
}

/** `since` is when the repeated look-ups began; `null` before the first. */
function followWait(run: WithdrawalProcess, since: string | null): Wait {
  const isUnanswered = run.withdrawal.status === 'approved';
  const waited = isUnanswered ? 'payout_reply' : 'payout_result';
  const pending = pendingWriteOff(run);
  const next = isUnanswered ? `looked up by its reference${pending}` : `the provider is asked again${pending}`;
  const asked = isUnanswered ? `asked for it by its reference${pending}` : `asked how it stands${pending}`;
  if (since === null) return { for: waited, next, until: run.progress.lookUpAt };
  return { for: waited, underWay: { what: `the provider is being ${asked}`, since }, next: '', until: null };
}

function lookUpWait(run: WithdrawalProcess, since: string): Wait {
  return run.isClosed
    ? { for: 'nothing', underWay: { what: 'the provider is being asked', since }, next: '', until: null }
    : followWait(run, since);
}

function pendingWriteOff({ state: { writeOffLapsesAt } }: WithdrawalProcess): string {
  return writeOffLapsesAt === null ? '' : ` (asked to be written off; another person confirms by ${writeOffLapsesAt})`;
}

/** A person's decision to write the payout off. Between the first and the second it is looked up once more. */
export async function writeOff(run: WithdrawalProcess, { actId }: WriteOffDecision): Promise<WriteOffOutcome> {
  const noticesBefore = run.notices;
  const first = await run.messages.ask(() => decide(run, actId, false));
  if (first.outcome.kind !== 'look_once_more') return outcomeOf(first);
  // The look-up runs concurrently with the process: only this person waits for it.
  const isLookedUp = await lookOnceMore(run);
  if (!isLookedUp) return { kind: 'provider_silent', snapshot: run.withdrawal };
  // A callback proves that the provider knows the payout, whatever this look-up answered.
  if (run.hasNotice || run.notices > noticesBefore) return { kind: 'lapsed', snapshot: run.withdrawal };
  return outcomeOf(await run.messages.ask(() => decide(run, actId, true)));
}

async function decide({ payment }: WithdrawalProcess, actId: string, isLookedUp: boolean): Promise<WriteOffDecided> {
  return payment.adopt(await step.decideWriteOff({ ...payment.ref, actId, isLookedUp }));
}

/** A regular activity, so that a callback that arrives during the look-up is seen before the decision is stored. */
async function lookOnceMore({ payment }: WithdrawalProcess): Promise<boolean> {
  try {
    const summary = 'look once more before it is written off';
    payment.adopt(await step.lookUpPayout(payment.providerRef, { limits: 'lastLook', summary }));
    return true;
  } catch (error) {
    assertStepFailed(error);
    return false;
  }
}

function outcomeOf({ outcome, state: { snapshot: withdrawal } }: WriteOffDecided): WriteOffOutcome {
  if (outcome.kind === 'written_off') return { kind: 'written_off', snapshot: withdrawal };
  if (outcome.kind === 'look_once_more') return { kind: 'lapsed', snapshot: withdrawal };
  return { ...outcome, snapshot: withdrawal };
}

/** Refuses what cannot succeed before it enters the history. */
export function assertWriteOff(run: WithdrawalProcess, { actId }: WriteOffDecision): void {
  assertActId(actId);
  run.assertState(...WRITE_OFF_STATUSES);
}
