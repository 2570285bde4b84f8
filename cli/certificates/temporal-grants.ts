// What each kind of process may do at Temporal's server in containers: everything else is refused. Its tokens say so,
// and the server's authorizer (ops/temporal/server) reads them there.
import {
  ACCOUNT_SWEEP_WORKFLOW,
  DAY_CLOSE_WORKFLOW,
  HOUSEKEEPING_WORKFLOW,
  OPEN_CHECK_WORKFLOW,
  VERIFICATION_WORKFLOW,
} from '../../contract/temporal/scheduled-work.js';
import {
  cancelDeposit,
  cancelDepositByStaff,
  cancelWithdrawal,
  cancelWithdrawalByStaff,
  chargeNotice,
  checkAgain,
  clockSet,
  DEPOSIT_WORKFLOW,
  depositCreation,
  depositQuery,
  expireDeposit,
  nextStep,
  payoutNotice,
  refreshDeposit,
  refreshWithdrawal,
  reviewDeposit,
  reviewWithdrawal,
  WITHDRAWAL_WORKFLOW,
  withdrawalCreation,
  withdrawalQuery,
  writeOffWithdrawal,
} from '../../contract/temporal/payment.js';
import {
  decideRuleChange,
  recomputeRuleChangeProof,
  RULE_CHANGE_WORKFLOW,
  ruleChangeQuery,
} from '../../contract/temporal/rule-change.js';
import { ALL_PROVIDER_QUEUES, ALL_TASK_QUEUES, TASK_QUEUES, type TaskQueue } from '../../contract/temporal/workers.js';
import { WEBHOOK_DELIVERY_WORKFLOW } from '../../contract/temporal/webhook-delivery.js';

/** Names as Temporal has them; a list that is left out is empty. */
export interface TemporalGrants {
  /** Methods of the WorkflowService; those of the OperatorService with its name before them. */
  readonly methods: readonly string[];
  /** The types of workflows that it starts, and the queue of each. */
  readonly workflows?: Readonly<Record<string, TaskQueue>>;
  readonly signals?: readonly string[];
  readonly updates?: readonly string[];
  readonly queries?: readonly string[];
  /** The queues whose tasks it takes. */
  readonly polls?: readonly TaskQueue[];
  /** The queues to which its workflows send activities. */
  readonly activityQueues?: readonly TaskQueue[];
}

const PAYMENTS = { [DEPOSIT_WORKFLOW]: TASK_QUEUES.payments, [WITHDRAWAL_WORKFLOW]: TASK_QUEUES.payments } as const;
const RULE_CHANGES = { [RULE_CHANGE_WORKFLOW]: TASK_QUEUES.payments } as const;
const DELIVERIES = { [WEBHOOK_DELIVERY_WORKFLOW]: TASK_QUEUES.webhooks } as const;
const SWEEPS = { [ACCOUNT_SWEEP_WORKFLOW]: TASK_QUEUES.payments } as const;
/** Those that the schedules start. */
const SCHEDULED = {
  [DAY_CLOSE_WORKFLOW]: TASK_QUEUES.payments,
  [HOUSEKEEPING_WORKFLOW]: TASK_QUEUES.payments,
  [OPEN_CHECK_WORKFLOW]: TASK_QUEUES.payments,
  [VERIFICATION_WORKFLOW]: TASK_QUEUES.payments,
} as const;

const NOTICES = [chargeNotice.name, payoutNotice.name];
/** With start: it attaches to the workflow or starts it, and waits for the answer. */
const UPDATE = ['ExecuteMultiOperation', 'UpdateWorkflowExecution', 'PollWorkflowExecutionUpdate'];
const SCHEDULE = ['CreateSchedule', 'DescribeSchedule', 'UpdateSchedule'];
/** What the page of a workflow says about itself. */
const METADATA_QUERY = '__temporal_workflow_metadata';

