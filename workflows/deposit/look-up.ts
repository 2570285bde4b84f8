// Looks a deposit's charge up. A brief try comes first; a provider that does not answer at once is called until it
// does.
import type { ChargeLookedUp } from '../../activities/types.js';
import type { RulesMode } from '../../contract/temporal/payment-steps.js';
import { expiryOf, type DepositSnapshot } from '../../domain/payments/deposit.js';
import type { Waiting } from '../steps/message-queue.js';
import { NO_WAIT, type Wait } from '../steps/status-reporter.js';
import { step, type StepOptions } from '../steps/step.js';
import { assertStepFailed, callUntilAnswered, errorCodeOf } from '../steps/patient-call.js';
import type { DepositProcess } from './process.js';

/** `error` is the code of a missing answer. */
interface LookedUp {
  readonly error: string | null;
}
const ANSWERED: LookedUp = { error: null };

/**
 * Makes the requested look-up, and stores what follows. Ends early, and keeps the request, when the deposit expires, a
 * message ends it, or the process continues as new.
 */
export async function lookUp(run: DepositProcess, until?: () => string | null): Promise<void> {
  const { status } = run.deposit;
  const waiting = {
    wait: (since: string) => lookUpWait(since, run.deposit),
    isOver: () => run.deposit.status !== status || run.shouldContinueAsNew,
    ...(until === undefined ? {} : { until }),
  };
  await serveRequests(run, waiting, (unanswered) => lookUntilDecided(run, unanswered));
}

/**
 * Answers all requested look-ups with this one, which runs while the process serves messages. Puts them back if it has
 * no answer, or if its wait ends before. `null`: the wait ended.
 */
export async function serveRequests(
  run: DepositProcess,
  waiting: Waiting,
  look: (unanswered: () => void) => Promise<LookedUp>,
): Promise<LookedUp | null> {
  const request = run.lookUps.start();
  const served = await run.messages.serveCall(waiting, () => look(request.unanswered));
  const looked = served.kind === 'done' ? served.answer : null;
  if (looked?.error === null) request.answer(run.deposit.status === 'pending');
  else request.withdraw();
  return looked;
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
async function lookUntilDecided(run: DepositProcess, unanswered: () => void): Promise<LookedUp> {
  if ((await lookBriefly(run)) === 'done') return ANSWERED;
  // A task that was lost may have stored an answer: queries show it before the provider answers again.
  run.payment.adopt(await step.loadDeposit(run.payment.ref));
  unanswered();
  // The process that waits for the provider may not serve the rules: then a second, brief look-up evaluates them.
  const answered = await lookPatiently(run, 'asked');
  if (answered.outcome !== 'looked_up' && (await lookBriefly(run)) !== 'done') await lookPatiently(run, 'silent');
  return ANSWERED;
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

/** One last look-up before the process takes a step that does not wait for the provider. */
export async function lookOnceMore(run: DepositProcess, summary: string, mode: RulesMode): Promise<LookedUp> {
  return (await lookBriefly(run)) === 'done' ? ANSWERED : lookOnceBeside(run, summary, mode);
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
    return ANSWERED;
  } catch (error) {
    assertStepFailed(error);
    return { error: errorCodeOf(error) };
  }
}

/** A look-up on request or after a callback, in addition to the wait that the state has. */
function lookUpWait(since: string, deposit: DepositSnapshot): Wait {
  const underWay = { what: 'the provider is asked about the payment', since };
  switch (deposit.status) {
    case 'created':
    case 'pending':
      return { ...paymentWait(deposit), underWay };
    case 'under_review':
      return { ...reviewWait(deposit), underWay };
    case 'paid':
    case 'expired':
    case 'cancelled':
    case 'failed':
    case 'returned':
    case 'refunded':
    case 'chargeback':
      return { ...NO_WAIT, underWay };
  }
}

/** `lookUpAt`: when it is looked up again after a callback; null if that is not planned. */
export function paymentWait(deposit: DepositSnapshot, lookUpAt: string | null = null): Wait {
  const expiry = expiryOf(deposit);
  if (lookUpAt === null || lookUpAt > expiry) return { for: 'payment', next: 'expires', until: expiry };
  return { for: 'payment', next: 'the provider is asked again', until: lookUpAt };
}

export function reviewWait({ reviewReasons }: DepositSnapshot): Wait {
  return { for: 'review', next: `a person approves or returns it (${reviewReasons.join(', ')})`, until: null };
}
