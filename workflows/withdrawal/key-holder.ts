// A withdrawal in `requested`: looks up the holder of the PIX key in the key directory (DICT) until it answers or the
// budget is spent. Then the rules decide.
import type { KeyOwnerLookedUp } from '../../activities/types.js';
import { DICT_BACKOFF_SECONDS, DICT_CHECK_BUDGET_SECONDS } from '../../domain/payments/withdrawal.js';
import { assertStepFailed, errorCodeOf } from '../steps/patient-call.js';
import type { Wait } from '../steps/status-reporter.js';
import { step } from '../steps/step.js';
import { now, secondsAfter } from '../steps/time.js';
import type { WithdrawalProcess } from './process.js';

export async function findKeyHolder(run: WithdrawalProcess): Promise<void> {
  const { messages } = run;
  const isOver = () => run.withdrawal.status !== 'requested';
  if (isAnswered(run) || isBudgetSpent(run)) {
    await messages.serveCall({ wait: lookingUpKeyWait, isOver }, () => decideRequested(run));
    return;
  }
  const nextAt = run.progress.keyLookUps.nextAt ?? plan(run);
  const waiting = {
    wait: () => keyWait(nextAt),
    until: () => nextAt,
    isOver: () => isOver() || run.shouldContinueAsNew,
  };
  const served = await messages.serve(waiting);
  if (served.kind !== 'due') return;
  await messages.serveCall({ wait: lookingUpKeyWait, isOver }, async () => void (await askDirectory(run)));
}

function isAnswered({ state: { keyOwner } }: WithdrawalProcess): boolean {
  return keyOwner !== 'not_asked' && keyOwner !== 'unavailable';
}

/** The creation made the first look-up, unless the rules needed it later. */
function budgetEnd({ withdrawal: { createdAt }, progress }: WithdrawalProcess): string {
  return secondsAfter(progress.keyLookUps.since ?? createdAt, DICT_CHECK_BUDGET_SECONDS);
}

/** The last look-up is made when the budget ends, so the budget is spent only after it. */
function isBudgetSpent(run: WithdrawalProcess): boolean {
  const { nextAt } = run.progress.keyLookUps;
  return now() >= budgetEnd(run) && nextAt === null;
}

/** Plans the next look-up. */
function plan(run: WithdrawalProcess): string {
  const { made } = run.progress.keyLookUps;
  const pause = DICT_BACKOFF_SECONDS[made] ?? 60;
  const next = secondsAfter(now(), pause);
  const end = budgetEnd(run);
  const nextAt = next < end ? next : end;
  run.progress.keyLookUps = { ...run.progress.keyLookUps, nextAt };
  return nextAt;
}

/** Asks the directory. While it does not answer and the budget lasts, plans the next look-up and returns its time. */
async function askDirectory(run: WithdrawalProcess): Promise<string | null> {
  const { progress } = run;
  const { made, nextAt } = progress.keyLookUps;
  // The first one is not planned and does not count, like that of the creation.
  if (nextAt !== null) progress.keyLookUps = { ...progress.keyLookUps, made: made + 1 };
  const { finding, reason } = await lookUpKeyOwner(run);
  if (finding !== 'unavailable' || now() >= budgetEnd(run)) {
    progress.keyLookUps = { ...progress.keyLookUps, nextAt: null };
    return null;
  }
  run.reportError(`DICT does not answer (${reason ?? 'no answer'})`);
  return plan(run);
}

/** The same for one under review, whose budget begins when the rules first need the holder of its key. */
export function askDirectoryInReview(run: WithdrawalProcess): Promise<string | null> {
  const { progress } = run;
  const { made, since } = progress.keyLookUps;
  if (made === 0) progress.keyLookUps = { ...progress.keyLookUps, since: since ?? now() };
  return askDirectory(run);
}

/** Looks the key up once. A failed step counts as `unavailable`. */
async function lookUpKeyOwner(run: WithdrawalProcess): Promise<Pick<KeyOwnerLookedUp, 'finding' | 'reason'>> {
  const { payment } = run;
  try {
    return payment.adopt(await step.lookUpKeyOwner(payment.providerRef));
  } catch (error) {
    assertStepFailed(error);
    return { finding: 'unavailable', reason: errorCodeOf(error) };
  }
}

async function decideRequested(run: WithdrawalProcess): Promise<void> {
  const { payment } = run;
  const question = { ...payment.ref, isBudgetSpent: !isAnswered(run) };
  try {
    payment.adopt(await step.decideRequested({ ...question, rules: 'asked' }));
  } catch (error) {
    assertStepFailed(error);
    payment.adopt(await step.decideRequested({ ...question, rules: 'silent' }));
  }
}

function keyWait(nextAt: string): Wait {
  return { for: 'key_owner', next: 'DICT is asked again', until: nextAt };
}

function lookingUpKeyWait(since: string): Wait {
  return { for: 'key_owner', underWay: { what: 'DICT is being asked', since }, next: '', until: null };
}
