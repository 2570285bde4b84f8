// The deposit's business process: decided, charged at the provider, paid or not, reviewed where in doubt. One workflow per
// deposit, the single writer of its object: everything that wants something of it goes through its inbox, one at a time.
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
import { assertReview } from './steps/review-act.js';
import { askRules } from './steps/rules-answer.js';
import { waitUntil } from './steps/waiting.js';

type CreationResult = DepositCreation | { readonly kind: 'unavailable' };
type NotCreated = Exclude<CreationResult, { readonly kind: 'created' }>;

/** Nobody ends a payment's workflow from outside: a cancellation asked of Temporal would leave its money where it is, and nobody to move it. */
export function deposit(input: DepositWorkflowInput): Promise<DepositEnd> {
  return CancellationScope.nonCancellable(() => lifeOf(input));
}

async function lifeOf(input: DepositWorkflowInput): Promise<DepositEnd> {
  const reactor = new DepositReactor(input.kind === 'create');
  let creation: CreationResult | null = null;
  const answerCreation = (result: CreationResult) => {
    creation ??= result;
  };

  // An update: the caller waits for the outcome of the creation.
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
    const admitted = await admit(input.order);
    if (admitted.kind !== 'admitted') {
      answerCreation(admitted);
      return endWithoutObject(reactor, admitted);
    }
    const record = DepositRecord.of(input.order, admitted.stored.deposit, null);
    record.adopt(admitted.stored);
    reactor.open(record);
    void answerWithinBudget(reactor, answerCreation);
    await reactor.run(admitted.charge);
  }
  return reactor.deposit?.status ?? 'unknown';
}

/** Every way to act on a deposit, each put into the inbox. */
function registerActions(reactor: DepositReactor): void {
  // Queries: reads never disturb the payment.
  setHandler(depositQuery, () => reactor.deposit);
  // Updates: each caller needs to know what became of it.
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
  // A signal: a callback is recorded at once, in whatever state the deposit is, and applied by rule.
  setHandler(chargeNotice, () => reactor.notice());
}

type Admitted =
  { readonly kind: 'admitted'; readonly stored: FoundDeposit; readonly charge: ChargeResult | null } | NotCreated;

/** The player's history can change between the decision and the row; then it is decided again, a bounded number of times. */
const MAX_DECISIONS = 20;

/** Rules, then the row: an object exists only once both agreed. A provider that is quick has answered by then, too. */
async function admit(order: DepositOrder): Promise<Admitted> {
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
          kind: 'admitted',
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

/** The provider's answer or the end of the budget, whichever is first: 201 or 202. */
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

/** Refused or duplicate: the workflow ends without an object. Undecided: it fails, so that a repeat may start anew. */
async function endWithoutObject(reactor: DepositReactor, result: NotCreated): Promise<DepositEnd> {
  reactor.refuse(result.kind);
  await waitUntil(allHandlersFinished, secondsAfter(now(), 10), 'close the run');
  if (result.kind === 'unavailable')
    throw ApplicationFailure.nonRetryable('the creation could not be decided', CREATION_UNAVAILABLE);
  return result;
}
