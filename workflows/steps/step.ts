// The steps of all workflows, in one table: how each is run, and what the Temporal UI calls it. A second table has how
// long a step may take, and how often it is tried.
import {
  ActivityFailure,
  type ActivityOptions,
  ApplicationFailure,
  CancellationScope,
  proxyActivities,
  proxyLocalActivities,
} from '@temporalio/workflow';
import type {
  AlertActivities,
  DepositSteps,
  OpenCheckActivities,
  ReconciliationActivities,
  RetentionActivities,
  RotationActivities,
  RuleChangeActivities,
  SweepActivities,
  VerificationActivities,
  WebhookActivities,
  WithdrawalSteps,
} from '../../activities/types.js';
import { RULES_ELSEWHERE, type RulesMode, type Undated } from '../../contract/temporal/payment-steps.js';
import {
  BATCH_STEP_MS,
  LOCAL_STEP_MS,
  providerQueueOf,
  TASK_QUEUES,
  type TaskQueue,
} from '../../contract/temporal/workers.js';
import { operationClock } from './time.js';

type Steps = DepositSteps &
  WithdrawalSteps &
  AlertActivities &
  WebhookActivities &
  ReconciliationActivities &
  RotationActivities &
  RetentionActivities &
  OpenCheckActivities &
  SweepActivities &
  VerificationActivities &
  RuleChangeActivities;

/** `queue`: another than the workflow's own; `provider`: that of the provider that the input names. */
type Limits = Omit<ActivityOptions, 'taskQueue'> & { readonly queue?: TaskQueue | 'provider' };

/** A step on a provider's queue. Who gives it up waits until it has ended. */
const AT_PROVIDER = { queue: 'provider', cancellationType: 'WAIT_CANCELLATION_COMPLETED' } as const;

const LIMITS = {
  /** In the workflow's own task. */
  brief: {
    startToCloseTimeout: LOCAL_STEP_MS,
    retry: { initialInterval: '100ms', maximumAttempts: 3, maximumInterval: '1s' },
  },
  /** The same; it may wait for a charge or for the key directory within the caller's patience. */
  opening: {
    startToCloseTimeout: '12s',
    retry: { initialInterval: '100ms', maximumAttempts: 2, maximumInterval: '1s' },
  },
  /** Needs PostgreSQL only. While that is down, operations staff see it pending, with its attempts and last failure. */
  store: {
    startToCloseTimeout: '12s',
    retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '15s' },
  },
  /** No answer in time counts as an outage. */
  rules: {
    queue: TASK_QUEUES.rules,
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
    scheduleToStartTimeout: '2s',
    startToCloseTimeout: '4s',
    scheduleToCloseTimeout: '5s',
    retry: { initialInterval: '200ms', maximumAttempts: 3 },
  },
  /** Waits for a provider, and is called until it answers: see `PATIENCE_SECONDS`. */
  provider: {
    ...AT_PROVIDER,
    startToCloseTimeout: '12s',
    retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' },
  },
  /**
   * Asks for the state of a return or a payout until it changes. Temporal repeats the activity itself: that costs no
   * event, and the payment's page shows when the next try is.
   */
  following: {
    ...AT_PROVIDER,
    startToCloseTimeout: '12s',
    retry: { initialInterval: '2s', backoffCoefficient: 2, maximumInterval: '30s' },
  },
  /** A look-up that may stay unanswered: the last one before an expiry, an approval or a write-off. */
  lastLook: {
    ...AT_PROVIDER,
    startToCloseTimeout: '8s',
    scheduleToCloseTimeout: '10s',
    retry: { maximumAttempts: 2 },
  },
  /** One try: the withdrawal's workflow sets a timer before the next. */
  keyDirectory: {
    ...AT_PROVIDER,
    startToCloseTimeout: '6s',
    scheduleToCloseTimeout: '8s',
    retry: { maximumAttempts: 1 },
  },
  /**
   * Never repeated: a lost attempt has an unknown outcome. If no worker takes it before the checks are too old, the
   * checks run again.
   */
  send: {
    ...AT_PROVIDER,
    scheduleToStartTimeout: '10s',
    startToCloseTimeout: '15s',
    retry: { maximumAttempts: 1 },
  },
  /** The page of a list of a provider's account. What stays unanswered is left to the next sweep. */
  sweep: {
    ...AT_PROVIDER,
    startToCloseTimeout: '2m',
    scheduleToCloseTimeout: '4m',
    heartbeatTimeout: '30s',
    retry: { initialInterval: '2s', backoffCoefficient: 2, maximumInterval: '30s', maximumAttempts: 5 },
  },
  delivery: {
    queue: TASK_QUEUES.webhooks,
    startToCloseTimeout: '30s',
    retry: { initialInterval: '1s', maximumInterval: '1m' },
  },
  /** Bounded statements. A book that keeps failing is left to the next night. */
  dayClose: {
    startToCloseTimeout: BATCH_STEP_MS,
    retry: { initialInterval: '2s', backoffCoefficient: 2, maximumInterval: '30s', maximumAttempts: 6 },
  },
  /** A few bounded statements a day. What keeps failing is left to the next day's run. */
  rotation: {
    startToCloseTimeout: BATCH_STEP_MS,
    retry: { initialInterval: '2s', backoffCoefficient: 2, maximumInterval: '1m', maximumAttempts: 10 },
  },
  /** Deletes in batches. A missing heartbeat reveals a dead worker; what keeps failing is left to the next day's run. */
  retention: {
    startToCloseTimeout: '20m',
    heartbeatTimeout: '1m',
    retry: { initialInterval: '2s', backoffCoefficient: 2, maximumInterval: '1m', maximumAttempts: 5 },
  },
  /** Page by page. A missing heartbeat reveals a dead worker. */
  openCheck: {
    startToCloseTimeout: '10m',
    heartbeatTimeout: '1m',
    retry: { initialInterval: '2s', backoffCoefficient: 2, maximumInterval: '1m', maximumAttempts: 5 },
  },
  /** Reads whole ledgers and the audit chain, once a night. */
  verification: {
    startToCloseTimeout: '10m',
    retry: { initialInterval: '5s', backoffCoefficient: 2, maximumInterval: '1m', maximumAttempts: 3 },
  },
  /** Repeated until the database answers. */
  ruleChange: {
    startToCloseTimeout: '10s',
    retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '15s' },
  },
  /** Decides tens of thousands of times, page by page. A missing heartbeat reveals a dead worker. */
  ruleChangeProof: {
    startToCloseTimeout: '20m',
    heartbeatTimeout: '30s',
    retry: { initialInterval: '2s', backoffCoefficient: 2, maximumInterval: '1m' },
  },
} as const satisfies Record<string, Limits>;
type LimitsName = keyof typeof LIMITS;

