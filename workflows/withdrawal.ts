// The withdrawal's business process: decided by rules or people, sent once, and followed until its outcome is known.
// Each withdrawal has one workflow, the only writer of its object.
import { allHandlersFinished, ApplicationFailure, CancellationScope, setHandler } from '@temporalio/workflow';
import {
  cancelWithdrawal,
  payoutNotice,
  refreshWithdrawal,
  reviewWithdrawal,
  type WithdrawalActionOutcome,
  type WithdrawalCreation,
  withdrawalCreation,
  withdrawalQuery,
  type WithdrawalWorkflowInput,
  type WriteOffOutcome,
  writeOffWithdrawal,
} from '../contract/temporal/withdrawal.js';
import type { WithdrawalSnapshot } from '../domain/withdrawal.js';
import { store } from './steps/activity-proxies.js';
import { now, secondsAfter } from './steps/clock.js';
import { waitUntil } from './steps/deadline-timer.js';
import { assertReview, assertWriteOff } from './steps/review-act.js';
import { createWithdrawal } from './withdrawal/creation.js';
import { WithdrawalReactor } from './withdrawal/reactor.js';
import { WithdrawalRecord } from './withdrawal/record.js';

/** Ignores cancellation requests to Temporal: they would end the workflow and leave the reserved money in place. */
export function withdrawal(input: WithdrawalWorkflowInput): Promise<string> {
  return CancellationScope.nonCancellable(() => runWithdrawal(input));
}

async function runWithdrawal(input: WithdrawalWorkflowInput): Promise<string> {
  const reactor = new WithdrawalReactor();
  let creation: WithdrawalCreation | null = null;

  // An update, because the caller waits for the decision.
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
    const created = await createWithdrawal(input.order);
    if (created.kind !== 'created') {
      creation = created;
      return endWithoutObject(reactor, created);
    }
    reactor.open(created.record, created.lookupEndToEndId);
    creation = { kind: 'created', withdrawal: created.record.withdrawal };
  }
  await reactor.run();
  return reactor.withdrawal?.status ?? 'unknown';
}

/** Registers the handlers of the withdrawal. All but the query put an item into the inbox. */
function registerActions(reactor: WithdrawalReactor): void {
  // A query, because reads must not change the history.
  setHandler(withdrawalQuery, () => reactor.withdrawal);
  // Updates, because each caller needs the result.
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
    writeOffWithdrawal,
    (decision) => reactor.ask<WriteOffOutcome>((reply) => ({ kind: 'write_off', decision, reply })),
    { validator: assertWriteOff },
  );
  // A signal: a callback is recorded in any state and applied by the state table.
  setHandler(payoutNotice, () => reactor.notice());
}

/** Ends the workflow of a refused or duplicate withdrawal, after its callers have their answers. */
async function endWithoutObject(reactor: WithdrawalReactor, creation: WithdrawalCreation): Promise<string> {
  reactor.refuseAll();
  await waitUntil(allHandlersFinished, secondsAfter(now(), 10), 'close the run');
  return creation.kind;
}
