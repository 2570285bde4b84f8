// The activities as workflows call them: timeouts and retry policies stand here, not in the story.
import { ActivityFailure, ApplicationFailure, CancellationScope, patched, proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { ReconciliationActivities, RotationActivities, RuleChangeActivities } from '../../activities/operation-types.js';
import type { DepositOpening, ExaminationActivities, OpeningActivities, ProviderActivities, RulesActivities, StoreActivities, WebhookActivities } from '../../activities/types.js';
import { TASK_QUEUES } from '../../contract/temporal/task-queues.js';

/** Retried until the provider's answer is conclusive; each attempt has the provider's own 8 s budget inside. */
export const provider = proxyActivities<ProviderActivities>({
  startToCloseTimeout: '12s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' },
});

/** A look that may come back empty-handed: the last one before a deposit expires, or before people conclude that a payout is lost. */
export const providerBriefly = proxyActivities<Pick<ProviderActivities, 'lookUpCharge' | 'lookUpPayout'>>({
  startToCloseTimeout: '12s',
  scheduleToCloseTimeout: '25s',
  retry: { maximumAttempts: 2 },
});

/** The key's holder, one try: the pauses between tries are the withdrawal's own durable timers. */
export const keyDirectory = proxyActivities<Pick<ProviderActivities, 'lookUpKeyOwner'>>({
  startToCloseTimeout: '4s',
  scheduleToCloseTimeout: '6s',
  retry: { maximumAttempts: 1 },
});

/** The one send: never tried again by Temporal. A lost attempt is an unknown outcome. */
export const payoutSend = proxyActivities<Pick<ProviderActivities, 'sendPayout'>>({
  startToCloseTimeout: '15s',
  retry: { maximumAttempts: 1 },
});

/** The rules engine on its own task queue: no answer in time means it is unavailable. */
export const rules = proxyActivities<RulesActivities>({
  taskQueue: TASK_QUEUES.rules,
  startToCloseTimeout: '3s',
  scheduleToCloseTimeout: '5s',
  retry: { initialInterval: '200ms', maximumAttempts: 3 },
});

/** Looks a charge up where the rules are asked, in one trip; without an answer the two are asked one by one. */
export const examination = proxyActivities<ExaminationActivities>({
  taskQueue: TASK_QUEUES.rules,
  scheduleToStartTimeout: '2s',
  startToCloseTimeout: '4s',
  retry: { maximumAttempts: 1 },
});

/** The first attempt of a delivery; what fails goes to a delivery workflow. */
export const firstDelivery = proxyActivities<Pick<WebhookActivities, 'deliverEvent'>>({
  taskQueue: TASK_QUEUES.webhooks,
  startToCloseTimeout: '20s',
  scheduleToStartTimeout: '1m',
  retry: { maximumAttempts: 1 },
});

/** Freezing days: bounded statements; a book that keeps failing is left to the next night. */
export const reconciliation = proxyActivities<ReconciliationActivities>({
  startToCloseTimeout: '30s',
  retry: { initialInterval: '2s', backoffCoefficient: 2, maximumInterval: '30s', maximumAttempts: 6 },
});

/** A few bounded statements a day; what keeps failing is left to the next day's run. */
export const rotation = proxyActivities<RotationActivities>({
  startToCloseTimeout: '30s',
  retry: { initialInterval: '2s', backoffCoefficient: 2, maximumInterval: '1m', maximumAttempts: 10 },
});

/** The request's row, the rule set and the event: retried until the database has them. */
export const ruleChanges = proxyActivities<RuleChangeActivities>({
  startToCloseTimeout: '10s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '15s' },
});

/** Tens of thousands of decisions evaluated again, page by page; a worker that died is noticed by its silence. */
export const ruleChangeProof = proxyActivities<Pick<RuleChangeActivities, 'proveRuleChange'>>({
  startToCloseTimeout: '20m',
  heartbeatTimeout: '30s',
  retry: { initialInterval: '2s', backoffCoefficient: 2, maximumInterval: '1m' },
});

const localStore = proxyLocalActivities<StoreActivities>({
  startToCloseTimeout: '5s',
  retry: { initialInterval: '100ms', maximumAttempts: 3, maximumInterval: '1s' },
});
const durableStore = proxyActivities<StoreActivities>({
  startToCloseTimeout: '10s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '15s' },
});

/**
 * Postgres steps. A local activity costs no extra trip through Temporal; when the database stays away, the same step goes
 * on as a regular activity, so that operations staff see it pending with its attempts and last failure.
 */
export const store: StoreActivities = {
  storeDeposit: (input) => localThenDurable(() => localStore.storeDeposit(input), () => durableStore.storeDeposit(input)),
  loadDeposit: (input) => localThenDurable(() => localStore.loadDeposit(input), () => durableStore.loadDeposit(input)),
  admitWithdrawal: (input) => localThenDurable(() => localStore.admitWithdrawal(input), () => durableStore.admitWithdrawal(input)),
  storeWithdrawal: (input) => localThenDurable(() => localStore.storeWithdrawal(input), () => durableStore.storeWithdrawal(input)),
  loadWithdrawal: (input) => localThenDurable(() => localStore.loadWithdrawal(input), () => durableStore.loadWithdrawal(input)),
  raiseAlert: (input) => localThenDurable(() => localStore.raiseAlert(input), () => durableStore.raiseAlert(input)),
};

/**
 * Where what an update asks for is stored. An update is in Temporal's memory only until the workflow task that took it in is completed; so that
 * no effect of it is stored before it is in the history, the step is a regular activity, which that completion schedules.
 */
export function storeOfActs(): StoreActivities {
  return patched('an act is in the history before it is stored') ? durableStore : store;
}

const localOpening = proxyLocalActivities<OpeningActivities>({
  startToCloseTimeout: '12s',
  retry: { initialInterval: '100ms', maximumAttempts: 3, maximumInterval: '1s' },
});
const durableOpening = proxyActivities<OpeningActivities>({
  startToCloseTimeout: '10s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '15s' },
});

/** The deposit's row and, while the caller waits anyway, its charge. With the database away only the row matters. */
export function openDeposit(input: Parameters<OpeningActivities['openDeposit']>[0]): Promise<DepositOpening> {
  return localThenDurable(
    () => localOpening.openDeposit.executeWithOptions({ summary: 'store the deposit, create charge' }, [input]),
    () => durableOpening.openDeposit.executeWithOptions({ summary: 'store the deposit' }, [{ ...input, chargeWithinMs: 0 }]),
  );
}

async function localThenDurable<T>(local: () => Promise<T>, durable: () => Promise<T>): Promise<T> {
  try {
    return await local();
  } catch (error) {
    // A local activity's failure comes bare or wrapped, depending on how it ended.
    const failure = error instanceof ActivityFailure ? error.cause : error;
    const isFinal = failure instanceof ApplicationFailure && failure.nonRetryable;
    // A worker that drops the run in the middle of the step, because its cache is full or it stops, reports the step as cancelled: nobody
    // asked for that, and it may well be stored.
    if (isFinal || CancellationScope.current().consideredCancelled) throw error;
    return durable();
  }
}
