// The activities of workflows other than payments, with their timeouts and retry policies.
import type {
  OpenCheckActivities,
  ReconciliationActivities,
  RetentionActivities,
  RotationActivities,
  RuleChangeActivities,
  SweepActivities,
  VerificationActivities,
  WebhookActivities,
} from '../../activities/types.js';
import { BATCH_STEP_MS, TASK_QUEUES } from '../../contract/temporal/workers.js';
import { activities, providerActivities } from './proxies.js';

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