const OF_EVERY_WORKER = ['DescribeNamespace', 'ShutdownWorker'];
const ACTIVITIES = [
  'PollActivityTaskQueue',
  'RecordActivityTaskHeartbeat',
  'RespondActivityTaskCanceled',
  'RespondActivityTaskCompleted',
  'RespondActivityTaskFailed',
];
const WORKFLOWS = [
  'GetWorkflowExecutionHistory',
  'PollWorkflowTaskQueue',
  'RespondQueryTaskCompleted',
  'RespondWorkflowTaskCompleted',
  'RespondWorkflowTaskFailed',
];

/** Of the worker that serves this queue. */
const OF_QUEUE = {
  [TASK_QUEUES.payments]: {
    methods: [
      ...[...OF_EVERY_WORKER, ...ACTIVITIES, ...WORKFLOWS, ...SCHEDULE],
      // The hourly check looks for payments without a workflow, or with another one than theirs. It ends that, and
      // starts the payment's.
      ...['DescribeWorkflowExecution', 'ListWorkflowExecutions'],
      ...['StartWorkflowExecution', 'TerminateWorkflowExecution'],
      // What is past its retention, or of a player who is erased.
      'DeleteWorkflowExecution',
    ],
    workflows: { ...PAYMENTS, ...RULE_CHANGES, ...SCHEDULED, ...SWEEPS },
    polls: [TASK_QUEUES.payments],
    activityQueues: ALL_TASK_QUEUES,
  },
  providers: {
    // The sweep of an account notifies the payments that it finds.
    methods: [...OF_EVERY_WORKER, ...ACTIVITIES, ...SCHEDULE, 'SignalWithStartWorkflowExecution'],
    workflows: { ...PAYMENTS, ...SWEEPS },
    signals: NOTICES,
    polls: ALL_PROVIDER_QUEUES,
  },
  [TASK_QUEUES.rules]: { methods: [...OF_EVERY_WORKER, ...ACTIVITIES], polls: [TASK_QUEUES.rules] },
  [TASK_QUEUES.webhooks]: {
    methods: [
      ...[...OF_EVERY_WORKER, ...ACTIVITIES, ...WORKFLOWS, 'StartWorkflowExecution'],
      // How often a task failed that this worker saw fail.
      'DescribeWorkflowExecution',
    ],
    workflows: DELIVERIES,
    polls: [TASK_QUEUES.webhooks],
    activityQueues: [TASK_QUEUES.webhooks],
  },
} satisfies Readonly<Record<string, TemporalGrants>>;

/** What people do about payments and rules, in the panel or by the command. */
const ACTS = {
  methods: [
    ...UPDATE,
    ...['DescribeWorkflowExecution', 'QueryWorkflow'],
    ...['SignalWithStartWorkflowExecution', 'SignalWorkflowExecution', 'StartWorkflowExecution'],
  ],
  workflows: { ...PAYMENTS, ...RULE_CHANGES },
  signals: [checkAgain.name],
  updates: namesOf(
    ...[reviewDeposit, cancelDepositByStaff, refreshDeposit],
    ...[reviewWithdrawal, cancelWithdrawalByStaff, writeOffWithdrawal, refreshWithdrawal],
    ...[decideRuleChange, recomputeRuleChangeProof],
  ),
  queries: [METADATA_QUERY],
} satisfies TemporalGrants;

const SEARCH = ['CountWorkflowExecutions', 'ListWorkflowExecutions'];

