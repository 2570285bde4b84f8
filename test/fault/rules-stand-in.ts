// Steps for the queue of the rules that a test serves in the engine's place: they never end, or ask an engine that
// answers nonsense.
import { CLOCKS } from '../../activities/payments/withdrawal/deadline.js';
import { Context } from '@temporalio/activity';
import { createDepositStore, createWithdrawalStore } from '../../activities/payments/rows.js';
import { offeredAt } from '../support/intercepted.js';
import { createDepositSteps, createWithdrawalSteps } from '../../activities/payments/index.js';
import type { GatewayActivities } from '../../activities/index.js';
import { createChargeCalls } from '../../activities/provider/charges.js';
import { createPayoutCalls } from '../../activities/provider/payouts.js';
import type { RulesEngine } from '../../activities/rules.js';
import { readWorkerConfig } from '../../platform/config/worker.js';
import { createProviders } from '../../providers/index.js';
import { createDatabase } from '../../store/database.js';
import { openKeys } from '../../store/sealing/open-keys.js';
import { Sealer } from '../../store/sealing/sealer.js';
import type { Stack } from '../../lab/harness/stack.js';

type RulesSteps = GatewayActivities['rules'];

const never = async () => Context.current().sleep(120_000) as Promise<never>;
export const SLOW: RulesSteps = {
  openDeposit: never,
  lookUpChargeBriefly: never,
  openWithdrawal: never,
  decideRequested: never,
  judgeReviewed: never,
  clearDispatch: never,
};

/** No verdict has this shape. */
const nonsense = async () => ({
  verdict: { kind: 'automatic', reasons: ['FIRST_WITHDRAWAL'], ruleSetVersion: 'newest' } as never,
  record: null,
});
const NONSENSE: RulesEngine = {
  decideDeposit: nonsense,
  assessPayment: nonsense,
  decideWithdrawal: nonsense,
  decideDispatch: nonsense,
};

/** The product's steps over the stack's database and provider. */
export function nonsensicalSteps(stack: Stack): { readonly steps: RulesSteps; close(): Promise<void> } {
  const config = readWorkerConfig(stack.environment);
  const database = createDatabase({
    url: stack.databaseUrl,
    poolSize: 4,
    connectTimeoutMs: 5_000,
    statementTimeoutMs: 5_000,
  });
  const keys = openKeys(config.keys, database);
  const sealer = new Sealer(keys);
  const providers = createProviders(config.providers);
  const raise = async () => undefined;
  const deposits = createDepositSteps({
    deposits: createDepositStore({ database, sealer }, raise),
    rules: NONSENSE,
    charges: createChargeCalls(providers, sealer, raise),
    sealer,
    environment: config.GATEWAY_ENVIRONMENT,
  });
  const withdrawals = createWithdrawalSteps({
    withdrawals: createWithdrawalStore({ database, sealer }, raise),
    rules: NONSENSE,
    payouts: createPayoutCalls(providers, sealer, raise),
    sealer,
    environment: config.GATEWAY_ENVIRONMENT,
    clocks: CLOCKS,
  });
  return {
    steps: offeredAt(Date.now, { ...deposits, ...withdrawals }),
    close: async () => {
      await Promise.all([database.$disconnect(), keys.close(), providers.close()]);
    },
  };
}
