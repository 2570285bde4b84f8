// Builds every activity from its dependencies. Workflows see only the types (types.ts).
import type { Logger } from 'pino';
import type { Dispatcher } from 'undici';
import type { ProviderRegistry } from '../providers/port.js';
import type { Database } from '../store/database.js';
import type { Sealer } from '../store/sealing/sealer.js';
import { raiseAlert } from './alerts.js';
import { depositBooks } from './deposits/books.js';
import { createDepositSteps } from './deposits/index.js';
import { createReconciliationActivities } from './operations/day-close.js';
import { createRotationActivities } from './operations/rotation.js';
import { createRuleChangeStore } from './operations/rule-changes.js';
import { countedTransitions } from './payments/counted.js';
import { createWithdrawalStore } from './payments/withdrawals.js';
import { createChargeCalls } from './provider/charges.js';
import { observedProviders } from './provider/observed.js';
import { createPayoutActivities } from './provider/payouts.js';
import { keepingReturnIds } from './provider/return-ids.js';
import { createRulesEngine } from './rules/index.js';
import type {
  DepositRulesSteps,
  DepositSteps,
  ProviderActivities,
  ReconciliationActivities,
  RotationActivities,
  RuleChangeActivities,
  StoreActivities,
  WebhookActivities,
} from './types.js';
import { createWebhookActivities } from './webhooks/deliver.js';
import type { EgressRules } from './webhooks/egress.js';

export interface ActivityDependencies {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly providers: ProviderRegistry;
  readonly webhookAgent: Dispatcher;
  readonly egressRules: EgressRules;
  readonly environment: 'sandbox' | 'production';
  readonly logger: Logger;
}

export interface GatewayActivities {
  readonly payments: StoreActivities &
    DepositSteps &
    ProviderActivities &
    ReconciliationActivities &
    RotationActivities &
    RuleChangeActivities;
  readonly rules: DepositRulesSteps;
  readonly webhooks: WebhookActivities;
}

/** The activities by task queue. */
export function createActivities(dependencies: ActivityDependencies): GatewayActivities {
  const { database, sealer, environment, logger, webhookAgent, egressRules } = dependencies;
  const providers = keepingReturnIds(observedProviders(dependencies.providers), database, logger);
  const store = countedTransitions(createWithdrawalStore(database, sealer));
  const charges = createChargeCalls(providers, sealer);
  const rules = createRulesEngine({ database, sealer });
  const deposits = createDepositSteps({ books: depositBooks(database, sealer, logger), rules, charges, sealer });
  return {
    payments: {
      ...store,
      ...deposits,
      ...createReconciliationActivities(database, logger),
      ...createRotationActivities(database, logger),
      ...createRuleChangeStore(database, sealer),
      raiseAlert: (alert) => raiseAlert(database, logger, alert),
      ...createPayoutActivities({ providers, sealer, database, environment, nowMs: Date.now }),
    },
    rules: deposits,
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
