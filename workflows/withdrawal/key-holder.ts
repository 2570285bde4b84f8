// A withdrawal in `requested`: looks up the holder of the PIX key in the key directory (DICT) until it answers or the
// budget is spent. Then the rules decide.
import type { KeyOwnerLookedUp } from '../../activities/types.js';
import { DICT_BACKOFF_SECONDS, DICT_CHECK_BUDGET_SECONDS } from '../../domain/withdrawal.js';
import { decide, decideAlone, keyDirectory } from '../steps/activity-proxies.js';
import { now, secondsAfter } from '../steps/clock.js';
import { assertStepFailed, errorCodeOf } from '../steps/patient-call.js';
import type { WithdrawalProcess } from './process.js';
import { keyWait, lookingUpKeyWait } from './waits.js';

export async function findKeyHolder(process: WithdrawalProcess): Promise<void> {
  const { messages } = process;
  const isOver = () => process.withdrawal.status !== 'requested';
  if (isAnswered(process) || isBudgetSpent(process)) {
    await messages.serveCall({ wait: lookingUpKeyWait, isOver }, () => decideRequested(process));
    return;
  }
  const nextAt = process.progress.keyLookUps.nextAt ?? plan(process);
  const waiting = {
    wait: () => keyWait(nextAt),
    until: () => nextAt,
    isOver: () => isOver() || process.shouldContinueAsNew,
  };
  const served = await messages.serve(waiting);
  if (served.kind !== 'due') return;
  await messages.serveCall({ wait: lookingUpKeyWait, isOver }, async () => void (await askDirectory(process)));
}

function isAnswered({ state: { keyOwner } }: WithdrawalProcess): boolean {
  return keyOwner !== 'not_asked' && keyOwner !== 'unavailable';
}

/** The creation made the first look-up, unless the rules needed it later. */
function budgetEnd({ withdrawal: { createdAt }, progress }: WithdrawalProcess): string {
  return secondsAfter(progress.keyLookUps.since ?? createdAt, DICT_CHECK_BUDGET_SECONDS);
}

/** The last look-up is made when the budget ends, so the budget is spent only after it. */
function isBudgetSpent(process: WithdrawalProcess): boolean {
  const { nextAt } = process.progress.keyLookUps;
  return now() >= budgetEnd(process) && nextAt === null;
}

/** Plans the next look-up. */
function plan(process: WithdrawalProcess): string {
  const { made } = process.progress.keyLookUps;
  const pause = DICT_BACKOFF_SECONDS[made] ?? 60;
  const next = secondsAfter(now(), pause);
  const end = budgetEnd(process);
  const nextAt = next < end ? next : end;
  process.progress.keyLookUps = { ...process.progress.keyLookUps, nextAt };
  return nextAt;
}

/** Asks the directory. While it does not answer and the budget lasts, plans the next look-up and returns its time. */
async function askDirectory(process: WithdrawalProcess): Promise<string | null> {
  const { progress } = process;
  const { made, nextAt } = progress.keyLookUps;
  // The first one is not planned and does not count, like that of the creation.
  if (nextAt !== null) progress.keyLookUps = { ...progress.keyLookUps, made: made + 1 };
  const { finding, reason } = await lookUpKeyOwner(process);
  if (finding !== 'unavailable' || now() >= budgetEnd(process)) {
    progress.keyLookUps = { ...progress.keyLookUps, nextAt: null };
    return null;
  }
  process.reportError(`DICT does not answer (${reason ?? 'no answer'})`);
  return plan(process);
}

/** The same for one under review, whose budget begins when the rules first need the holder of its key. */
export function askDirectoryInReview(process: WithdrawalProcess): Promise<string | null> {
  const { progress } = process;
  const { made, since } = progress.keyLookUps;
  if (made === 0) progress.keyLookUps = { ...progress.keyLookUps, since: since ?? now() };
  return askDirectory(process);
}

/** Looks the key up once. A failed step counts as `unavailable`. */
async function lookUpKeyOwner(process: WithdrawalProcess): Promise<Pick<KeyOwnerLookedUp, 'finding' | 'reason'>> {
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