/**
 * Time limits of the first, the second and every later activity of a call that is repeated until it is answered
 * (patient-call.ts). Each without an answer costs six events. Who follows waits for a change, with growing pauses: its
 * first limit ends before the alert about a payout, so that the alert can name the provider's error.
 */
export const PATIENCE_SECONDS = { provider: [30, 300, 3_600], following: [80, 86_400] } as const;

/** The two ways to run a step. */
type Way =
  /**
   * It begins in the workflow's own task, which costs no extra round trip to Temporal. Unless its failure is final it
   * goes on as a regular activity with the limits `then`; `caller`: the caller handles the failure. A step that goes
   * on where the rules are served needs only PostgreSQL with `rules: 'silent'`, and then goes on like the others.
   */
  | { readonly way: 'brief'; readonly limits?: 'opening'; readonly then: 'store' | 'rules' | 'caller' }
  /**
   * As a regular activity. So is what an update asked for: until the workflow task that accepted the update completes,
   * the update is only in Temporal's memory. That completion schedules the activity, so its effect is never stored
   * before the update is in the history.
   */
  | { readonly way: 'durable'; readonly limits: LimitsName };
/** `summary`: what the Temporal UI shows, in the history and while the step is pending. */
type Row<Input> = Way & { readonly summary: string | ((input: Input) => string) };
type InputOf<Name extends keyof Steps> = Undated<Parameters<Steps[Name]>[0]>;

