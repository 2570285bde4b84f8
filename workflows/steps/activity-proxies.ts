// The activities as workflows call them: timeouts and retry policies stand here, not in the story. Each call says what
// it does.
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

/** What a call may bring of its own: for how long it goes on, all tries together. */
export type CallLimit = Pick<ActivityOptions, 'scheduleToCloseTimeout'>;

/** Activities that are called with a summary: the Temporal UI names the call by it, in the history and while pending. */
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

/** Retried until the provider answers (see asking.ts); each attempt has the provider's own 8 s budget inside. */
export const provider = activities<ProviderActivities>({
  startToCloseTimeout: '12s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' },
});

/** A look that may come back empty-handed: the last one before a deposit expires, or before people conclude that a payout is lost. */
export const providerBriefly = activities<Pick<ProviderActivities, 'lookUpCharge' | 'lookUpPayout'>>({
  startToCloseTimeout: '12s',
  scheduleToCloseTimeout: '25s',
  retry: { maximumAttempts: 2 },
});

/** The key's holder, one try: the pauses between tries are the withdrawal's own durable timers. */
export const keyDirectory = activities<Pick<ProviderActivities, 'lookUpKeyOwner'>>({
  startToCloseTimeout: '4s',
  scheduleToCloseTimeout: '6s',
  retry: { maximumAttempts: 1 },
});

/** The one send: never tried again by Temporal. A lost attempt is an unknown outcome. */
export const payoutSend = activities<Pick<ProviderActivities, 'sendPayout'>>({
  startToCloseTimeout: '15s',
  retry: { maximumAttempts: 1 },
});

/** The rules engine on its own task queue: no answer in time means it is unavailable. */
export const rules = activities<RulesActivities>({
  taskQueue: TASK_QUEUES.rules,
  startToCloseTimeout: '3s',
  scheduleToCloseTimeout: '5s',
  retry: { initialInterval: '200ms', maximumAttempts: 3 },
});

/** Looks a charge up where the rules are asked, in one trip; without an answer the two are asked one by one. */
export const examination = activities<ExaminationActivities>({
  taskQueue: TASK_QUEUES.rules,
  scheduleToStartTimeout: '2s',
  startToCloseTimeout: '4s',
  retry: { maximumAttempts: 1 },
});

/** The first attempt of a delivery; what fails goes to a delivery workflow. */
export const firstDelivery = activities<Pick<WebhookActivities, 'deliverEvent'>>({
  taskQueue: TASK_QUEUES.webhooks,
  startToCloseTimeout: '20s',
  scheduleToStartTimeout: '1m',
  retry: { maximumAttempts: 1 },
});

/** Later attempts of a delivery, and the alert at their end. */
export const delivery = activities<WebhookActivities>({
  taskQueue: TASK_QUEUES.webhooks,
  startToCloseTimeout: '30s',
  retry: { initialInterval: '1s', maximumInterval: '1m' },
});

/** Freezing days: bounded statements; a book that keeps failing is left to the next night. */
export const reconciliation = activities<ReconciliationActivities>({
  startToCloseTimeout: '30s',
  retry: { initialInterval: '2s', backoffCoefficient: 2, maximumInterval: '30s', maximumAttempts: 6 },
});

/** A few bounded statements a day; what keeps failing is left to the next day's run. */
export const rotation = activities<RotationActivities>({
  startToCloseTimeout: '30s',
  retry: { initialInterval: '2s', backoffCoefficient: 2, maximumInterval: '1m', maximumAttempts: 10 },
});

/** The request's row, the rule set and the event: retried until the database has them. */
export const ruleChanges = activities<RuleChangeActivities>({
  startToCloseTimeout: '10s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '15s' },
});

/** Tens of thousands of decisions evaluated again, page by page; a worker that died is noticed by its silence. */
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

/** What a Postgres step is called in a payment's history. */
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

/** Each step under its summary, run in one of the ways below. */
function steps(run: (name: keyof StoreActivities, ...call: Parameters<Step>) => Promise<unknown>): StoreActivities {
  const named = Object.entries(STEP_SUMMARIES).map(([name, summaryOf]) => {
    const step = (input: never) => run(name as keyof StoreActivities, summaryOf(input), input);
    return [name, step];
  });
  return Object.fromEntries(named) as StoreActivities;
}

/**
 * Postgres steps. A local activity costs no extra trip through Temporal; when the database stays away, the same step goes
 * on as a regular activity, so that operations staff see it pending with its attempts and last failure.
 */
export const store = steps((name, summary, input) =>
  localThenDurable(
    () => localStore[name](summary, input),
    () => durableStore[name](summary, input),
  ),
);

/**
 * Where what an update asks for is stored. An update is in Temporal's memory only until the workflow task that took it in is completed; so that
 * no effect of it is stored before it is in the history, the step is a regular activity, which that completion schedules.
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

/** The deposit's row and, while the caller waits anyway, its charge. With the database away only the row matters. */
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
    // A local activity's failure comes bare or wrapped, depending on how it ended.
    const failure = error instanceof ActivityFailure ? error.cause : error;
    const isFinal = failure instanceof ApplicationFailure && failure.nonRetryable;
    // A worker that drops the run in the middle of the step, because its cache is full or it stops, reports the step as cancelled: nobody
    // asked for that, and it may well be stored.
    if (isFinal || CancellationScope.current().consideredCancelled) throw error;
    return durable();
  }
}
