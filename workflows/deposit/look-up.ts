// Looks a deposit's charge up. A brief try comes first; a provider that does not answer at once is called until it
// does.
import type { DepositExamined } from '../../activities/types.js';
import { NOT_AT_ONCE, type RulesMode } from '../../contract/temporal/payment-steps.js';
import { expiryOf, type DepositSnapshot } from '../../domain/deposit.js';
import { brief, type CallOptions, provider, providerBriefly, rules, store } from '../steps/activity-proxies.js';
import { assertStepFailed, callUntilAnswered, errorCodeOf, failureTypeOf } from '../steps/patient-call.js';
import type { DepositProcess } from './process.js';
import { lookUpWait } from './waits.js';

/**
 * Makes the requested look-up, and stores what follows. Ends early, and keeps the request, when the deposit expires, a
 * message ends it, or the process continues as new.
 */
export async function lookUp(process: DepositProcess, { until }: { until?: () => string | null }): Promise<void> {
  const { status } = process.deposit;
  const request = process.lookUps.start();
  const waiting = {
    wait: (since: string) => lookUpWait(since, process.deposit),
    isOver: () => process.deposit.status !== status || process.shouldContinueAsNew,
    ...(until === undefined ? {} : { until }),
  };
  const served = await process.messages.serveCall(waiting, () => examine(process, request.unanswered));
  if (served.kind !== 'done') return request.withdraw();
  request.answer();
  process.noticedLookUps.answered({ isUnchanged: process.deposit.status === 'pending' });
}

/** A look-up for a caller: answered as soon as the provider has answered, or does not answer at once. */
export async function lookUpOnRequest(process: DepositProcess): Promise<DepositSnapshot> {
  await process.untilOpen();
  // Without a charge there is nothing to look up yet.
  if (process.deposit.status === 'created') process.requestLookUp();
  else await process.lookUps.requestAnswer();
  return process.deposit;
}

/** Looks up until the provider has answered and its payment is decided. `unanswered`: it does not answer at once. */
async function examine(process: DepositProcess, unanswered: () => void): Promise<void> {
  const briefly = await examineBriefly(process);
  if (briefly === 'done') return;
  // A task that was lost may have stored an answer: queries show it before the provider answers again.
  process.payment.adopt(await store.loadDeposit(process.payment.ref));
  unanswered();
  // The process that waits for the provider may not serve the rules: then a second, brief look-up evaluates them.
  const examined = await examinePatiently(process, 'asked');
  if (examined.outcome === 'examined') return;
  if ((await examineBriefly(process)) === 'done') return;
  await examinePatiently(process, 'silent');
}

/** `not_at_once`: the provider, or the rules, did not answer within a moment. */
async function examineBriefly(process: DepositProcess): Promise<'done' | 'not_at_once'> {
  const { payment } = process;
  try {
    payment.adopt(await brief.examineChargeBriefly(payment.providerRef));
  } catch (error) {
    assertStepFailed(error);
    if (failureTypeOf(error) === NOT_AT_ONCE || !(await isExaminedByRules(process))) return 'not_at_once';
  }
  process.reportError(null);
  return 'done';
}

/** The same on the queue that serves the rules. */
async function isExaminedByRules({ payment }: DepositProcess): Promise<boolean> {
  try {
    payment.adopt(await rules.examineChargeBriefly('look the charge up, store its payments', payment.providerRef));
    return true;
  } catch (error) {
    assertStepFailed(error);
    return false;
  }
}

async function examinePatiently(process: DepositProcess, mode: RulesMode): Promise<DepositExamined> {
  const { payment } = process;
  const call = (options: CallOptions) =>
    provider.examineCharge('look the charge up', { ...payment.providerRef, rules: mode }, options);
  const examined = await callUntilAnswered(call, (error) =>
    process.reportError(`the provider does not answer (${error})`),
  );
  process.reportError(null);
  return payment.adopt(examined);
}

/** `error` is the code of a missing answer. */
interface LookedUp {
  readonly error: string | null;
}

/** One last look-up before the process takes a step that does not wait for the provider. */
export async function lookOnceMore(process: DepositProcess, summary: string, mode: RulesMode): Promise<LookedUp> {
  return (await examineBriefly(process)) === 'done' ? { error: null } : lookOnceBeside(process, summary, mode);
}

/**
 * The same for a caller, beside whatever the process does. A regular activity: two local ones at a time may end
 * together in a replay, in another order than they did.
 */
export async function lookOnceBeside(process: DepositProcess, summary: string, mode: RulesMode): Promise<LookedUp> {
  const { payment } = process;
  try {
    payment.adopt(await providerBriefly.examineCharge(summary, { ...payment.providerRef, rules: mode }));
    return { error: null };
  } catch (error) {
    assertStepFailed(error);
    return { error: errorCodeOf(error) };
  }
}

/** The deadline of a pending deposit. */
export function expiry(process: DepositProcess): { until: () => string | null } {
  return { until: () => expiryOf(process.deposit) };
}