const STEPS: { readonly [Name in keyof Steps]: Row<InputOf<Name>> } = {
  // Deposits
  openDeposit: {
    way: 'brief',
    limits: 'opening',
    then: 'rules',
    summary: 'decide and store the deposit, create its charge',
  },
  loadDeposit: { way: 'brief', then: 'store', summary: 'load the deposit' },
  createCharge: { way: 'durable', limits: 'provider', summary: 'create the charge' },
  lookUpChargeBriefly: { way: 'brief', then: 'rules', summary: 'look the charge up, store its payments' },
  lookUpCharge: { way: 'durable', limits: 'provider', summary: 'look the charge up' },
  expireDeposit: { way: 'brief', then: 'store', summary: 'expire the deposit' },
  expireDepositNow: { way: 'durable', limits: 'store', summary: 'expire the deposit before its time' },
  cancelDeposit: { way: 'durable', limits: 'store', summary: 'cancel the deposit' },
  cancelDepositByStaff: { way: 'durable', limits: 'store', summary: 'cancel the deposit for a person' },
  approveDeposit: { way: 'durable', limits: 'store', summary: 'approve the deposit' },
  requestReturn: { way: 'durable', limits: 'store', summary: 'store the request to return the payment' },
  followReturn: { way: 'durable', limits: 'following', summary: 'return a payment to its payer' },

  // Withdrawals
  openWithdrawal: {
    way: 'brief',
    limits: 'opening',
    then: 'rules',
    summary: 'decide and store the withdrawal, reserve its amount',
  },
  loadWithdrawal: { way: 'brief', then: 'store', summary: 'load the withdrawal' },
  lookUpKeyOwner: { way: 'durable', limits: 'keyDirectory', summary: 'look up the holder of the PIX key' },
  decideRequested: { way: 'brief', then: 'rules', summary: 'decide the withdrawal, with the holder of its key' },
  judgeReviewed: { way: 'brief', then: 'rules', summary: 'have the rules judge the withdrawal' },
  approveWithdrawal: { way: 'durable', limits: 'store', summary: 'store the approval' },
  refuseWithdrawal: { way: 'durable', limits: 'store', summary: 'refuse the withdrawal' },
  cancelWithdrawal: { way: 'durable', limits: 'store', summary: 'cancel the withdrawal' },
  cancelWithdrawalByStaff: { way: 'durable', limits: 'store', summary: 'cancel the withdrawal for a person' },
  clearDispatch: { way: 'brief', then: 'rules', summary: 'check lists, cash box and operation before sending' },
  sendPayout: { way: 'durable', limits: 'send', summary: 'send the payout (once)' },
  lookUpPayoutBriefly: { way: 'brief', then: 'caller', summary: 'look the payout up by its reference' },
  lookUpPayout: { way: 'durable', limits: 'provider', summary: 'look the payout up by its reference' },
  followPayout: {
    way: 'durable',
    limits: 'following',
    summary: 'look the payout up by its reference, until its outcome is known',
  },
  decideWriteOff: { way: 'durable', limits: 'store', summary: 'store the decision to write the payout off' },

  // Of both
  raiseAlert: { way: 'brief', then: 'store', summary: 'raise an alert' },

  // Deliveries: the attempts that the first attempt left, and the alert after the last
  awaitsAttempt: { way: 'brief', then: 'store', summary: 'look whether the event awaits this attempt' },
  deliverEvent: {
    way: 'durable',
    limits: 'delivery',
    summary: ({ attempt }) => `send the webhook (attempt ${attempt})`,
  },
  endExhausted: { way: 'durable', limits: 'delivery', summary: 'raise the alert WEBHOOK_EXHAUSTED' },

  // Every night, day and hour
  booksToFreeze: { way: 'durable', limits: 'dayClose', summary: 'find the operations with a closed day to freeze' },
  freezeDays: {
    way: 'durable',
    limits: 'dayClose',
    summary: ({ operationId, currency }) => `freeze the days of ${operationId} (${currency})`,
  },
  raiseFreezeAlert: { way: 'durable', limits: 'dayClose', summary: 'raise the alert DAY_NOT_FROZEN' },
  checkSecretAges: { way: 'durable', limits: 'rotation', summary: 'check the ages of keys and webhook secrets' },
  applyRetention: { way: 'durable', limits: 'retention', summary: 'remove what is past its retention' },
  checkOpenPage: { way: 'durable', limits: 'openCheck', summary: 'compare open payments with their workflows' },
  sweepPage: {
    way: 'durable',
    limits: 'sweep',
    summary: ({ part, provider }) => `read the ${part} of the account at ${provider}`,
  },
  verifyLedger: { way: 'durable', limits: 'verification', summary: "verify an operation's ledger" },
  verifyAuditChain: { way: 'durable', limits: 'verification', summary: 'verify the audit chain' },
  verifyDecisions: { way: 'durable', limits: 'verification', summary: 'replay a sample of decisions' },
  verifySignatures: { way: 'durable', limits: 'verification', summary: 'verify what people signed' },

  // Changes of rules
  loadRuleChange: { way: 'durable', limits: 'ruleChange', summary: 'load the proposed change' },
  proveRuleChange: {
    way: 'durable',
    limits: 'ruleChangeProof',
    summary: 'compute the report: the last 30 days under the proposed rules',
  },
  voidRuleChangeProof: { way: 'durable', limits: 'ruleChange', summary: 'void the report' },
  decideRuleChange: {
    way: 'durable',
    limits: 'ruleChange',
    summary: ({ decision }) => `store the decision: ${decision}`,
  },
  expireRuleChange: { way: 'durable', limits: 'ruleChange', summary: 'store the end of the change: expired' },
};

