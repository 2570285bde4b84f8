// Builds every activity from its dependencies. Workflows see only the types (types.ts).
import type { Logger } from 'pino';
import type { Dispatcher } from 'undici';
import type { ProviderRegistry } from '../providers/port.js';
import type { Database } from '../store/database.js';
import type { Sealer } from '../store/sealing/sealer.js';
import { raiseAlert } from './alerts.js';
import { createReconciliationActivities } from './operations/day-close.js';
import { createRotationActivities } from './operations/rotation.js';
import { createRuleChangeProof, createRuleChangeStore } from './operations/rule-changes.js';
import { countedTransitions } from './payments/counted.js';
import { createDepositStore } from './payments/deposits.js';
import { createWithdrawalStore } from './payments/withdrawals.js';
import { createChargeActivities } from './provider/charges.js';
import { observedProviders } from './provider/observed.js';
import { createOpening } from './provider/opening.js';
import { createPayoutActivities } from './provider/payouts.js';
import { keepingReturnIds } from './provider/return-ids.js';
import { createExamination } from './rules/examination.js';
import { createRulesActivities } from './rules/index.js';
import type {
  ExaminationActivities,
  OpeningActivities,
  ProviderActivities,
  ReconciliationActivities,
  RotationActivities,
  RuleChangeActivities,
  RulesActivities,
  StoreActivities,
  WebhookActivities,
} from './types.js';
import { createWebhookActivities } from './webhooks/deliver.js';
import type { EgressRules } from './webhooks/egress.js';

export interface ActivityDependencies {
  readonly database: Database;
  /** For statements that take seconds, on connections of their own. */
  readonly batchDatabase: Database;
  readonly sealer: Sealer;
  readonly providers: ProviderRegistry;
  readonly webhookAgent: Dispatcher;
  readonly egressRules: EgressRules;
  readonly environment: 'sandbox' | 'production';
  readonly logger: Logger;
}

export interface GatewayActivities {
  readonly payments: StoreActivities &
    OpeningActivities &
    ReconciliationActivities &
    RotationActivities &
    RuleChangeActivities;
  /** On the queue of each provider. */
  readonly providers: ProviderActivities;
  readonly rules: RulesActivities & ExaminationActivities;
  readonly webhooks: WebhookActivities;
}

/** The activities by task queue. */
export function createActivities(dependencies: ActivityDependencies): GatewayActivities {
  const { database, batchDatabase, sealer, environment, logger, webhookAgent, egressRules } = dependencies;
  const providers = keepingReturnIds(observedProviders(dependencies.providers), database, logger);
  const { admitDeposit, ...store } = countedTransitions({
    ...createDepositStore(database, sealer),
    ...createWithdrawalStore(database, sealer),
  });
  const charges = createChargeActivities(providers, sealer);
  const rules = createRulesActivities({ database, sealer });
  return {
    payments: {
      ...store,
      ...createOpening({ admitDeposit }, charges),
      ...createReconciliationActivities(batchDatabase, logger),
      ...createRotationActivities(batchDatabase, logger),
      ...createRuleChangeStore(database, sealer),
      ...createRuleChangeProof(batchDatabase),
      raiseAlert: (alert) => raiseAlert(database, logger, alert),
    },
    providers: { ...charges, ...createPayoutActivities({ providers, sealer, database, environment, nowMs: Date.now }) },
    rules: { ...rules, ...createExamination(charges, rules) },
    webhooks: createWebhookActivities({
      database,
      sealer,
      rules: egressRules,
      logger,
      agent: webhookAgent,
      now: () => new Date(),
    }),
  };
}
