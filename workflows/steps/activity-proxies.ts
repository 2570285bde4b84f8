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
  AlertActivities,
  UndatedActivities,
  DepositProviderSteps,
  DepositRulesSteps,
  DepositStoreSteps,
  OpenCheckActivities,
  ReconciliationActivities,
  RetentionActivities,
  RotationActivities,
  RuleChangeActivities,
  SweepActivities,
  VerificationActivities,
  WebhookActivities,
  WithdrawalBriefSteps,
  WithdrawalProviderSteps,
  WithdrawalRulesSteps,
  WithdrawalStoreSteps,
} from '../../activities/types.js';
import { RULES_ELSEWHERE, type Undated } from '../../contract/temporal/payment-steps.js';
import { providerQueueOf, TASK_QUEUES } from '../../contract/temporal/task-queues.js';
import { operationClock } from './clock.js';
import { BATCH_STEP_MS, LOCAL_STEP_MS } from '../../contract/temporal/time-limits.js';

/** The options that one call may override: the time limit for all its tries together, and the pauses between them. */
export type CallOptions = Pick<ActivityOptions, 'scheduleToCloseTimeout' | 'retry'>;

/** Activities that are called with a summary. The Temporal UI shows it in the history and while the call is pending. */
type StepsWithSummary<Activities> = {
  readonly [Name in keyof Activities]: Activities[Name] extends (input: infer Input) => infer Result
    ? (summary: string, input: Undated<Input>, options?: CallOptions) => Result
    : never;
};

interface Callable {
  executeWithOptions(options: object, args: readonly unknown[]): unknown;
}

/** The step acts by the clock of its workflow's operation, if that has one. */
function byClock(input: unknown): unknown {
  const clock = operationClock();
  return clock === null ? input : { ...(input as object), clock };
}

/** The options that follow from a call's input. */
type OptionsOf = (input: unknown) => Pick<ActivityOptions, 'taskQueue'>;

function summarised<Activities>(activities: object, optionsOf: OptionsOf = () => ({})): StepsWithSummary<Activities> {
  const call =
    (name: string) =>
    (summary: string, input: unknown, options: CallOptions = {}) =>
      (activities as Record<string, Callable>)[name]?.executeWithOptions({ summary, ...optionsOf(input), ...options }, [
        byClock(input),
      ]);
  return new Proxy({}, { get: (_, name) => call(String(name)) }) as StepsWithSummary<Activities>;
}

function activities<Activities>(options: ActivityOptions): StepsWithSummary<Activities> {
  return summarised(proxyActivities<Activities>(options));
}

/** Steps on the queue of the provider that they call. */
function providerActivities<Activities>(options: ActivityOptions): StepsWithSummary<Activities> {
  const queueOf = (input: unknown) => ({ taskQueue: providerQueueOf(input as { readonly provider: string }) });
  return summarised(
    proxyActivities<Activities>({ cancellationType: 'WAIT_CANCELLATION_COMPLETED', ...options }),
    queueOf,
  );
}

function localActivities<Activities>(options: LocalActivityOptions): StepsWithSummary<Activities> {
  return summarised(proxyLocalActivities<Activities>(options));
}

/** Steps that wait for a provider, on its queue. Retried until it answers (see patient-call.ts). */
export const provider = providerActivities<DepositProviderSteps & Omit<WithdrawalProviderSteps, 'sendPayout'>>({
  startToCloseTimeout: '12s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' },
});

/** A look-up that may stay unanswered: the last one before an expiry, an approval or a write-off. */
export const providerBriefly = providerActivities<Pick<DepositProviderSteps & WithdrawalProviderSteps, BriefLookUp>>({
  startToCloseTimeout: '8s',
  scheduleToCloseTimeout: '10s',
  retry: { maximumAttempts: 2 },
});
type BriefLookUp = 'lookUpCharge' | 'lookUpPayout';

/**
 * Polls the state of a return or a payout until it changes. Temporal retries the activity itself: that costs no
 * event, and the payment's page shows when the next try is.
 */
export const followed = providerActivities<Pick<DepositProviderSteps & WithdrawalProviderSteps, Followed>>({
  startToCloseTimeout: '12s',
  retry: { initialInterval: '2s', backoffCoefficient: 2, maximumInterval: '30s' },
});

type Followed = 'followReturn' | 'followPayout';

/** The holder of a PIX key. One try: the withdrawal's workflow sets a timer before the next. */
export const keyDirectory = providerActivities<Pick<WithdrawalProviderSteps, 'lookUpKeyOwner'>>({
  startToCloseTimeout: '6s',
  scheduleToCloseTimeout: '8s',
  retry: { maximumAttempts: 1 },
});

