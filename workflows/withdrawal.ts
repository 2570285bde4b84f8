// The withdrawal's business process: decided by rules, by people where the rules say so, sent once, followed to a conclusive
// end. One workflow per withdrawal, the single writer of its object: everything goes through its inbox, one at a time.
import { allHandlersFinished, ApplicationFailure, CancellationScope, setHandler } from '@temporalio/workflow';
import {
  cancelWithdrawal,
  concludeWithdrawal,
  payoutNotice,
  refreshWithdrawal,
  reviewWithdrawal,
  type WithdrawalActionOutcome,
  type WithdrawalConclusionOutcome,
  type WithdrawalCreation,
  withdrawalCreation,
  withdrawalQuery,
  type WithdrawalWorkflowInput,
} from '../contract/temporal/withdrawal.js';
import type { WithdrawalSnapshot } from '../domain/withdrawal.js';
import { store } from './steps/activity-proxies.js';
import { now, secondsAfter } from './steps/clock.js';
import { assertConclusion, assertReview } from './steps/review-act.js';
import { waitUntil } from './steps/waiting.js';
import { admitWithdrawal } from './withdrawal/admission.js';
import { WithdrawalReactor } from './withdrawal/reactor.js';
import { WithdrawalRecord } from './withdrawal/record.js';

/** Nobody ends a payment's workflow from outside: a cancellation asked of Temporal would leave its money where it is, and nobody to move it. */
export function withdrawal(input: WithdrawalWorkflowInput): Promise<string> {
  return CancellationScope.nonCancellable(() => lifeOf(input));
}

async function lifeOf(input: WithdrawalWorkflowInput): Promise<string> {
  const reactor = new WithdrawalReactor();
  let creation: WithdrawalCreation | null = null;

  // An update: the caller waits for the decision.
  setHandler(withdrawalCreation, async () => {
    await CancellationScope.nonCancellable(() => waitUntil(() => creation !== null, null, 'creation'));
    if (creation === null) throw ApplicationFailure.nonRetryable('the creation was not decided', 'CreationUnavailable');
    return creation;
  });
  registerActions(reactor);

  if (input.kind === 'reopen') {
    const loaded = await store.loadWithdrawal({ withdrawalId: input.withdrawalId, operationId: input.operationId });
    reactor.open(new WithdrawalRecord(loaded.order, loaded.withdrawal), null);
    creation = { kind: 'created', withdrawal: loaded.withdrawal };
  } else {
    const admitted = await admitWithdrawal(input.order);
    if (admitted.kind !== 'admitted') {
      creation = admitted;
      return endWithoutObject(reactor, admitted);
    }
    reactor.open(admitted.record, admitted.lookupEndToEndId);
    creation = { kind: 'created', withdrawal: admitted.record.withdrawal };
  }
  await reactor.run();
  return reactor.withdrawal?.status ?? 'unknown';
}

/** Every way to act on a withdrawal, each put into the inbox. */
function registerActions(reactor: WithdrawalReactor): void {
  // Queries: reads never disturb the payment.
  setHandler(withdrawalQuery, () => reactor.withdrawal);
  // Updates: each caller needs to know what became of it.
  setHandler(cancelWithdrawal, () => reactor.ask<WithdrawalActionOutcome>((reply) => ({ kind: 'cancel', reply })));
  setHandler(refreshWithdrawal, () => reactor.ask<WithdrawalSnapshot>((reply) => ({ kind: 'refresh', reply })));
  setHandler(
    reviewWithdrawal,
    (review) => reactor.ask<WithdrawalActionOutcome>((reply) => ({ kind: 'review', review, reply })),
    {
      validator: (review) => assertReview(review, ['approve', 'refuse']),
    },
  );
  setHandler(
    concludeWithdrawal,
    (word) => reactor.ask<WithdrawalConclusionOutcome>((reply) => ({ kind: 'conclude', word, reply })),
    { validator: assertConclusion },
  );
  // A signal: a callback is recorded at once, in whatever state the withdrawal is, and applied by rule.
  setHandler(payoutNotice, () => reactor.notice());
}

/** Refused or duplicate: the workflow ends without an object. */
async function endWithoutObject(reactor: WithdrawalReactor, creation: WithdrawalCreation): Promise<string> {
  reactor.refuseAll();
  await waitUntil(allHandlersFinished, secondsAfter(now(), 10), 'close the run');
  return creation.kind;
}
