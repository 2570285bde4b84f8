// An approved withdrawal that was not sent: lists, operation, hours and cash box are checked, then the payout is sent,
// once. What cannot be sent yet is checked again later; every attempt to send is checked again.
import type { DispatchCleared, PayoutSent } from '../../activities/types.js';
import { formatBrl } from '../../domain/money.js';
import { mayHaveLeft } from '../../domain/payments/withdrawal.js';
import { assertStepFailed } from '../steps/patient-call.js';
import type { Wait } from '../steps/status-reporter.js';
import { step } from '../steps/step.js';
import { now, secondsAfter } from '../steps/time.js';
import type { Postponement, WithdrawalProcess } from './process.js';

/** Seconds until the next check, by the number of checks made. */
type Pause = (checks: number) => number;
/** The same for waits that a person must end. */
const pauseForPeople: Pause = (checks) => [10, 20, 30, 60, 120, 300][checks] ?? 900;
/** For outages of rules or provider: dispatch resumes within a minute of their return, in the first half day. */
const pauseForOutage: Pause = (checks) => [10, 20, 30][checks] ?? (checks <= 1_002 ? 45 : 900);
/**
 * A new rule set wakes what waits for the automatic hours (staff/acts/rule-changes.ts). It is also checked on a
 * schedule, because the wake can get lost.
 */
const HOURS_RECHECK_SECONDS = 4 * 3_600;

export async function dispatch(run: WithdrawalProcess): Promise<void> {
  const { messages } = run;
  run.nothingSent();
  const { postponed } = run.progress.dispatch;
  const isOver = () => run.withdrawal.status !== 'approved';
  const isReplanned = () => run.progress.dispatch.postponed !== postponed;
  if (postponed !== null) {
    const waiting = {
      wait: () => postponed,
      until: () => postponed.until,
      isOver: () => isOver() || isReplanned() || run.shouldContinueAsNew,
    };
    if ((await messages.serve(waiting)).kind !== 'due') return;
  }
  const served = await messages.serveCall({ wait: checkingWait, isOver }, () => check(run));
  if (served.kind === 'done' && served.answer === 'clear' && !isOver()) await send(run);
}

/**
 * Makes the next check due now, because what it waits for has ended. A check that is under way may have read its facts
 * before: another one follows it at once.
 */
export function checkNow(run: WithdrawalProcess): void {
  const { checks, postponed } = run.progress.dispatch;
  run.isCheckRequested = true;
  if (postponed !== null) run.progress.dispatch = { checks, postponed: { ...postponed, until: now() } };
}

/** Runs the checks before the send. If it must wait, the next check is planned. */
async function check(run: WithdrawalProcess): Promise<'clear' | 'not_yet'> {
  run.isCheckRequested = false;
  const cleared = await clear(run);
  if (cleared === null) {
    postpone(run, { for: 'dispatch_check', next: 'the rules engine is asked again' }, pauseForOutage);
    run.reportError('the rules engine does not answer');
    await run.payment.alertOnce('checks_unavailable');
    return 'not_yet';
  }
  run.payment.conditionEnded('DISPATCH_CHECK_UNAVAILABLE');
  switch (cleared.kind) {
    case 'clear':
      planNothing(run);
      return 'clear';
    case 'over':
      planNothing(run);
      return 'not_yet';
    case 'wait':
      await waitFor(run, cleared);
      return 'not_yet';
  }
}

async function clear({ payment }: WithdrawalProcess): Promise<DispatchCleared['outcome'] | null> {
  try {
    return payment.adopt(await step.clearDispatch(payment.ref)).outcome;
  } catch (error) {
    assertStepFailed(error);
    return null;
  }
}