/**
 * The payout's one send. Temporal never retries it: a lost attempt has an unknown outcome. If no worker takes it before
 * the checks are too old, the checks run again.
 */
export const payoutSend = providerActivities<Pick<WithdrawalProviderSteps, 'sendPayout'>>({
  scheduleToStartTimeout: '10s',
  startToCloseTimeout: '15s',
  retry: { maximumAttempts: 1 },
});

/** Steps that need the rules, where this process does not serve them. No answer in time counts as an outage. */
export const rules = activities<RulesSteps>({
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  taskQueue: TASK_QUEUES.rules,
  scheduleToStartTimeout: '2s',
  startToCloseTimeout: '4s',
  scheduleToCloseTimeout: '5s',
  retry: { initialInterval: '200ms', maximumAttempts: 3 },
});

/** The attempts of a delivery that its first attempt left, and the alert after the last. */
export const delivery = activities<Omit<WebhookActivities, 'awaitsAttempt'>>({
  taskQueue: TASK_QUEUES.webhooks,
  startToCloseTimeout: '30s',
  retry: { initialInterval: '1s', maximumInterval: '1m' },
});

/** Freezes closed days with bounded statements. A book that keeps failing is left to the next night. */
export const reconciliation = activities<ReconciliationActivities>({
  startToCloseTimeout: BATCH_STEP_MS,
  retry: { initialInterval: '2s', backoffCoefficient: 2, maximumInterval: '30s', maximumAttempts: 6 },
});

/** A few bounded statements a day. What keeps failing is left to the next day's run. */
export const rotation = activities<RotationActivities>({
  startToCloseTimeout: BATCH_STEP_MS,
  retry: { initialInterval: '2s', backoffCoefficient: 2, maximumInterval: '1m', maximumAttempts: 10 },
});

/** Deletes in batches. A missing heartbeat reveals a dead worker; what keeps failing is left to the next day's run. */
export const retention = activities<RetentionActivities>({
  startToCloseTimeout: '20m',
  heartbeatTimeout: '1m',
  retry: { initialInterval: '2s', backoffCoefficient: 2, maximumInterval: '1m', maximumAttempts: 5 },
});

/** Open objects against open workflows, page by page. A missing heartbeat reveals a dead worker. */
export const openChecks = activities<OpenCheckActivities>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: '1m',
  retry: { initialInterval: '2s', backoffCoefficient: 2, maximumInterval: '1m', maximumAttempts: 5 },
});

/** The lists of a provider's account, page by page. What stays unanswered is left to the next sweep. */
export const sweeps = providerActivities<SweepActivities>({
  startToCloseTimeout: '2m',
  scheduleToCloseTimeout: '4m',
  heartbeatTimeout: '30s',
  retry: { initialInterval: '2s', backoffCoefficient: 2, maximumInterval: '30s', maximumAttempts: 5 },
});

