// What the panel's handlers work with.
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { TemporalUi } from '../contract/temporal/ui-links.js';
import type { DepositWorkflows, WithdrawalWorkflows } from '../platform/temporal/payment-workflows.js';
import type { PanelMeans } from '../domain/staff.js';
import type { IdentityProvider } from '../staff/acts/identity-provider.js';
import type { DecisionServices } from '../staff/acts/requests.js';
import { wakeWaiting } from '../staff/acts/wake.js';
import type { RelyingParty } from '../staff/acts/passkeys.js';
import type { UpdateTimeouts } from '../staff/acts/workflow-updates.js';
import type { RefusedSignIns } from '../staff/acts/refused-sign-ins.js';
import type { Database } from '../store/database.js';
import type { Sealer } from '../store/sealing/sealer.js';

export interface PanelServices {
  readonly environment: 'sandbox' | 'production';
  readonly database: Database;
  readonly relyingParty: RelyingParty;
  /** How people sign in here. */
  readonly means: readonly PanelMeans[];
  /** `null` if none is configured. */
  readonly identityProvider: IdentityProvider | null;
  readonly sealer: Sealer;
  readonly temporal: Client;
  readonly deposits: DepositWorkflows;
  readonly withdrawals: WithdrawalWorkflows;
  readonly temporalUi: TemporalUi | null;
  /** The address where traces are shown; `null` without one. */
  readonly tracesUi: string | null;
  readonly decideWithinSeconds: number;
  /** An approval above this many minor units needs a reason; `null`: none does. */
  readonly reasonAboveMinor: bigint | null;
  readonly refusedSignIns: RefusedSignIns;
  readonly log: Logger;
}

/** A page waits no longer for an act than this. */
const ACT_TIMEOUTS: UpdateTimeouts = { acceptMs: 8_000, outcomeMs: 12_000 };

/** The services of acts that go to a workflow. */
export function actServices({ database, temporal }: PanelServices) {
  return {
    database,
    timeouts: ACT_TIMEOUTS,
    withTemporal: <Result>(work: (client: Client) => Promise<Result>) => work(temporal),
  };
}

/** The services of acts that are done in the database. */
export function changeServices(services: PanelServices): DecisionServices {
  const { database, sealer, environment } = services;
  const { withTemporal } = actServices(services);
  return {
    database,
    sealer: () => Promise.resolve(sealer),
    deployment: environment,
    wake: (operationId, wait) => wakeWaiting({ database, withTemporal }, operationId, wait),
    // Only the command has the vault, and so knows whether a key can be retired.
    retirementBlocks: () => Promise.resolve(['decide it with the gateway command']),
  };
}
