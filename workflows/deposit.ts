// The deposit's business process: decided by the rules, charged at the provider, paid or expired, and reviewed when a
// payment is in doubt. Each deposit has one workflow, the only writer of its object.
import {
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { ChargeResult } from '../activities/types.js';
import type { FoundDeposit } from '../contract/temporal/transitions.js';
import {
  cancelDeposit,
  chargeNotice,
  CREATION_UNAVAILABLE,
  type DepositActionOutcome,
  depositCreation,
  type DepositCreation,
  type DepositEnd,
  type DepositOrder,
  depositQuery,
  type DepositWorkflowInput,
  expireDeposit,
  refreshDeposit,
  reviewDeposit,
} from '../contract/temporal/deposit.js';
import { CREATION_ANSWER_BUDGET_MS, type DepositSnapshot } from '../domain/deposit.js';
import { isDepositVerdict } from '../domain/rules/verdicts.js';
import { DepositRecord } from './deposit/record.js';
import { DepositReactor } from './deposit/reactor.js';
import { openDeposit, rules, store } from './steps/activity-proxies.js';
import { millisecondsUntil, now, secondsAfter } from './steps/clock.js';
import { waitUntil } from './steps/deadline-timer.js';
import { assertReview } from './steps/review-act.js';
import { askRules } from './steps/rules-answer.js';

type CreationResult = DepositCreation | { readonly kind: 'unavailable' };
type NotCreated = Exclude<CreationResult, { readonly kind: 'created' }>;

/** Ignores cancellation requests to Temporal: they would end the workflow and leave the deposit's money in place. */
export function deposit(input: DepositWorkflowInput): Promise<DepositEnd> {
  return CancellationScope.nonCancellable(() => runDeposit(input));
}

async function runDeposit(input: DepositWorkflowInput): Promise<DepositEnd> {
  const reactor = new DepositReactor(input.kind === 'create');
  let creation: CreationResult | null = null;
  const answerCreation = (result: CreationResult) => {
    creation ??= result;
  };

  // An update, because the caller waits for the outcome of the creation.
  setHandler(depositCreation, async () => {
    await CancellationScope.nonCancellable(() => waitUntil(() => creation !== null, null, 'creation'));
    return creationAnswer(creation);
  });
  registerActions(reactor);

  if (input.kind === 'reopen') {
    const loaded = await store.loadDeposit({ depositId: input.depositId, operationId: input.operationId });
    reactor.open(DepositRecord.of(loaded.order, loaded.deposit, loaded.sealedPayer));
    answerCreation({ kind: 'created', deposit: loaded.deposit });
    await reactor.run(null);
  } else {
    const created = await createDeposit(input.order);
    if (created.kind !== 'created') {
      answerCreation(created);
      return endWithoutObject(reactor, created);
    }
    const record = DepositRecord.of(input.order, created.stored.deposit, null);
    record.adopt(created.stored);
    reactor.open(record);
    void answerWithinBudget(reactor, answerCreation);
    await reactor.run(created.charge);
  }
  return reactor.deposit?.status ?? 'unknown';
}

/** Registers the handlers of the deposit. All but the query put an item into the inbox. */
function registerActions(reactor: DepositReactor): void {
  // A query, because reads must not change the history.
  setHandler(depositQuery, () => reactor.deposit);
  // Updates, because each caller needs the result.
  setHandler(cancelDeposit, () => reactor.ask<DepositActionOutcome>((reply) => ({ kind: 'cancel', reply })));
  setHandler(expireDeposit, () => reactor.ask<DepositActionOutcome>((reply) => ({ kind: 'expire', reply })));
  setHandler(refreshDeposit, () => reactor.ask<DepositSnapshot>((reply) => ({ kind: 'refresh', reply })));
  setHandler(
    reviewDeposit,
    (review) => reactor.ask<DepositActionOutcome>((reply) => ({ kind: 'review', review, reply })),
    {
      validator: (review) => assertReview(review, ['approve', 'return']),
    },
  );
  // A signal: a callback is recorded in any state and applied by the state table.
  setHandler(chargeNotice, () => reactor.notice());
}

type CreatedDeposit =
  { readonly kind: 'created'; readonly stored: FoundDeposit; readonly charge: ChargeResult | null } | NotCreated;

/**
 * When the player's history changes between the decision and the insert, the decision is repeated up to this number.
 */
const MAX_DECISIONS = 20;

/** Asks the rules, then inserts the deposit and, within the answer budget, tries to create its charge. */
async function createDeposit(order: DepositOrder): Promise<CreatedDeposit> {
  for (let decisions = 1; decisions <= MAX_DECISIONS; decisions += 1) {
    const at = now();
    const answer = await askRules(() => rules.decideDeposit('decide the deposit', { order, at }), isDepositVerdict);
    if (answer.kind !== 'verdict') return { kind: 'unavailable' };
    if (answer.verdict.kind === 'refuse') return { kind: 'refused', code: answer.verdict.code };
    const deposit = newDeposit(order, at);
    const { playerRevision = null } = answer.verdict;
    const opening = await openDeposit({
      order,
      deposit,
      playerRevision,
      chargeWithinMs: millisecondsUntil(answerDeadline()),
    });
    switch (opening.kind) {
      case 'admitted':
        return {
          kind: 'created',
          stored: opening.found ?? { deposit, sealedPayer: null, events: [] },
          charge: opening.charge,
        };
      case 'duplicate':
        return opening;
      case 'document_mismatch':
        return { kind: 'refused', code: 'document_mismatch' };
      case 'insufficient_balance':
        throw ApplicationFailure.nonRetryable('a deposit needs no balance', 'ImpossibleAdmission');
      case 'stale':
    }
  }
  return { kind: 'unavailable' };
}

function newDeposit(order: DepositOrder, at: string): DepositSnapshot {
  return {
    id: order.depositId,
    operationId: order.operationId,
    externalId: order.externalId,
    status: 'created',
    version: 1,
    amountMinor: order.amountMinor,
    currency: order.currency,
    paidAmountMinor: null,
    method: 'pix',
    playerRef: order.playerRef,
    provider: order.provider,
    instructions: null,
    failureCode: null,
    reviewReasons: [],
    decidedBy: [],
    endToEndId: null,
    hasPayer: false,
    latePayment: false,
    createdAt: at,
    updatedAt: at,
    paidAt: null,
    expiresAt: secondsAfter(at, order.expiresInSeconds),
  };
}

/** Answers the creation when the provider has answered (201) or the budget is spent (202). */
async function answerWithinBudget(reactor: DepositReactor, answer: (result: CreationResult) => void): Promise<void> {
  const isAnswered = () => reactor.deposit?.status !== 'created';
  const inTime = await waitUntil(isAnswered, answerDeadline(), 'answer the caller without a charge (202)');
  if (!inTime) reactor.answeredEarly();
  if (reactor.deposit !== null) answer({ kind: 'created', deposit: reactor.deposit });
}

function answerDeadline(): string {
  return secondsAfter(workflowInfo().startTime.toISOString(), CREATION_ANSWER_BUDGET_MS / 1000);
}

function creationAnswer(creation: CreationResult | null): DepositCreation {
  if (creation === null || creation.kind === 'unavailable') {
    throw ApplicationFailure.nonRetryable('the creation could not be decided', CREATION_UNAVAILABLE);
  }
  return creation;
}

/**
 * Ends the workflow of a deposit that was not created. An undecided creation fails, so that a retry can start another
 * run.
 */
async function endWithoutObject(reactor: DepositReactor, result: NotCreated): Promise<DepositEnd> {
  reactor.refuse(result.kind);
  await waitUntil(allHandlersFinished, secondsAfter(now(), 10), 'close the run');
  if (result.kind === 'unavailable')
    throw ApplicationFailure.nonRetryable('the creation could not be decided', CREATION_UNAVAILABLE);
  return result;
}
