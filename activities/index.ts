// Builds every activity from its dependencies. Workflows see only the types (types.ts).
import type { Logger } from 'pino';
import type { Dispatcher } from 'undici';
import type { ProviderRegistry } from '../providers/port.js';
import type { GatewayAlert } from '../store/alerts/alerts.js';
import type { SealWitness } from '../store/audit/seal.js';
import type { Database } from '../store/database.js';
import type { FirstAttempts } from '../store/events/first-attempts.js';
import type { Sealer } from '../store/sealing/sealer.js';
import type { NotifyPayment } from './account-sweep/page.js';
import { createSweepActivities } from './account-sweep/sweep-page.js';
import { raiseAlert, raiseProcessAlert } from './alerts.js';
import { createDepositStore, createWithdrawalStore } from './payments/rows.js';
import { createDepositSteps, createWithdrawalSteps } from './payments/index.js';
import { createReconciliationActivities } from './operations/day-close.js';
import { createOpenCheckActivities, type OpenWorkflows } from './operations/open-check.js';
import { type Clock, intercepted, type UndatedActivities } from './intercepted.js';
import { createRetentionActivities, createRotationActivities, type Histories } from './operations/housekeeping.js';
import { createRuleChangeProof, createRuleChangeSteps, createRuleChangeStore } from './operations/rule-changes.js';
import { createVerificationActivities } from './operations/verification.js';
import { OperationClocks } from './operation-clocks.js';
import { BriefSlots } from './provider/brief-calls.js';
import { createChargeCalls } from './provider/charges.js';
import { type NoteProviderExchange, observedProviders } from './provider/observed.js';
import { createPayoutCalls } from './provider/payouts.js';
import { keepingReturnIds } from './provider/return-ids.js';
import type { RulesEngine } from './rules.js';
import type {
  AlertActivities,
  DepositProviderSteps,
  DepositRulesSteps,
  DepositSteps,
  OpenCheckActivities,
  ReconciliationActivities,
  RetentionActivities,
  RotationActivities,
  RuleChangeActivities,
  SweepActivities,
  VerificationActivities,
  WebhookActivities,
  WithdrawalProviderSteps,
  WithdrawalRulesSteps,
  WithdrawalSteps,
} from './types.js';
import { createWebhookActivities, deliverEvent, endExhausted } from './webhooks/deliver.js';
import type { EgressRules } from './webhooks/egress.js';
import { MemoryAttempts, type StartDelivery } from './webhooks/memory-attempts.js';
import { CLOCKS } from './payments/withdrawal/deadline.js';

export interface ActivityDependencies {
  readonly database: Database;
  /** For daily work and proofs, whose long statements must not take a connection from a payment. */
  readonly batchDatabase: Database;
  readonly openWorkflows: OpenWorkflows;
  readonly histories: Histories;
  /** Notifies a deposit that its charge has changed. */
  readonly notifyDeposit: NotifyPayment;
  /** Notifies a withdrawal that its payout has changed. */
  readonly notifyWithdrawal: NotifyPayment;
  /** `null` if this process does not serve the payments queue, and so verifies nothing. */
  readonly sealWitness: SealWitness | null;
  readonly sealer: Sealer;
  readonly providers: ProviderRegistry;
  readonly noteExchange: NoteProviderExchange;
  readonly webhookAgent: Dispatcher;
  readonly egressRules: EgressRules;
  readonly environment: 'sandbox' | 'production';
  /** `null` if this process does not serve the rules. */
  readonly rules: RulesEngine | null;
  /** Whether this process serves the webhooks, so that it makes the first attempt to deliver the events it stores. */
  readonly servesWebhooks: boolean;
  readonly startDelivery: StartDelivery;
  readonly logger: Logger;
  /** The current time, for everything that the activities decide and store. */
  readonly clock: Clock;
}

export type PaymentSteps = DepositSteps & WithdrawalSteps;

