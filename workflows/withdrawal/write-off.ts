// Writing off a payout whose send was never answered, or that stays processing: two people decide it, with the
// provider's written statement as evidence. Between them the payout is looked up once more.
import type { WriteOffDecided } from '../../activities/types.js';
import type { WriteOffDecision, WriteOffOutcome } from '../../contract/temporal/payment.js';
import { WRITE_OFF_STATUSES } from '../../domain/payments/write-off.js';
import { assertActId } from '../steps/act.js';
import { step } from '../steps/step.js';
import { assertStepFailed } from '../steps/patient-call.js';
import type { WithdrawalProcess } from './process.js';

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
