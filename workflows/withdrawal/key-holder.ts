// A withdrawal that is `requested`: the key directory (DICT) is asked for the holder of the PIX key until it answers or
// the budget is spent, then the rules decide.
import type { KeyOwnerLookedUp } from '../../activities/types.js';
import { DICT_BACKOFF_SECONDS, DICT_CHECK_BUDGET_SECONDS } from '../../domain/withdrawal.js';
import { decide, decideAlone, keyDirectory } from '../steps/activity-proxies.js';
import { now, secondsAfter } from '../steps/clock.js';
import { assertStepFailed, errorCodeOf } from '../steps/patient-call.js';
import type { WithdrawalProcess } from './process.js';
import { keyWait, lookingUpKeyWait } from './waits.js';

export async function findKeyHolder(process: WithdrawalProcess): Promise<void> {
  const { desk } = process;
  const isOver = () => process.withdrawal.status !== 'requested';
  if (isAnswered(process) || isBudgetSpent(process)) {
    await desk.serveCall({ wait: lookingUpKeyWait, isOver }, () => decideRequested(process));
    return;
  }
  const nextAt = process.progress.keyLookUps.nextAt ?? plan(process);
  const waiting = {
    wait: () => keyWait(nextAt),
    until: () => nextAt,
    isOver: () => isOver() || process.shouldContinueAsNew,
  };
  const served = await desk.serve(waiting);
  if (served.kind === 'due') await desk.serveCall({ wait: lookingUpKeyWait, isOver }, () => askDirectory(process));
}

function isAnswered({ state: { keyOwner } }: WithdrawalProcess): boolean {
  return keyOwner !== 'not_asked' && keyOwner !== 'unavailable';
}

function budgetEnd({ withdrawal: { createdAt } }: WithdrawalProcess): string {
  return secondsAfter(createdAt, DICT_CHECK_BUDGET_SECONDS);
}

/** The last look-up is made when the budget ends, so it is spent only after that one. */
function isBudgetSpent(process: WithdrawalProcess): boolean {
  const { nextAt } = process.progress.keyLookUps;
  return now() >= budgetEnd(process) && (nextAt === null || nextAt < now());
}

/** Plans the next look-up. The creation made the first. */
function plan(process: WithdrawalProcess): string {
  const made = process.progress.keyLookUps.made;
  const pause = DICT_BACKOFF_SECONDS[made] ?? 60;
  const next = secondsAfter(now(), pause);
  const end = budgetEnd(process);
  const nextAt = next < end ? next : end;
  process.progress.keyLookUps = { made, nextAt };
  return nextAt;
}

async function askDirectory(process: WithdrawalProcess): Promise<void> {
  const { progress } = process;
  progress.keyLookUps = { made: progress.keyLookUps.made + 1, nextAt: progress.keyLookUps.nextAt };
  const { finding, reason } = await lookUpKeyOwner(process);
  if (finding !== 'unavailable' || now() >= budgetEnd(process)) return;
  plan(process);
  process.reportError(`DICT does not answer (${reason ?? 'no answer'})`);
}

/** Looks the key up once. A step that failed found nothing. */
export async function lookUpKeyOwner(
  process: WithdrawalProcess,
): Promise<Pick<KeyOwnerLookedUp, 'finding' | 'reason'>> {
  const { payment } = process;
  try {
    const summary = 'look up the holder of the PIX key';
    return payment.adopt(await keyDirectory.lookUpKeyOwner(summary, payment.providerRef));
  } catch (error) {
    assertStepFailed(error);
    return { finding: 'unavailable', reason: errorCodeOf(error) };
  }
}

async function decideRequested(process: WithdrawalProcess): Promise<void> {
  const { payment } = process;
  const question = { ...payment.ref, isBudgetSpent: !isAnswered(process) };
  try {
    payment.adopt(await decide.decideRequested({ ...question, rules: 'asked' }));
  } catch (error) {
    assertStepFailed(error);
    payment.adopt(await decideAlone.decideRequested({ ...question, rules: 'silent' }));
  }
}
