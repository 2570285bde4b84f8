// The steps of payments as workflows call them. One table says how each is run, and what the Temporal UI calls it.
import { ActivityFailure, ApplicationFailure, CancellationScope } from '@temporalio/workflow';
import type {
  AlertActivities,
  DepositProviderSteps,
  DepositRulesSteps,
  DepositStoreSteps,
  UndatedActivities,
  WebhookActivities,
  WithdrawalBriefSteps,
  WithdrawalProviderSteps,
  WithdrawalRulesSteps,
  WithdrawalStoreSteps,
} from '../../activities/types.js';
import { RULES_ELSEWHERE, type RulesMode } from '../../contract/temporal/payment-steps.js';
import { LOCAL_STEP_MS, TASK_QUEUES } from '../../contract/temporal/workers.js';
import { activities, localActivities, providerActivities } from './proxies.js';

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

type StoreSteps = DepositStoreSteps & WithdrawalStoreSteps & AlertActivities & Pick<WebhookActivities, 'awaitsAttempt'>;
type RulesSteps = DepositRulesSteps & WithdrawalRulesSteps;
/** Steps that may start in the workflow's own task. */
type Steps = StoreSteps & RulesSteps & WithdrawalBriefSteps;

/** How a step is run. */
type Way =
  /**
   * In the workflow's own task, which costs no extra round trip to Temporal. While the database is down it continues as
   * a regular activity: operations staff see it pending, with its attempts and last failure.
   */
  | 'stored'
  /**
   * What an update asked for, as a regular activity. Until the workflow task that accepted the update completes, the
   * update is only in Temporal's memory. A regular activity is scheduled by that completion, so its effect is never
   * stored before the update is in the history.
   */
  | 'act'
  /**
   * In the workflow's own task if this process serves the rules, else on their queue. With `rules: 'silent'` it needs
   * only PostgreSQL, and is run as `stored`.
   */
  | 'decided'
  /** In the workflow's own task, without anything else: the caller handles its failure. */
  | 'brief';

const STEPS: Readonly<Record<keyof Steps, { readonly way: Way; readonly summary: string }>> = {
  loadDeposit: { way: 'stored', summary: 'load the deposit' },
  cancelDeposit: { way: 'act', summary: 'cancel the deposit' },
  cancelDepositByStaff: { way: 'act', summary: 'cancel the deposit for a person' },
  expireDeposit: { way: 'stored', summary: 'expire the deposit' },
  expireDepositNow: { way: 'act', summary: 'expire the deposit before its time' },
  approveDeposit: { way: 'act', summary: 'approve the deposit' },
  requestReturn: { way: 'act', summary: 'store the request to return the payment' },
  openDeposit: { way: 'decided', summary: 'decide and store the deposit, create its charge' },
  lookUpChargeBriefly: { way: 'brief', summary: 'look the charge up, store its payments' },
  loadWithdrawal: { way: 'stored', summary: 'load the withdrawal' },
  cancelWithdrawal: { way: 'act', summary: 'cancel the withdrawal' },
  cancelWithdrawalByStaff: { way: 'act', summary: 'cancel the withdrawal for a person' },
  approveWithdrawal: { way: 'act', summary: 'store the approval' },
  refuseWithdrawal: { way: 'act', summary: 'refuse the withdrawal' },
  decideWriteOff: { way: 'act', summary: 'store the decision to write the payout off' },
  openWithdrawal: { way: 'decided', summary: 'decide and store the withdrawal, reserve its amount' },
  decideRequested: { way: 'decided', summary: 'decide the withdrawal, with the holder of its key' },
  judgeReviewed: { way: 'decided', summary: 'have the rules judge the withdrawal' },
  clearDispatch: { way: 'decided', summary: 'check lists, cash box and operation before sending' },
  lookUpPayoutBriefly: { way: 'brief', summary: 'look the payout up by its reference' },
  raiseAlert: { way: 'stored', summary: 'raise an alert' },
  awaitsAttempt: { way: 'stored', summary: 'look whether the event awaits this attempt' },
};

type Step = (summary: string, input: never) => Promise<unknown>;
type ByName = Readonly<Record<string, Step>>;

const local = localActivities<Steps>({
  startToCloseTimeout: LOCAL_STEP_MS,
  retry: { initialInterval: '100ms', maximumAttempts: 3, maximumInterval: '1s' },
}) as unknown as ByName;
/** Opening a payment may wait for a charge or for the key directory within the caller's patience. */
const opening = localActivities<Pick<Steps, 'openDeposit' | 'openWithdrawal'>>({
  startToCloseTimeout: '12s',
  retry: { initialInterval: '100ms', maximumAttempts: 2, maximumInterval: '1s' },
}) as unknown as ByName;
const durable = activities<StoreSteps & RulesSteps>({
  startToCloseTimeout: '12s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '15s' },
}) as unknown as ByName;
const onRulesQueue = rules as unknown as ByName;

type Call = (name: string, summary: string, input: never) => Promise<unknown>;

const stored: Call = (name, ...call) =>
  localThenElse(
    () => local[name]!(...call),
    () => durable[name]!(...call),
  );

const WAYS: Readonly<Record<Way, Call>> = {
  stored,
  act: async (name, ...call) => {
    try {
      return await durable[name]!(...call);
    } catch (error) {
      // The caller gets the reason: an act that does not exist, for instance.
      throw error instanceof ActivityFailure && error.cause instanceof ApplicationFailure ? error.cause : error;
    }
  },
  decided: (name, summary, input) =>
    (input as { readonly rules?: RulesMode }).rules === 'silent'
      ? stored(name, summary, input)
      : localThenElse(
          () => (opening[name] ?? local[name])!(summary, input),
          () => onRulesQueue[name]!(summary, input),
          [RULES_ELSEWHERE],
        ),
  brief: (name, ...call) => local[name]!(...call),
};

export const step = Object.fromEntries(
  Object.entries(STEPS).map(([name, { way, summary }]) => [name, (input: never) => WAYS[way](name, summary, input)]),
) as UndatedActivities<Steps>;

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