/** What each kind of caller may do: its token grants this. */
export const TEMPORAL_GRANTS = {
  api: {
    methods: [
      ...UPDATE,
      'QueryWorkflow',
      // A sandbox's testers advance their operation's clock.
      'SignalWorkflowExecution',
      // The result of a run that ended while its creation was asked for.
      'GetWorkflowExecutionHistory',
    ],
    workflows: PAYMENTS,
    updates: namesOf(
      ...[depositCreation, cancelDeposit, withdrawalCreation, cancelWithdrawal],
      // A sandbox's testers let deposits expire, look up what they paid, and decide reviews.
      ...[expireDeposit, refreshDeposit, reviewDeposit, refreshWithdrawal, reviewWithdrawal],
    ),
    signals: [clockSet.name],
    queries: [depositQuery.name, withdrawalQuery.name, nextStep.name],
  },
  ingress: { methods: ['SignalWithStartWorkflowExecution'], workflows: PAYMENTS, signals: NOTICES },
  panel: ACTS,
  command: {
    ...ACTS,
    methods: [
      ...[...ACTS.methods, ...SEARCH],
      // Whether the run under a payment's id is the payment's.
      'GetWorkflowExecutionHistory',
      // Deploys of workers.
      ...['DescribeTaskQueue', 'DescribeWorkerDeployment', 'UpdateWorkflowExecutionOptions'],
      ...['SetWorkerDeploymentCurrentVersion', 'SetWorkerDeploymentRampingVersion'],
    ],
    // A worker looks at all open payments now, and ends what is not theirs: the command itself ends nothing.
    workflows: { ...ACTS.workflows, [OPEN_CHECK_WORKFLOW]: TASK_QUEUES.payments },
  },
  'worker-payments': together(OF_QUEUE.payments, OF_QUEUE.rules),
  'worker-providers': together(OF_QUEUE.providers, OF_QUEUE.rules),
  'worker-rules': OF_QUEUE.rules,
  'worker-webhooks': OF_QUEUE.webhooks,
  /** `gateway temporal prepare`: the namespace and its search attributes. */
  setup: {
    methods: [
      ...['CountWorkflowExecutions', 'RegisterNamespace', 'UpdateNamespace'],
      ...['OperatorService/AddSearchAttributes', 'OperatorService/ListSearchAttributes'],
    ],
  },
  /** It reads. */
  ui: {
    methods: [
      ...[...SEARCH, 'DescribeWorkflowExecution', 'GetWorkflowExecutionHistory', 'GetWorkflowExecutionHistoryReverse'],
      ...['QueryWorkflow', 'DescribeTaskQueue', 'ListTaskQueuePartitions'],
      ...['DescribeWorkerDeployment', 'DescribeWorkerDeploymentVersion', 'ListWorkerDeployments'],
      ...['DescribeSchedule', 'ListSchedules', 'ListScheduleMatchingTimes'],
      ...['DescribeBatchOperation', 'ListBatchOperations', 'ListArchivedWorkflowExecutions'],
      ...['DescribeNamespace', 'ListNamespaces', 'GetClusterInfo', 'GetSearchAttributes'],
      ...['OperatorService/ListSearchAttributes', 'OperatorService/ListNexusEndpoints'],
    ],
    queries: [METADATA_QUERY, '__stack_trace', depositQuery.name, withdrawalQuery.name, ruleChangeQuery.name],
  },
} satisfies Readonly<Record<string, TemporalGrants>>;
export type TemporalCaller = keyof typeof TEMPORAL_GRANTS;

/** Deposits and withdrawals have updates of the same name. */
function namesOf(...definitions: readonly { readonly name: string }[]): string[] {
  return [...new Set(definitions.map(({ name }) => name))];
}

/** One process that serves the queues of both. */
function together(one: TemporalGrants, other: TemporalGrants): TemporalGrants {
  const both = <Name extends string>(a: readonly Name[] = [], b: readonly Name[] = []) => [...new Set([...a, ...b])];
  return {
    methods: both(one.methods, other.methods),
    workflows: { ...one.workflows, ...other.workflows },
    signals: both(one.signals, other.signals),
    updates: both(one.updates, other.updates),
    queries: both(one.queries, other.queries),
    polls: both(one.polls, other.polls),
    activityQueues: both(one.activityQueues, other.activityQueues),
  };
}

/** The claim `temporal` of a caller's token. */
export function grantsClaim(namespace: string, grants: TemporalGrants): Record<string, unknown> {
  const { activityQueues, ...rest } = grants;
  return { namespace, ...rest, ...(activityQueues === undefined ? {} : { activity_queues: activityQueues }) };
}
