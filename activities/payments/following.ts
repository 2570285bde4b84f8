// Steps around a provider's answer that takes its time: a brief look-up that gives up at once, and patient ones that
// fail until something changed, so that Temporal repeats them without an event in the payment's history.
import { ApplicationFailure } from '@temporalio/activity';
import { NO_TRACE, NOT_AT_ONCE, NOT_FINISHED } from '../../contract/temporal/payment-steps.js';
import { mayHaveLeft } from '../../domain/withdrawal.js';
import type { DepositProviderSteps } from '../deposits/types.js';
import { BriefCalls } from '../provider/brief-calls.js';
import type { WithdrawalProviderSteps } from '../withdrawals/types.js';
import type { BriefProviderSteps, FollowSteps } from './types.js';

const BRIEF_LOOK_UP_MS = 2_500;

type Steps = Pick<DepositProviderSteps, 'returnPayment'> & Pick<WithdrawalProviderSteps, 'lookUpPayout'>;

export function createBriefSteps({ lookUpPayout }: Pick<Steps, 'lookUpPayout'>): BriefProviderSteps {
  const calls = new BriefCalls();
  return {
    async lookUpPayoutBriefly(input) {
      const answer = await calls.ask(input.provider, BRIEF_LOOK_UP_MS, () => lookUpPayout(input));
      if (answer === null) throw ApplicationFailure.nonRetryable('the provider does not answer at once', NOT_AT_ONCE);
      return answer;
    },
  };
}

export function createFollowing({ returnPayment, lookUpPayout }: Steps): FollowSteps {
  return {
    async followReturn(input) {
      const answer = await returnPayment(input);
      if (answer.outcome === 'pending') throw notYet(NOT_FINISHED);
      return answer;
    },
    async followPayout(input) {
      const answer = await lookUpPayout(input);
      const { withdrawal, send } = answer.state;
      if (withdrawal.version > input.seenVersion || !mayHaveLeft(send)) return answer;
      throw notYet(answer.outcome === 'nothing' ? NO_TRACE : NOT_FINISHED);
    },
  };
}

/** `reason` is the code that the payment's page shows. */
function notYet(reason: string): ApplicationFailure {
  return ApplicationFailure.retryable(`nothing has changed: ${reason}`, 'NotYet', reason);
}
