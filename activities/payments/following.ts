// Steps around a provider's answer that takes its time: a brief look-up that gives up at once, and patient ones that
// fail until something changed, so that Temporal repeats them without an event in the payment's history.
import { activityInfo, ApplicationFailure } from '@temporalio/activity';
import { NO_TRACE, NOT_AT_ONCE, NOT_FINISHED } from '../../contract/temporal/payment-steps.js';
import { mayHaveLeft } from '../../domain/withdrawal.js';
import { BriefCalls, type BriefSlots } from '../provider/brief-calls.js';
import type { WithdrawalProviderSteps } from '../withdrawals/types.js';
import { notYet } from './not-yet.js';
import type { BriefProviderSteps, FollowSteps } from './types.js';

const BRIEF_LOOK_UP_MS = 2_500;

type Steps = Pick<WithdrawalProviderSteps, 'lookUpPayout'>;

/** `slots`: shared with the other steps of the process. */
export function createBriefSteps({ lookUpPayout }: Steps, slots?: BriefSlots): BriefProviderSteps {
  const calls = new BriefCalls(undefined, slots);
  return {
    async lookUpPayoutBriefly(input) {
      const answer = await calls.ask(input.provider, BRIEF_LOOK_UP_MS, () => lookUpPayout(input));
      if (answer === null) throw ApplicationFailure.nonRetryable('the provider does not answer at once', NOT_AT_ONCE);
      return answer;
    },
  };
}

export function createFollowing({ lookUpPayout }: Steps): FollowSteps {
  return {
    async followPayout(input) {
      const answer = await lookUpPayout(input);
      const { withdrawal, send } = answer.state;
      if (withdrawal.version > input.seenVersion || !mayHaveLeft(send)) return answer;
      throw notYet(answer.outcome === 'nothing' ? NO_TRACE : NOT_FINISHED, input.isLater);
    },
  };
}

/**
 * The same steps by the time of their attempt: what a patient activity stores after an hour of tries happened then, not
 * when the workflow scheduled it.
 */
export function atAttempts<Steps extends object>(steps: Steps): Steps {
  const dated = Object.entries(steps as Record<string, Step>).map(([name, step]) => [
    name,
    (input: object) =>
      step({ ...input, at: new Date(activityInfo().currentAttemptScheduledTimestampMs).toISOString() }),
  ]);
  return Object.fromEntries(dated) as Steps;
}

type Step = (input: object) => Promise<unknown>;