/** Reads whole ledgers and the audit chain, once a night. */
export const verifications = activities<VerificationActivities>({
  startToCloseTimeout: '10m',
  retry: { initialInterval: '5s', backoffCoefficient: 2, maximumInterval: '1m', maximumAttempts: 3 },
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

type StoreSteps = DepositStoreSteps & WithdrawalStoreSteps & AlertActivities & Pick<WebhookActivities, 'awaitsAttempt'>;
type RulesSteps = DepositRulesSteps & WithdrawalRulesSteps;
/** Steps that start in the workflow's own task. */
type LocalSteps = StoreSteps & RulesSteps & WithdrawalBriefSteps;

/** What the Temporal UI calls each step. */
const STEP_SUMMARIES: Readonly<Record<keyof LocalSteps, string>> = {
  loadDeposit: 'load the deposit',
  cancelDeposit: 'cancel the deposit',
  cancelDepositByStaff: 'cancel the deposit for a person',
  expireDeposit: 'expire the deposit',
  expireDepositNow: 'expire the deposit before its time',
  approveDeposit: 'approve the deposit',
  requestReturn: 'store the request to return the payment',
  openDeposit: 'decide and store the deposit, create its charge',
  lookUpChargeBriefly: 'look the charge up, store its payments',
  loadWithdrawal: 'load the withdrawal',
  cancelWithdrawal: 'cancel the withdrawal',
  cancelWithdrawalByStaff: 'cancel the withdrawal for a person',
  approveWithdrawal: 'store the approval',
  refuseWithdrawal: 'refuse the withdrawal',
  decideWriteOff: 'store the decision to write the payout off',
  openWithdrawal: 'decide and store the withdrawal, reserve its amount',
  decideRequested: 'decide the withdrawal, with the holder of its key',
  judgeReviewed: 'have the rules judge the withdrawal',
  clearDispatch: 'check lists, cash box and operation before sending',
  lookUpPayoutBriefly: 'look the payout up by its reference',
  raiseAlert: 'raise an alert',
  awaitsAttempt: 'look whether the event awaits this attempt',
};

type Step = (summary: string, input: never) => Promise<unknown>;

const localStep = localActivities<LocalSteps>({
  startToCloseTimeout: LOCAL_STEP_MS,
  retry: { initialInterval: '100ms', maximumAttempts: 3, maximumInterval: '1s' },
}) as unknown as Readonly<Record<string, Step>>;
/** Opening a payment may wait for a charge or for the key directory within the caller's patience. */
const localOpening = localActivities<Pick<LocalSteps, 'openDeposit' | 'openWithdrawal'>>({
  startToCloseTimeout: '12s',
  retry: { initialInterval: '100ms', maximumAttempts: 2, maximumInterval: '1s' },
}) as unknown as Readonly<Record<string, Step>>;
const durableStep = activities<StoreSteps & RulesSteps>({
  startToCloseTimeout: '12s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '15s' },
}) as unknown as Readonly<Record<string, Step>>;

/** Builds steps that `run` executes under their summaries. */
function steps<Activities>(
  run: (name: string, ...call: Parameters<Step>) => Promise<unknown>,
): UndatedActivities<Activities> {
  const named = Object.entries(STEP_SUMMARIES).map(([name, summary]) => {
    const step = (input: never) => run(name, summary, input);
    return [name, step];
  });
  return Object.fromEntries(named) as UndatedActivities<Activities>;
}

/**
 * PostgreSQL steps as local activities, which cost no extra round trip to Temporal. While the database is down, the
 * same step continues as a regular activity: operations staff see it pending, with its attempts and last failure.
 */
export const store = steps<StoreSteps>((name, summary, input) =>
  localThenElse(
    () => localStep[name]!(summary, input),
    () => durableStep[name]!(summary, input),
  ),
);

/**
 * Stores what an update requested. Until the workflow task that accepted the update completes, the update is only in
 * Temporal's memory. A regular activity is scheduled by that completion, so its effect is never stored before the
 * update is in the history.
 */
export const storeOfActs = steps<StoreSteps>(async (name, summary, input) => {
  try {
    return await durableStep[name]!(summary, input);
  } catch (error) {
    // The caller gets the reason: an act that does not exist, for instance.
    throw error instanceof ActivityFailure && error.cause instanceof ApplicationFailure ? error.cause : error;
  }
});

/** A brief step without a fallback: the caller handles its failure. */
export const brief = steps<RulesSteps & WithdrawalBriefSteps>((name, summary, input) =>
  localStep[name]!(summary, input),
);

/** Steps that need the rules: run here if this process serves them, else on their queue. */
export const decide = steps<RulesSteps>((name, summary, input) =>
  localThenElse(
    () => (localOpening[name] ?? localStep[name])!(summary, input),
    () => (rules as unknown as Readonly<Record<string, Step>>)[name]!(summary, input),
    [RULES_ELSEWHERE],
  ),
);

/** The same steps while the rules do not answer: they need only PostgreSQL. */
export const decideAlone = steps<RulesSteps>((name, summary, input) =>
  localThenElse(
    () => localStep[name]!(summary, input),
    () => durableStep[name]!(summary, input),
  ),
);

/** Runs `elsewhere` when the local step failed, unless the failure is final and not one of `passedOn`. */
async function localThenElse<T>(
  local: () => Promise<T>,
  elsewhere: () => Promise<T>,
  passedOn: readonly string[] = [],
): Promise<T> {
  try {
    return await local();
  } catch (error) {
    // The failure of a local activity is wrapped or not, depending on how it ended.
    const failure = error instanceof ActivityFailure ? error.cause : error;
    const isFinal =
      failure instanceof ApplicationFailure && failure.nonRetryable && !passedOn.includes(failure.type ?? '');
    // A worker that evicts the run during the step, because its cache is full or it stops, reports the step as
    // cancelled although no one cancelled it. The step may be stored.
    if (isFinal || CancellationScope.current().consideredCancelled) throw error;
    return elsewhere();
  }
}
