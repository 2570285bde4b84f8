// The activities that workflows call, with their timeouts and retry policies. Each call has a summary for the Temporal
// UI.
import {
  ActivityFailure,
  type ActivityOptions,
  ApplicationFailure,
  CancellationScope,
  type LocalActivityOptions,
  proxyActivities,
  proxyLocalActivities,
} from '@temporalio/workflow';
import type {
  ReconciliationActivities,
  RotationActivities,
  RuleChangeActivities,
  DepositOpening,
  ExaminationActivities,
  OpeningActivities,
  ProviderActivities,
  RulesActivities,
  StoreActivities,
  WebhookActivities,
} from '../../activities/types.js';
import { TASK_QUEUES } from '../../contract/temporal/task-queues.js';
import { formatBrl } from '../../domain/money.js';

/** The option that one call may override: the time limit for all its tries together. */
export type CallLimit = Pick<ActivityOptions, 'scheduleToCloseTimeout'>;

/** Activities that are called with a summary. The Temporal UI shows it in the history and while the call is pending. */
type Summarised<Activities> = {
  readonly [Name in keyof Activities]: Activities[Name] extends (input: infer Input) => infer Result
    ? (summary: string, input: Input, limit?: CallLimit) => Result
    : never;
};

interface Callable {
  executeWithOptions(options: object, args: readonly unknown[]): unknown;
}

function summarised<Activities>(activities: object): Summarised<Activities> {
  const call =
    (name: string) =>
    (summary: string, input: unknown, limit: CallLimit = {}) =>
      (activities as Record<string, Callable>)[name]?.executeWithOptions({ summary, ...limit }, [input]);
  return new Proxy({}, { get: (_, name) => call(String(name)) }) as Summarised<Activities>;
}

function activities<Activities>(options: ActivityOptions): Summarised<Activities> {
  return summarised(proxyActivities<Activities>(options));
}

function localActivities<Activities>(options: LocalActivityOptions): Summarised<Activities> {
  return summarised(proxyLocalActivities<Activities>(options));
}

/** Retried until the provider answers (see call-until-answered.ts). The provider client limits each try to 8 s. */
export const provider = activities<ProviderActivities>({
  startToCloseTimeout: '12s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' },
});

/** A look-up that may stay unanswered: the last one before a deposit expires or a payout is written off. */
export const providerBriefly = activities<Pick<ProviderActivities, 'lookUpCharge' | 'lookUpPayout'>>({
  startToCloseTimeout: '12s',
  scheduleToCloseTimeout: '25s',
  retry: { maximumAttempts: 2 },
});

/** The holder of a PIX key. One try: the withdrawal's workflow sets a timer before the next. */
export const keyDirectory = activities<Pick<ProviderActivities, 'lookUpKeyOwner'>>({
  startToCloseTimeout: '4s',
  scheduleToCloseTimeout: '6s',
  retry: { maximumAttempts: 1 },
});

/** The payout's one send. Temporal never retries it: a lost attempt has an unknown outcome. */
export const payoutSend = activities<Pick<ProviderActivities, 'sendPayout'>>({
  startToCloseTimeout: '15s',
  retry: { maximumAttempts: 1 },
});

/** The rules engine, on its own task queue. No answer in time means that it is unavailable. */
export const rules = activities<RulesActivities>({
  taskQueue: TASK_QUEUES.rules,
  startToCloseTimeout: '3s',
  scheduleToCloseTimeout: '5s',
  retry: { initialInterval: '200ms', maximumAttempts: 3 },
});

/** Looks a charge up and asks the rules, in one activity. Without an answer the two are called one by one. */
export const examination = activities<ExaminationActivities>({
  taskQueue: TASK_QUEUES.rules,
  scheduleToStartTimeout: '2s',
  startToCloseTimeout: '4s',
  retry: { maximumAttempts: 1 },
});

/** The first attempt of a delivery. When it fails, a delivery workflow takes over. */
export const firstDelivery = activities<Pick<WebhookActivities, 'deliverEvent'>>({
  taskQueue: TASK_QUEUES.webhooks,
  startToCloseTimeout: '20s',
  scheduleToStartTimeout: '1m',
  retry: { maximumAttempts: 1 },
});

/** Later attempts of a delivery, and the alert after the last. */
export const delivery = activities<WebhookActivities>({
  taskQueue: TASK_QUEUES.webhooks,
  startToCloseTimeout: '30s',
  retry: { initialInterval: '1s', maximumInterval: '1m' },
});

/** Freezes closed days with bounded statements. A book that keeps failing is left to the next night. */
export const reconciliation = activities<ReconciliationActivities>({
  startToCloseTimeout: '30s',
  retry: { initialInterval: '2s', backoffCoefficient: 2, maximumInterval: '30s', maximumAttempts: 6 },
});

