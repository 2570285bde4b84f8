// The stage of a proof: the real workflows, the real activities on a real PostgreSQL, and the api's own way to
// Temporal: a server, or the lab's model where a proof is not about the server. Only the provider (behind its port),
// the facts of the rules and the operator's receiver are not real. One per file.
import { createHash } from 'node:crypto';
import { BlockList } from 'node:net';
import pino from 'pino';
import { Agent } from 'undici';
import { createActivities, type GatewayActivities } from '../../../activities/index.js';
import { endDelivery } from '../../../store/events/outbox.js';
import { MemoryAttempts } from '../../../activities/webhooks/memory-attempts.js';
import type { Deadlines } from '../../../platform/temporal/calls.js';
import { DepositWorkflows, WithdrawalWorkflows } from '../../../platform/temporal/payment-workflows.js';
import { newId } from '../../../domain/identifiers.js';
import { createDatabase, type Database, toBigInt } from '../../../store/database.js';
import { moveCash } from '../../../store/ledger/cash-movements.js';
import { Sealer } from '../../../store/sealing/sealer.js';
import { keysInMemory } from '../../../store/sealing/keys.js';
import { inTransaction } from '../../../store/transactions.js';
import { keepEmptyingOutbox } from '../../../worker/outbox.js';
import { createTestDatabase } from '../../../lab/harness/database.js';
import { FakePort } from '../../support/fakes/provider-port.js';
import { FakeRules, type RulesStore } from '../../support/fakes/rules.js';
import { modelTemporal, type ModelledTemporal } from '../../support/lab-temporal.js';
import type { RunningTemporal, WorkerTuning } from '../../support/temporal.js';
import { Crashes } from './crashes.js';

const STARTUP_TIMEOUT_MS = 150_000;
/** A machine that is busy with other things still answers within these. */
export const PATIENCE_MS = 60_000;
/** What an operation's cash box holds before. */
const FUNDS_MINOR = 1_000_000n;

export interface Stage<Temporal extends RunningTemporal = RunningTemporal> {
  readonly database: Database;
  readonly temporal: Temporal;
  /** What the workers serve, by kind of queue. */
  readonly activities: GatewayActivities;
  readonly sealer: Sealer;
  readonly port: FakePort;
  readonly rules: FakeRules;
  readonly crashes: Crashes;
  readonly deposits: DepositWorkflows;
  readonly withdrawals: WithdrawalWorkflows;
  /** Events of which a delivery was attempted. */
  readonly delivered: ReadonlySet<string>;
  close(): Promise<void>;
}

export interface StageOptions<Temporal extends RunningTemporal> {
  readonly start: (activities: GatewayActivities, tuning: WorkerTuning) => Promise<Temporal>;
  /** Few: workflows are evicted and replayed all the time. */
  readonly maxCachedWorkflows?: number;
}

/** The stage on the lab's model of Temporal, where time is skipped. */
export async function onModel(activities: GatewayActivities): Promise<ModelledTemporal> {
  return modelTemporal(activities);
}

