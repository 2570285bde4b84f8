// Every activity, built from its dependencies. Workflows see only the types.
import type { Logger } from 'pino';
import type { Dispatcher } from 'undici';
import type { ProviderRegistry } from '../providers/port.js';
import type { Database } from '../store/database.js';
import type { Sealer } from '../store/sealing/sealer.js';
import { createChargeActivities } from './provider/charges.js';
import { observedProviders } from './provider/observed.js';
import { createOpening } from './provider/opening.js';
import { createPayoutActivities } from './provider/payouts.js';
import { keepingReturnIds } from './provider/return-ids.js';
import { createExamination } from './rules/examination.js';
import { createRulesActivities } from './rules/index.js';
import type { ReconciliationActivities, RotationActivities, RuleChangeActivities } from './operation-types.js';
import { raiseAlert } from '../store/alerts/alerts.js';
import { countedTransitions } from './counted.js';
import { createDepositStore } from '../store/deposits/transitions.js';
import { createReconciliationActivities } from './reconciliation.js';
import { createRotationActivities } from '../store/operations/secret-ages.js';
import { createRuleChangeStore } from './rule-changes.js';
import { createWithdrawalStore } from '../store/withdrawals/transitions.js';
import type {
  ExaminationActivities,
  OpeningActivities,
  ProviderActivities,
  RulesActivities,
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
    OpeningActivities &
    ProviderActivities &
    ReconciliationActivities &
    RotationActivities &
    RuleChangeActivities;
  readonly rules: RulesActivities & ExaminationActivities;
  readonly webhooks: WebhookActivities;
}

/** The activities by task queue. */
export function createActivities(dependencies: ActivityDependencies): GatewayActivities {
  const { database, sealer, environment, logger, webhookAgent, egressRules } = dependencies;
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
      ...createReconciliationActivities(database, logger),
      ...createRotationActivities(database, logger),
      ...createRuleChangeStore(database, sealer),
      raiseAlert: (alert) => raiseAlert(database, logger, alert),
      ...charges,
      ...createPayoutActivities({ providers, sealer, database, environment, nowMs: Date.now }),
    },
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
