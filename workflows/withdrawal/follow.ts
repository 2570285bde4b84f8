// Follows a payout that left, or may have left: looks it up by its reference until the provider's answer is conclusive.
// "Not found" proves nothing: the payout may still arrive.
import { UNKNOWN_ALERT_SECONDS } from '../../domain/outside-waits.js';
import type { WithdrawalSnapshot, WithdrawalStatus } from '../../domain/withdrawal.js';
import { brief, type CallOptions, followed, provider, store } from '../steps/activity-proxies.js';
import { earliest, now, secondsAfter } from '../steps/clock.js';
import type { Call } from '../steps/message-queue.js';
import { assertStepFailed, callUntilAnswered, FOLLOWING_LIMITS_SECONDS } from '../steps/patient-call.js';
import type { WithdrawalProcess } from './process.js';
import { followWait, lookUpWait } from './waits.js';

/**
 * Time before the first of the repeated look-ups. The provider's callback is usually faster; after one they begin at
 * once. Temporal repeats them.
 */
const FIRST_LOOK_UP_SECONDS = 30;

export async function follow(process: WithdrawalProcess): Promise<void> {
  const { messages, progress } = process;
  const { status } = process.withdrawal;
  progress.lookUpAt ??= secondsAfter(now(), FIRST_LOOK_UP_SECONDS);
  if (process.isLookUpRequested) return lookUp(process);
  const isOver = () => isSettled(process, status) || process.isLookUpRequested;
  let call: Call<void> | null = null;
  try {
    for (;;) {
      const isFollowing = call !== null;
      const waiting = {
        wait: (since: string) => followWait(process, isFollowing ? since : null),
        until: () => earliest(isFollowing ? null : progress.lookUpAt, alertAt(process)),
        isOver: () => isOver() || process.shouldContinueAsNew,
      };
      const served = call === null ? await messages.serve(waiting) : await messages.serve(waiting, call);
      if (served.kind !== 'due') return;
      if (isAlertDue(process)) await raiseUnknown(process);
      else call = messages.call(() => followPayout(process), true);
    }
  } finally {
    call?.leave();
  }
}

/** Makes the requested look-up: a brief try, then until the provider answers. */
export async function lookUp(process: WithdrawalProcess): Promise<void> {
  const { status } = process.withdrawal;
  const request = process.lookUps.start();
  const { notices, hasNotice: isNoticed } = process;
  const isOver = () => isSettled(process, status) || process.shouldContinueAsNew;
  const waiting = { wait: (since: string) => lookUpWait(process, since), until: () => alertAt(process), isOver };
  const call = process.messages.call(() => ask(process, isNoticed, request.unanswered));
  let served = await process.messages.serve(waiting, call);
  while (served.kind === 'due') {
    await raiseUnknown(process);
    served = await process.messages.serve(waiting, call);
  }
  call.leave();
  if (served.kind === 'done') {
    process.noticesAnswered(notices);
    return request.answer();
  }
  request.withdraw();
  if (isNoticed) process.followNotice();
}

/** It left the state, or its send turned out to have left nothing: then it is checked and sent again. */
function isSettled(process: WithdrawalProcess, status: WithdrawalStatus): boolean {
  return process.withdrawal.status !== status || !(process.isClosed || process.isSent);
}

/** A look-up for a caller: answered as soon as the provider has answered, or does not answer at once. */
export async function lookUpOnRequest(process: WithdrawalProcess): Promise<WithdrawalSnapshot> {
  await process.untilOpen();
  if (!process.isSent && !process.isClosed) return process.withdrawal;
  await process.lookUps.requestAnswer();
  return process.withdrawal;
}

async function ask(process: WithdrawalProcess, isNoticed: boolean, unanswered: () => void): Promise<void> {
  const { payment } = process;
  try {
    payment.adopt(await brief.lookUpPayoutBriefly({ ...payment.providerRef, isNoticed }));
    process.lookUpAnswered();
    return;
  } catch (error) {
    assertStepFailed(error);
    // A task that was lost may have stored an answer: queries show it before the provider answers again.
    payment.adopt(await store.loadWithdrawal(payment.ref));
    unanswered();
  }
  const call = (options: CallOptions) =>
    provider.lookUpPayout('look the payout up by its reference', { ...payment.providerRef, isNoticed }, options);
  payment.adopt(await callUntilAnswered(call, (error) => process.lookUpUnanswered(error)));
  process.lookUpAnswered();
}

/** Looks up again and again until something changes. */
async function followPayout(process: WithdrawalProcess): Promise<void> {
  const { payment } = process;
  const summary = 'look the payout up by its reference, until its outcome is known';
  const call = (options: CallOptions, isLater: boolean) =>
    followed.followPayout(summary, { ...payment.providerRef, isLater }, options);
  payment.adopt(await callUntilAnswered(call, (error) => process.lookUpUnanswered(error), FOLLOWING_LIMITS_SECONDS));
  process.lookUpAnswered();
}

/** When the unknown outcome becomes an alert; null when it is known, nothing was sent, or the alert is raised. */
function alertAt({ progress, payment, withdrawal, isSent }: WithdrawalProcess): string | null {
  const { unknownSince } = progress;
  const isRaised = payment.hasRaised('PAYOUT_OUTCOME_UNKNOWN');
  if (unknownSince === null || isRaised || withdrawal.status !== 'approved' || !isSent) return null;
  return secondsAfter(unknownSince, UNKNOWN_ALERT_SECONDS);
}

function isAlertDue(process: WithdrawalProcess): boolean {
  const at = alertAt(process);
  return at !== null && at <= now();
}

async function raiseUnknown(process: WithdrawalProcess): Promise<void> {
  const { silence } = process;
  await process.payment.alertOnce(silence === null ? 'payout_traceless' : 'payout_unanswered', silence);
}