async function openStage<Temporal extends RunningTemporal>({
  start,
  maxCachedWorkflows = 500,
}: StageOptions<Temporal>): Promise<Stage<Temporal>> {
  const testDatabase = await createTestDatabase();
  const pool = { poolSize: 20, connectTimeoutMs: 30_000, statementTimeoutMs: 30_000 };
  const database = createDatabase({ url: testDatabase.url, ...pool });
  const ofWorker = createDatabase({ url: testDatabase.urlOfRole('gateway_worker'), ...pool });
  const sealer = new Sealer(
    keysInMemory(
      [{ id: 'test', key: createHash('sha256').update('sealing').digest() }],
      createHash('sha256').update('hash').digest(),
    ),
  );
  const port = new FakePort();
  const rules = new FakeRules(storeOf(database));
  const crashes = new Crashes();
  const deadlines: Deadlines = {
    creationMs: PATIENCE_MS,
    actionMs: PATIENCE_MS,
    queryMs: PATIENCE_MS,
    signalMs: PATIENCE_MS,
    payoutArrivalMs: PATIENCE_MS,
    callbackMs: PATIENCE_MS,
  };
  const agent = new Agent();
  let temporal: Temporal | null = null;
  const logger = pino({ level: 'silent' });
  const { activities } = createActivities({
    database: ofWorker,
    batchDatabase: ofWorker,
    notifyDeposit: async () => false,
    notifyWithdrawal: async () => false,
    histories: { delete: async () => true },
    openWorkflows: {
      progress: async () => null,
      run: async () => null,
      end: async () => undefined,
      reopen: async () => false,
    },
    sealer,
    sealWitness: null,
    providers: () => port.provider,
    noteExchange: () => undefined,
    webhookAgent: agent,
    egressRules: { environment: 'sandbox', sandboxNetworks: new BlockList() },
    environment: 'sandbox',
    rules: rules.engine,
    // Every event goes through the outbox.
    servesWebhooks: false,
    startDelivery: async () => undefined,
    logger,
    clock: () => temporal?.nowMs() ?? Date.now(),
  });
  const world = crashes.around(activities);
  const running = await start(world, { maxCachedWorkflows });
  temporal = running;
  const delivered = new Set<string>();
  const attempts = new MemoryAttempts({
    deliver: async ({ eventId }) => {
      delivered.add(eventId);
      await endDelivery(ofWorker, { eventId, request: '' });
      return { kind: 'delivered', status: 200 };
    },
    endExhausted: async () => undefined,
    startDelivery: async () => undefined,
    logger,
  });
  const outbox = keepEmptyingOutbox({ database: ofWorker, batchDatabase: ofWorker }, attempts, logger);
  return {
    database,
    temporal: running,
    activities: world,
    sealer,
    port,
    rules,
    crashes,
    delivered,
    deposits: new DepositWorkflows(running.client, deadlines),
    withdrawals: new WithdrawalWorkflows(running.client, deadlines),
    close: async () => {
      await running.close();
      await outbox.stop();
      await attempts.close();
      await agent.close();
      await Promise.all([database.$disconnect(), ofWorker.$disconnect()]);
      await testDatabase.drop();
    },
  };
}

function storeOf(database: Database): RulesStore {
  return {
    balance: async (operationId, account) => {
      const row = await database.ledgerAccount.findUnique({
        where: {
          operationId_provider_currency_account: { operationId, provider: 'simulator', currency: 'BRL', account },
        },
      });
      return row === null ? 0n : toBigInt(row.balanceMinor);
    },
    playerRevision: async ({ operationId, playerRef: externalRef }) => {
      const row = await database.player.findUnique({
        where: { operationId_externalRef: { operationId, externalRef } },
      });
      return (row?.revision ?? 0n).toString();
    },
  };
}

/** Sets the stage for the tests of a file, once `before` has run, and clears it away after them. */
export function useStage<Temporal extends RunningTemporal>(options: StageOptions<Temporal>): () => Stage<Temporal> {
  let stage: Stage<Temporal> | null = null;
  before(async function () {
    this.timeout(STARTUP_TIMEOUT_MS);
    stage = await openStage(options);
  });
  after(async function () {
    this.timeout(STARTUP_TIMEOUT_MS);
    await stage?.close();
  });
  return () => {
    if (stage === null) throw new Error('the stage is set up in before()');
    return stage;
  };
}

/** An operation with money in its cash box. */
export async function fundedOperation({ database }: Stage): Promise<string> {
  const id = newId('operation');
  const webhookUrl = 'https://operator.test/hooks';
  await database.operation.create({
    data: { id, name: 'acme', environment: 'sandbox', provider: 'simulator', webhookUrl },
  });
  await database.operationCounter.create({ data: { operationId: id } });
  const amount = { amount: FUNDS_MINOR.toString(), currency: 'BRL' };
  const funding = { kind: 'funding', provider: 'simulator', to: null } as const;
  const order = { ...funding, operationId: id, amount, document: 'slip 1', reason: 'the first funds' };
  await inTransaction(database, (transaction) => moveCash(transaction, order, { requestedBy: 'ana', approval: null }));
  return id;
}
