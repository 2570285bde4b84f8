// Every metric of the gateway, as data: instruments, documentation and the test of the alert rules derive from this
// table. Labels have few values and never an id, an address or personal data.
export type MetricProcess = 'api' | 'ingress' | 'panel' | 'worker' | 'simulator';

interface MetricDefinition {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly processes: readonly MetricProcess[];
  readonly help: string;
  /** Label names and their meanings. */
  readonly labels: Readonly<Record<string, string>>;
  /** Upper bounds of a histogram, in its unit. */
  readonly buckets?: readonly number[];
}

const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const REVIEW_SECONDS = [30, 60, 300, 600, 1_800, 3_600, 7_200, 14_400, 43_200, 86_400];
const WEBHOOK_DELAY_SECONDS = [0.1, 0.5, 1, 2, 5, 15, 60, 300, 3_600, 21_600, 86_400];

export const METRICS = {
  gateway_http_requests_total: {
    type: 'counter',
    processes: ['api', 'panel'],
    help: 'Answered requests.',
    labels: { route: 'name in the route table, `none` before a route is known', status: 'HTTP status' },
  },
  gateway_http_request_seconds: {
    type: 'histogram',
    processes: ['api', 'panel'],
    help: 'From the first byte of a request to its answer.',
    labels: { route: 'as above' },
    buckets: REQUEST_SECONDS,
  },
  gateway_http_refusals_total: {
    type: 'counter',
    processes: ['api', 'panel'],
    help: 'Refused requests; `rate_limited` are those over a limit.',
    labels: { code: 'code of the error catalogue' },
  },
  gateway_panel_streams: {
    type: 'gauge',
    processes: ['panel'],
    help: 'Open event streams: browsers that show the panel.',
    labels: {},
  },
  gateway_panel_decisions_total: {
    type: 'counter',
    processes: ['panel'],
    help: 'Decisions of people on payments under review.',
    labels: {
      kind: '`deposit`, `withdrawal`',
      decision: '`approve`, `refuse`, `return`',
      outcome: '`done`, `noted` (the first of two), `under_way`, or the code of the refusal',
    },
  },
  gateway_panel_review_seconds: {
    type: 'histogram',
    processes: ['panel'],
    help: 'From the start of a review to the decision that ended it.',
    labels: { kind: '`deposit`, `withdrawal`' },
    buckets: REVIEW_SECONDS,
  },
  gateway_idempotency_claims_total: {
    type: 'counter',
    processes: ['api'],
    help: 'What happened to the Idempotency-Key of a POST.',
    labels: { outcome: '`owned` (ran), `replayed`, `in_progress`, `reused`, `limited`, `unavailable`' },
  },
  gateway_temporal_calls_total: {
    type: 'counter',
    processes: ['api', 'ingress', 'panel'],
    help: 'Calls to workflows.',
    labels: { outcome: '`answer`, `closed`, `unavailable`, `fault`' },
  },
  gateway_unvouched_answers_total: {
    type: 'counter',
    processes: ['api'],
    help:
      'Answers through Temporal about a payment that no worker of the gateway vouches for. The database answered ' +
      'in their place.',
    labels: { kind: '`deposit`, `withdrawal`', question: '`state`, `creation`' },
  },
  gateway_callbacks_total: {
    type: 'counter',
    processes: ['ingress'],
    help: 'Callbacks of providers by the status they were answered with.',
    labels: { provider: 'name of the provider', status: 'HTTP status' },
  },
  gateway_database_connections: {
    type: 'gauge',
    processes: ['api', 'ingress', 'panel', 'worker'],
    help: 'Connections of this process to PostgreSQL, and calls that wait for one.',
    labels: { state: '`busy`, `idle`, `waiting`' },
  },
  gateway_database_connections_limit: {
    type: 'gauge',
    processes: ['api', 'ingress', 'panel', 'worker'],
    help: 'DATABASE_POOL_SIZE.',
    labels: {},
  },
  gateway_clock_ahead_seconds: {
    type: 'gauge',
    processes: ['worker'],
    help: "By how much this machine's clock is ahead of PostgreSQL's; from a second on, PostgreSQL's time is stored.",
    labels: {},
  },
  gateway_database_share_waiting: {
    type: 'gauge',
    processes: ['api'],
    help: 'Calls that wait because their operation holds its half of the connections; others do not wait for them.',
    labels: {},
  },
  gateway_database_share_refusals_total: {
    type: 'counter',
    processes: ['api'],
    help: 'Calls refused because their operation holds its half of the connections.',
    labels: { why: '`queue_full` (requests answered 429), `timeout` (calls that waited too long and failed)' },
  },
  gateway_transitions_total: {
    type: 'counter',
    processes: ['worker'],
    help: 'Stored transitions by the state they lead to.',
    labels: { kind: '`deposit`, `withdrawal`', to: 'state' },
  },
  gateway_provider_drift_total: {
    type: 'counter',
    processes: ['ingress', 'worker'],
    help: 'Things in providers’ answers and callbacks that their documentation does not have. Nothing is guessed from them.',
    labels: {
      provider: 'name of the provider',
      what: '`unknown_state`, `unknown_error`, `unknown_event`, `unknown_field`, `unreadable_answer`, `unreadable_callback`',
    },
  },
  gateway_account_sweep_found_total: {
    type: 'counter',
    processes: ['worker'],
    help: 'Items that a sweep of a provider account found and the database did not have.',
    labels: {
      provider: 'name of the provider',
      outcome:
        '`missed` (its deposit or withdrawal was signalled), `unallocated` (belongs to no payment), `unreadable`',
    },
  },
  gateway_account_sweep_timestamp_seconds: {
    type: 'gauge',
    processes: ['worker'],
    help: 'When a list of a provider account was last read completely; before that, when it was first requested.',
    labels: {
      provider: 'name of the provider',
      part: '`payments`, `returns`, `payouts`, `payout_returns`, `disputes`',
    },
  },
  gateway_provider_calls_total: {
    type: 'counter',
    processes: ['worker'],
    help: 'Calls to providers by outcome; `unknown` and `unavailable` are inconclusive and repeated.',
    labels: {
      provider: 'name of the provider',
      call: 'operation of the provider port',
      outcome: 'kind of the outcome',
    },
  },
  gateway_provider_call_seconds: {
    type: 'histogram',
    processes: ['worker'],
    help: 'Duration of calls to providers.',
    labels: { provider: 'name of the provider', call: 'operation of the provider port' },
    buckets: REQUEST_SECONDS,
  },
  gateway_webhook_attempts_total: {
    type: 'counter',
    processes: ['worker'],
    help: 'Attempts to deliver an event.',
    labels: { result: '`2xx`, `3xx`, `4xx`, `5xx`, `no_answer`, `no_target`' },
  },
  gateway_webhook_attempt_seconds: {
    type: 'histogram',
    processes: ['worker'],
    help: 'Duration of an attempt.',
    labels: {},
    buckets: REQUEST_SECONDS,
  },
  gateway_webhook_attempts_lost_total: {
    type: 'counter',
    processes: ['worker'],
    help: 'Attempts from memory that broke off, or failed and were not handed to a workflow. The event is taken again.',
    labels: {},
  },
  gateway_webhook_deliveries_resumed_total: {
    type: 'counter',
    processes: ['worker'],
    help: 'Attempts that were taken over, because the process or workflow that had them was lost or late.',
    labels: {},
  },
  gateway_webhook_delay_seconds: {
    type: 'histogram',
    processes: ['worker'],
    help: 'From an event to its delivery, attempts and pauses included.',
    labels: {},
    buckets: WEBHOOK_DELAY_SECONDS,
  },
  gateway_open_alerts: {
    type: 'gauge',
    processes: ['worker'],
    help: 'Open alerts of every operation. Read from PostgreSQL: the same in every worker of the `payments` queue.',
    labels: { alert: 'name of the alert' },
  },
  gateway_alerts_raised_total: {
    type: 'counter',
    processes: ['worker'],
    help:
      'Alerts that were ever raised, resolved or not. Read from PostgreSQL: the same in every worker of the ' +
      '`payments` queue, before and after a restart.',
    labels: { alert: 'name of the alert', class: '`abuse`, `critical`, `error`, `warning`' },
  },
  gateway_alert_notices_total: {
    type: 'counter',
    processes: ['worker'],
    help: 'Attempts to send an alert on.',
    labels: { target: '`webhook`, `email`, `pager`', result: '`sent`, `failed`' },
  },
  gateway_alert_notice_oldest_seconds: {
    type: 'gauge',
    processes: ['worker'],
    help: 'How long the first alert waits that one of its targets has not accepted; 0 without one. Read from PostgreSQL.',
    labels: {},
  },
  gateway_reviews_waiting: {
    type: 'gauge',
    processes: ['worker'],
    help: 'Payments under review. Read from PostgreSQL.',
    labels: { kind: '`deposit`, `withdrawal`' },
  },
  gateway_review_oldest_seconds: {
    type: 'gauge',
    processes: ['worker'],
    help: 'Age of the oldest payment under review since its creation; 0 without one. Read from PostgreSQL.',
    labels: { kind: '`deposit`, `withdrawal`' },
  },
  gateway_open_oldest_seconds: {
    type: 'gauge',
    processes: ['worker'],
    help: 'Age of the oldest open payment in each state since its creation; 0 without one. Read from PostgreSQL.',
    labels: { kind: '`deposit`, `withdrawal`', state: 'state' },
  },
  gateway_open_history_events: {
    type: 'gauge',
    processes: ['worker'],
    help: 'The longest workflow history among the 100 payments open longest, at the last hourly check.',
    labels: {},
  },
  gateway_open_pending_attempts: {
    type: 'gauge',
    processes: ['worker'],
    help: 'The most attempts of a pending activity among the same payments, at the last hourly check.',
    labels: {},
  },
  gateway_workflows_reopened_total: {
    type: 'counter',
    processes: ['worker'],
    help: 'Open objects without a workflow that the hourly check reopened.',
    labels: { kind: '`deposit`, `withdrawal`, `rule_change`' },
  },
  gateway_check_last_success_timestamp_seconds: {
    type: 'gauge',
    processes: ['worker'],
    help: 'When a check of the gateway itself last found no problem, in Unix time. Read from PostgreSQL.',
    labels: {
      check:
        '`open_workflows` (hourly), `workflow_progress` and `audit_seals` (every minute), `ledger`, `audit`, ' +
        '`decisions`, `signatures` (nightly)',
    },
  },
  gateway_check_problems: {
    type: 'gauge',
    processes: ['worker'],
    help: 'Problems that the last run of a check found. Read from PostgreSQL.',
    labels: { check: 'as above' },
  },
  gateway_payouts_unknown: {
    type: 'gauge',
    processes: ['worker'],
    help: 'Payouts that may have been sent and that no provider has confirmed. Read from PostgreSQL.',
    labels: {},
  },
  gateway_webhook_outbox_oldest_seconds: {
    type: 'gauge',
    processes: ['worker'],
    help: 'How long the first event that is due has waited for a process that takes it. Read from PostgreSQL.',
    labels: {},
  },
  gateway_reads_failed_total: {
    type: 'counter',
    processes: ['worker'],
    help: 'How often the gauges from PostgreSQL could not be read; they are then omitted.',
    labels: {},
  },
  gateway_trace_spans_total: {
    type: 'counter',
    processes: ['api', 'ingress', 'panel', 'worker', 'simulator'],
    help: 'Spans for the OpenTelemetry collector; none without a collector.',
    labels: { outcome: '`sent`, `lost` (the collector did not take them, or not in time)' },
  },
  gateway_simulator_requests_total: {
    type: 'counter',
    processes: ['simulator'],
    help: 'Requests to the simulated providers.',
    labels: {
      provider: 'name of the provider, `none` for steering and health',
      status: 'HTTP status, `none` for one left without an answer',
    },
  },
  gateway_simulator_callbacks_total: {
    type: 'counter',
    processes: ['simulator'],
    help: 'Attempts to call the gateway back.',
    labels: { provider: 'name of the provider', outcome: '`delivered`, `failed`' },
  },
} as const satisfies Record<string, MetricDefinition>;

export type MetricName = keyof typeof METRICS;
export type MetricOf<Type extends MetricDefinition['type']> = {
  [Name in MetricName]: (typeof METRICS)[Name]['type'] extends Type ? Name : never;
}[MetricName];
/** The labels of a metric, all of them: a missing one does not compile. */
export type LabelsOf<Name extends MetricName> = Readonly<Record<keyof (typeof METRICS)[Name]['labels'], string>>;

/** The metrics that Temporal's SDK exports for a worker, as far as the alert rules use them. */
export const SDK_METRICS = {
  temporal_worker_task_slots_available: 'Free slots of a worker by `worker_type`.',
  temporal_workflow_task_execution_failed_total: 'Workflow tasks that failed: a workflow that does not continue.',
  temporal_workflow_failed_total: 'Workflows that ended in a failure.',
  temporal_activity_schedule_to_start_latency_seconds: 'How long activities wait for a worker.',
  temporal_workflow_task_schedule_to_start_latency_seconds: 'How long workflows wait for a worker.',
} as const;