async function waitFor(
  run: WithdrawalProcess,
  wait: Extract<DispatchCleared['outcome'], { readonly kind: 'wait' }>,
): Promise<void> {
  switch (wait.for) {
    case 'automatic_hours': {
      const recheck = secondsAfter(now(), HOURS_RECHECK_SECONDS);
      const until = recheck < wait.until ? recheck : wait.until;
      const next = `checked again (the window opens at ${wait.until})`;
      plan(run, { for: 'automatic_hours', next, until });
      return;
    }
    case 'cash_box':
      postpone(run, { for: 'cash_box', next: 'checked again' });
      return run.payment.alertOnce('cash_box_short');
    case 'provider_paused':
      postpone(run, { for: 'provider_paused', next: 'checked again' });
      return run.payment.alertOnce('provider_paused');
    case 'operation_suspended':
      postpone(run, { for: 'dispatch_check', next: 'checked again' });
      return run.payment.alertOnce('operation_suspended');
  }
}

function postpone(
  run: WithdrawalProcess,
  why: Pick<Postponement, 'for' | 'next'>,
  pauseSeconds: Pause = pauseForPeople,
): void {
  const { checks } = run.progress.dispatch;
  plan(run, { ...why, until: secondsAfter(now(), pauseSeconds(checks)) });
}

function plan({ progress, isCheckRequested }: WithdrawalProcess, { until, ...why }: Postponement): void {
  const postponed = { ...why, until: isCheckRequested ? now() : until };
  progress.dispatch = { checks: progress.dispatch.checks + 1, postponed };
}

function planNothing({ progress }: WithdrawalProcess): void {
  progress.dispatch = { ...progress.dispatch, postponed: null };
}

/** Sends. A cancel that arrives during the send is answered by its own step: the row holds the permission to send. */
async function send(run: WithdrawalProcess): Promise<void> {
  const served = await run.messages.serveCall({ wait: sendingWait, isOver: () => false }, () => sendOnce(run));
  if (served.kind !== 'done') return;
  const outcome = served.answer;
  switch (outcome.kind) {
    case 'replied':
      return;
    case 'unknown':
      run.outcomeUnknown(outcome.reason);
      return;
    case 'not_sent':
      await postponeSend(run, outcome.reason);
      return;
    case 'guarded':
      postpone(run, { for: 'dispatch_check', next: 'checked again' });
      await run.payment.alertOnce('environment_guard');
      return;
    case 'account_short':
      postpone(run, { for: 'provider_balance', next: 'the account is asked again' });
      await run.payment.alertOnce('provider_balance_short');
      return;
    case 'not_in_books':
      // The step has alerted staff. The withdrawal continues only after they have corrected the database.
      postpone(run, { for: 'dispatch_check', next: 'checked again' });
      return;
    case 'not_cleared':
      // The checks were too old when a worker took the send, or none took it.
      postpone(run, { for: 'dispatch_check', next: 'checked again, then sent' }, pauseForOutage);
      return;
  }
}

async function postponeSend(run: WithdrawalProcess, reason: string): Promise<void> {
  postpone(run, { for: 'payout_reply', next: 'the first send is tried again' }, pauseForOutage);
  run.reportError(`nothing was sent (${reason})`);
  await run.payment.alertOnce('nothing_sent', reason);
}

/** A lost attempt may have sent it: the row says whether it had the permission. */
async function sendOnce({ payment }: WithdrawalProcess): Promise<PayoutSent['outcome']> {
  const summary = `send the payout of ${formatBrl(payment.context.amountMinor)} (once)`;
  try {
    return payment.adopt(await step.sendPayout(payment.providerRef, { summary })).outcome;
  } catch (error) {
    assertStepFailed(error);
    const { state } = payment.adopt(await step.loadWithdrawal(payment.ref));
    return mayHaveLeft(state.send) ? { kind: 'unknown', reason: 'the send failed' } : { kind: 'not_cleared' };
  }
}

function checkingWait(): Wait {
  const next = 'lists and cash box are checked, then it is sent';
  return { for: 'dispatch_check', next, until: null, isBrief: true };
}

function sendingWait(since: string): Wait {
  const underWay = { what: 'it is being sent, once,', since };
  return { for: 'payout_reply', underWay, next: '', until: null, isBrief: true };
}