/** What one call has instead of its row. */
export interface StepOptions {
  readonly summary?: string;
  readonly limits?: LimitsName;
  /** For all its tries together, in milliseconds. */
  readonly scheduleToCloseTimeout?: number;
}

/** A step throws the failure of its activity. */
export const step = Object.fromEntries(
  Object.entries(STEPS as unknown as Record<string, Row<unknown>>).map(([name, row]) => [
    name,
    (input: unknown, { limits, ...options }: StepOptions = {}) => {
      const summary = typeof row.summary === 'string' ? row.summary : row.summary(input);
      const call: Call = { name, input, options: { summary, ...options } };
      return row.way === 'durable' ? durably(limits ?? row.limits, call) : briefly(row, call);
    },
  ]),
) as { readonly [Name in keyof Steps]: (input: InputOf<Name>, options?: StepOptions) => ReturnType<Steps[Name]> };

interface Call {
  readonly name: string;
  readonly input: unknown;
  readonly options: Omit<ActivityOptions, 'taskQueue'>;
}

/** Made once, not for each call. */
const REGULAR = Object.fromEntries(
  Object.entries(LIMITS).map(([name, { queue: _, ...options }]: [string, Limits]) => [name, proxyActivities(options)]),
) as Record<LimitsName, object>;
const LOCAL = { brief: proxyLocalActivities(LIMITS.brief), opening: proxyLocalActivities(LIMITS.opening) };

function durably(limits: LimitsName, { name, input, options }: Call): Promise<unknown> {
  const { queue }: Limits = LIMITS[limits];
  const taskQueue = queue === 'provider' ? providerQueueOf(input as { readonly provider: string }) : queue;
  const onQueue = taskQueue === undefined ? {} : { taskQueue };
  return proxied(REGULAR[limits], name).executeWithOptions({ ...onQueue, ...options }, [byClock(input)]);
}

async function briefly({ limits, then }: Way & { readonly way: 'brief' }, call: Call): Promise<unknown> {
  const { name, input, options } = call;
  const needsRules = then === 'rules' && (input as { readonly rules?: RulesMode }).rules !== 'silent';
  try {
    return await proxied(LOCAL[(needsRules && limits) || 'brief'], name).executeWithOptions(options, [byClock(input)]);
  } catch (error) {
    // A worker that evicts the run during the step, because its cache is full or it stops, reports the step as
    // cancelled although no one cancelled it. The step may be stored.
    if (then === 'caller' || isFinal(error) || CancellationScope.current().consideredCancelled) throw error;
    return durably(needsRules ? 'rules' : 'store', call);
  }
}

/** No other try can help. The failure of a local activity is wrapped or not, depending on how it ended. */
function isFinal(error: unknown): boolean {
  const failure = error instanceof ActivityFailure ? error.cause : error;
  return failure instanceof ApplicationFailure && failure.nonRetryable === true && failure.type !== RULES_ELSEWHERE;
}

interface Proxied {
  executeWithOptions(options: object, args: readonly unknown[]): Promise<unknown>;
}

function proxied(activities: object, name: string): Proxied {
  return (activities as Record<string, Proxied>)[name]!;
}

/** The step acts by the clock of its workflow's operation, if that has one. */
function byClock(input: unknown): unknown {
  const clock = operationClock();
  return clock === null ? input : { ...(input as object), clock };
}