/** A few bounded statements a day. What keeps failing is left to the next day's run. */
export const rotation = activities<RotationActivities>({
  startToCloseTimeout: '30s',
  retry: { initialInterval: '2s', backoffCoefficient: 2, maximumInterval: '1m', maximumAttempts: 10 },
});

/** Stores the request, the rule set and the event. Retried until the database answers. */
export const ruleChanges = activities<RuleChangeActivities>({
  startToCloseTimeout: '10s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '15s' },
});

/** Evaluates tens of thousands of decisions, page by page. A missing heartbeat reveals a dead worker. */
export const ruleChangeProof = activities<Pick<RuleChangeActivities, 'proveRuleChange'>>({
  startToCloseTimeout: '20m',
  heartbeatTimeout: '30s',
  retry: { initialInterval: '2s', backoffCoefficient: 2, maximumInterval: '1m' },
});

const localStore: Steps = localActivities<StoreActivities>({
  startToCloseTimeout: '5s',
  retry: { initialInterval: '100ms', maximumAttempts: 3, maximumInterval: '1s' },
});
const durableStore: Steps = activities<StoreActivities>({
  startToCloseTimeout: '10s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '15s' },
});

/** The summary of each PostgreSQL step. */
const STEP_SUMMARIES: {
  readonly [Name in keyof StoreActivities]: (input: Parameters<StoreActivities[Name]>[0]) => string;
} = {
  storeDeposit: ({ deposit, event }) =>
    event === null ? `store a note on the deposit (${deposit.status})` : `store the deposit: ${deposit.status}`,
  loadDeposit: () => 'load the deposit',
  admitWithdrawal: ({ withdrawal }) =>
    `store the withdrawal (${withdrawal.status}), reserve ${formatBrl(BigInt(withdrawal.amountMinor))}`,
  storeWithdrawal: ({ withdrawal, event }) =>
    event === null
      ? `store a note on the withdrawal (${withdrawal.status})`
      : `store the withdrawal: ${withdrawal.status}`,
  loadWithdrawal: () => 'load the withdrawal',
  raiseAlert: ({ kind }) => `raise the alert ${kind}`,
};

type Step = (summary: string, input: never) => Promise<unknown>;
type Steps = Readonly<Record<keyof StoreActivities, Step>>;

/** Builds the steps from their summaries; `run` executes one. */
function steps(run: (name: keyof StoreActivities, ...call: Parameters<Step>) => Promise<unknown>): StoreActivities {
  const named = Object.entries(STEP_SUMMARIES).map(([name, summaryOf]) => {
    const step = (input: never) => run(name as keyof StoreActivities, summaryOf(input), input);
    return [name, step];
  });
  return Object.fromEntries(named) as StoreActivities;
}

/**
 * PostgreSQL steps as local activities, which cost no extra round trip to Temporal. While the database is down, the
 * same step continues as a regular activity: operations staff see it pending, with its attempts and last failure.
 */
export const store = steps((name, summary, input) =>
  localThenDurable(
    () => localStore[name](summary, input),
    () => durableStore[name](summary, input),
  ),
);

/**
 * Stores what an update requested. Until the workflow task that accepted the update completes, the update is only in
 * Temporal's memory. A regular activity is scheduled by that completion, so its effect is never stored before the
 * update is in the history.
 */
export const storeOfActs = steps((name, summary, input) => durableStore[name](summary, input));

const localOpening = localActivities<OpeningActivities>({
  startToCloseTimeout: '12s',
  retry: { initialInterval: '100ms', maximumAttempts: 3, maximumInterval: '1s' },
});
const durableOpening = activities<OpeningActivities>({
  startToCloseTimeout: '10s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '15s' },
});

/** Inserts the deposit and tries to create its charge. While the database is down it only inserts, without a try. */
export function openDeposit(input: Parameters<OpeningActivities['openDeposit']>[0]): Promise<DepositOpening> {
  const amount = formatBrl(BigInt(input.order.amountMinor));
  return localThenDurable(
    () => localOpening.openDeposit(`store the deposit, create its charge of ${amount}`, input),
    () => durableOpening.openDeposit('store the deposit', { ...input, chargeWithinMs: 0 }),
  );
}

async function localThenDurable<T>(local: () => Promise<T>, durable: () => Promise<T>): Promise<T> {
  try {
    return await local();
  } catch (error) {
    // The failure of a local activity is wrapped or not, depending on how it ended.
    const failure = error instanceof ActivityFailure ? error.cause : error;
    const isFinal = failure instanceof ApplicationFailure && failure.nonRetryable;
    // A worker that evicts the run during the step, because its cache is full or it stops, reports the step as
    // cancelled although nobody cancelled it. The step may be stored.
    if (isFinal || CancellationScope.current().consideredCancelled) throw error;
    return durable();
  }
}
