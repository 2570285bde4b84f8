// Steps that wait for a slow provider: a brief look-up that gives up at once, and patient ones that fail until
// something changes, so that Temporal repeats them without an event in the payment's history.
import { ApplicationFailure } from '@temporalio/activity';
import { NO_TRACE, NOT_AT_ONCE, NOT_FINISHED } from '../../contract/temporal/payment-steps.js';
import { mayHaveLeft } from '../../domain/withdrawal.js';
import { BriefCalls, type BriefSlots } from '../provider/brief-calls.js';
import type { WithdrawalProviderSteps } from '../withdrawals/types.js';
import { notYet } from './not-yet.js';
import type { BriefProviderSteps, FollowSteps } from './types.js';

const BRIEF_LOOK_UP_MS = 2_500;
/** Short ones first: a provider may call back before its own answers show what happened. */
const PAUSES_SECONDS = [2, 5, 15, 60, 120, 300] as const;

type Steps = Pick<WithdrawalProviderSteps, 'lookUpPayout'>;

/** `slots` are shared with the other steps of the process. */
export function createBriefSteps({ lookUpPayout }: Steps, slots?: BriefSlots): BriefProviderSteps {
  const calls = new BriefCalls(undefined, slots);
  return {
    async lookUpPayoutBriefly(input) {
      let final: ApplicationFailure | null = null;
      const call = () =>
        lookUpPayout(input).catch((error: unknown) => {
          // There is no such withdrawal. That is not a missing answer of the provider.
          if (error instanceof ApplicationFailure && error.nonRetryable === true) final = error;
          throw error;
        });
      const answer = await calls.ask(input.provider, BRIEF_LOOK_UP_MS, call);
      if (final !== null) throw final;
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
      throw notYet(answer.outcome === 'nothing' ? NO_TRACE : NOT_FINISHED, input.isLater, PAUSES_SECONDS);
    },
  };
}
