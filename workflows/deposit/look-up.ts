// Looks a deposit's charge up. A brief try comes first; a provider that does not answer at once is called until it
// does.
import type { ChargeLookedUp } from '../../activities/types.js';
import type { RulesMode } from '../../contract/temporal/payment-steps.js';
import { expiryOf, type DepositSnapshot } from '../../domain/payments/deposit.js';
import { step, type StepOptions } from '../steps/step.js';
import { assertStepFailed, callUntilAnswered, errorCodeOf } from '../steps/patient-call.js';
import type { DepositProcess } from './process.js';
import { lookUpWait } from './waits.js';

/**
 * Makes the requested look-up, and stores what follows. Ends early, and keeps the request, when the deposit expires, a
 * message ends it, or the process continues as new.
 */
export async function lookUp(run: DepositProcess, { until }: { until?: () => string | null }): Promise<void> {
  const { status } = run.deposit;
  const request = run.lookUps.start();
  const waiting = {
    wait: (since: string) => lookUpWait(since, run.deposit),
    isOver: () => run.deposit.status !== status || run.shouldContinueAsNew,
    ...(until === undefined ? {} : { until }),
  };
  const served = await run.messages.serveCall(waiting, () => lookUntilDecided(run, request.unanswered));
  if (served.kind !== 'done') return request.withdraw();
  request.answer();
  run.noticedLookUps.answered({ isUnchanged: run.deposit.status === 'pending' });
}

/** A look-up for a caller: answered as soon as the provider has answered, or does not answer at once. */
export async function lookUpOnRequest(run: DepositProcess): Promise<DepositSnapshot> {
  await run.untilOpen();
  // Without a charge there is nothing to look up yet.
  if (run.deposit.status === 'created') run.requestLookUp();
  else await run.lookUps.requestAnswer();
  return run.deposit;
}

/** Looks up until the provider has answered and its payment is decided. `unanswered`: it does not answer at once. */
async function lookUntilDecided(run: DepositProcess, unanswered: () => void): Promise<void> {
  const briefly = await lookBriefly(run);
  if (briefly === 'done') return;
  // A task that was lost may have stored an answer: queries show it before the provider answers again.
  run.payment.adopt(await step.loadDeposit(run.payment.ref));
  unanswered();
  // The process that waits for the provider may not serve the rules: then a second, brief look-up evaluates them.
  const answered = await lookPatiently(run, 'asked');
  if (answered.outcome === 'looked_up') return;
  if ((await lookBriefly(run)) === 'done') return;
  await lookPatiently(run, 'silent');
}

/** `not_at_once`: the provider, or the rules, did not answer within a moment. */
async function lookBriefly(run: DepositProcess): Promise<'done' | 'not_at_once'> {
  const { payment } = run;
  try {
    payment.adopt(await step.lookUpChargeBriefly(payment.providerRef));
  } catch (error) {
    assertStepFailed(error);
    return 'not_at_once';
  }
  run.reportError(null);
  return 'done';
}

async function lookPatiently(run: DepositProcess, mode: RulesMode): Promise<ChargeLookedUp> {
  const { payment } = run;
  const call = (options: StepOptions) => step.lookUpCharge({ ...payment.providerRef, rules: mode }, options);
  const answered = await callUntilAnswered(call, (error) => run.reportError(`the provider does not answer (${error})`));
  run.reportError(null);
  return payment.adopt(answered);
}

/** `error` is the code of a missing answer. */
interface LookedUp {
  readonly error: string | null;
}

/** One last look-up before the process takes a step that does not wait for the provider. */
export async function lookOnceMore(run: DepositProcess, summary: string, mode: RulesMode): Promise<LookedUp> {
  return (await lookBriefly(run)) === 'done' ? { error: null } : lookOnceBeside(run, summary, mode);
}

/**
 * The same for a caller, beside whatever the process does. A regular activity: two local ones at a time may end
 * together in a replay, in another order than they did.
 */
export async function lookOnceBeside(run: DepositProcess, summary: string, mode: RulesMode): Promise<LookedUp> {
  const { payment } = run;
  try {
    const asked = { ...payment.providerRef, rules: mode };
    payment.adopt(await step.lookUpCharge(asked, { limits: 'lastLook', summary }));
    return { error: null };
  } catch (error) {
    assertStepFailed(error);
    return { error: errorCodeOf(error) };
  }
}

/** The deadline of a pending deposit. */
export function expiry(run: DepositProcess): { until: () => string | null } {
  return { until: () => expiryOf(run.deposit) };
}