export interface GatewayActivities {
  readonly payments: UndatedActivities<
    PaymentSteps &
      AlertActivities &
      ReconciliationActivities &
      RetentionActivities &
      RotationActivities &
      OpenCheckActivities &
      VerificationActivities &
      RuleChangeActivities
  >;
  /** The activities on the queue of each provider. */
  readonly providers: UndatedActivities<DepositProviderSteps & WithdrawalProviderSteps & SweepActivities>;
  readonly rules: UndatedActivities<DepositRulesSteps & WithdrawalRulesSteps>;
  readonly webhooks: UndatedActivities<WebhookActivities>;
}

/** The activities by task queue, and the attempts to deliver that this process makes beside them. */
export function createActivities(dependencies: ActivityDependencies): {
  readonly activities: GatewayActivities;
  readonly attempts: MemoryAttempts;
} {
  const { database, batchDatabase, sealer, logger, webhookAgent: agent, egressRules, startDelivery } = dependencies;
  const clocks = new OperationClocks(dependencies.environment);
  const webhooks = { database, sealer, rules: egressRules, logger, agent, clock: dependencies.clock, clocks };
  const attempts = new MemoryAttempts({
    deliver: (input, found) => deliverEvent(webhooks, input, found),
    endExhausted: async (event) =>
      endExhausted(webhooks, {
        ...event,
        at: new Date(clocks.timeOf(event.operationId, await dependencies.clock())).toISOString(),
      }),
    startDelivery,
    logger,
  });
  const briefSlots = new BriefSlots();
  const raise = (alert: GatewayAlert) => raiseAlert(database, logger, alert);
  const steps = createPaymentSteps(dependencies, clocks, briefSlots, dependencies.servesWebhooks ? attempts : null);
  const offered = <Activities extends object>(activities: Activities) =>
    intercepted({ clock: dependencies.clock, clocks, alerts: { raiseAlert: raise } }, activities);
  const activities: GatewayActivities = {
    payments: offered({
      ...steps,
      ...createReconciliationActivities(batchDatabase, logger),
      ...createRotationActivities(batchDatabase, logger),
      ...createRetentionActivities(batchDatabase, dependencies.histories, logger),
      ...createOpenCheckActivities(batchDatabase, dependencies.openWorkflows, sealer, logger),
      ...createVerificationActivities(batchDatabase, logger, sealer, dependencies.sealWitness),
      ...createRuleChangeSteps(createRuleChangeStore(database, sealer, raise)),
      ...createRuleChangeProof(batchDatabase),
      raiseAlert: (order: Parameters<AlertActivities['raiseAlert']>[0]) => raiseProcessAlert(database, logger, order),
    }),
    providers: offered({
      ...steps,
      ...createSweepActivities({
        database: batchDatabase,
        providers: observedProviders(dependencies.providers, dependencies.noteExchange),
        notifyDeposit: dependencies.notifyDeposit,
        notifyWithdrawal: dependencies.notifyWithdrawal,
        logger,
      }),
    }),
    rules: offered(steps),
    webhooks: offered(createWebhookActivities(webhooks)),
  };
  return { activities, attempts };
}

function createPaymentSteps(
  dependencies: ActivityDependencies,
  clocks: OperationClocks,
  briefSlots: BriefSlots,
  firstAttempts: FirstAttempts | null,
): PaymentSteps {
  const { database, sealer, logger, environment, rules } = dependencies;
  const providers = keepingReturnIds(
    observedProviders(dependencies.providers, dependencies.noteExchange),
    database,
    logger,
  );
  const raise = (alert: GatewayAlert) => raiseAlert(database, logger, alert);
  const charges = createChargeCalls(providers, sealer, raise, clocks);
  const store = { database, sealer, firstAttempts };
  return {
    ...createDepositSteps({
      deposits: createDepositStore(store, raise),
      rules,
      charges,
      sealer,
      environment,
      briefSlots,
    }),
    ...createWithdrawalSteps({
      withdrawals: createWithdrawalStore(store, raise),
      rules,
      payouts: createPayoutCalls(providers, sealer, raise, clocks),
      sealer,
      environment,
      clocks: CLOCKS,
      briefSlots,
    }),
  };
}
