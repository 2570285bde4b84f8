// The gateway of a run, whole: its api, ingress and worker as they are put together in their own processes, and the
// simulated provider; all in this process, over the run's network, clock and Temporal.
import { BlockList } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createActivities } from '../activities/index.js';
import { createRulesEngine } from '../activities/rules/index.js';
import { createEgressAgent } from '../activities/webhooks/egress.js';
import type { MemoryAttempts } from '../activities/webhooks/memory-attempts.js';
import { createApp } from '../api/app.js';
import { createHandlers, DEFAULT_DEADLINES, playerLimits, READS } from '../api/routes/index.js';
import { startServer as startApi } from '../api/server.js';
import { ROUTES } from '../contract/http/routes.js';
import { ALL_PROVIDER_QUEUES, type TaskQueue } from '../contract/temporal/task-queues.js';
import { CALLBACK_LIMIT_BYTES, createIngress, refusalOf } from '../ingress/app.js';
import { PassedOn } from '../ingress/passed-on.js';
import { readApiConfig } from '../platform/config/api.js';
import { readIngressConfig } from '../platform/config/ingress.js';
import { readSimulatorConfig } from '../platform/config/simulator.js';
import { readWorkerConfig } from '../platform/config/worker.js';
import { startServer } from '../platform/http/server.js';
import type { Role } from '../prisma/roles.js';
import { accountTraits, createCallbackReaders, createProviders } from '../providers/index.js';
import { gatewayInProcess } from '../sandbox/gateway-in-process.js';
import { startSimulator } from '../sandbox/simulator/app.js';
import { createDatabase, type Database, poolOf } from '../store/database.js';
import { DatabaseClock } from '../store/database-clock.js';
import { takeDue } from '../store/events/outbox.js';
import { openKeys } from '../store/sealing/open-keys.js';
import { Sealer } from '../store/sealing/sealer.js';
import { deliveryStarts } from '../worker/delivery-starts.js';
import { depositNotices, openWorkflows, withdrawalNotices } from '../worker/open-workflows.js';
import type { LabDatabase } from './database.js';
import type { Chance } from './machine/chance.js';
import { LabProcess } from './machine/processes.js';
import type { Serving, Step } from './temporal/host.js';
import type { LabTemporal } from './temporal/server.js';

const PORTS = { api: 11_001, ingress: 11_002, simulator: 11_003, health: 11_004 } as const;
export const LAB_PORTS = PORTS;
const EVENTS_PER_LOOK = 20;
const SLOTS = ['simulator', 'a', 'b'] as const;

/** The variables of every process, with secrets that a search never needs to hide. */
export function environmentOf(chance: Chance, database: LabDatabase, home: string): Record<string, string> {
  const key = () => chance.bytes(32).toString('base64');
  const providers = SLOTS.flatMap((name) =>
    Object.entries({
      URL: `http://127.0.0.1:${PORTS.simulator}/${name}`,
      CLIENT_ID: `lab-${name}`,
      CLIENT_SECRET: chance.bytes(16).toString('hex'),
      PIX_KEY: chance.uuid(),
      CALLBACK_SECRET: chance.bytes(16).toString('hex'),
    }).map(([field, value]) => [`PROVIDER_${name.toUpperCase()}_${field}`, value]),
  );
  return {
    GATEWAY_ENVIRONMENT: 'sandbox',
    DATABASE_URL: database.url,
    DATABASE_POOL_SIZE: '10',
    TEMPORAL_ADDRESS: '127.0.0.1:11005',
    TEMPORAL_NAMESPACE: 'lab',
    GATEWAY_SEALING_KEYS: `k1:${key()}`,
    GATEWAY_HASH_KEY: key(),
    GATEWAY_AUDIT_KEY: key(),
    GATEWAY_AUDIT_SEALS_DIR: join(home, 'audit-seals'),
    LOG_LEVEL: 'silent',
    API_PORT: String(PORTS.api),
    INGRESS_PORT: String(PORTS.ingress),
    WORKER_HEALTH_PORT: String(PORTS.health),
    SIMULATOR_PORT: String(PORTS.simulator),
    SIMULATOR_STATE_DIR: join(home, 'simulator'),
    SIMULATOR_CALLBACK_URL: `http://127.0.0.1:${PORTS.ingress}`,
    SIMULATOR_CONTROL_URL: `http://127.0.0.1:${PORTS.simulator}`,
    ...Object.fromEntries(providers),
  };
}

const logger = pino({ level: process.env['LAB_LOG'] ?? 'silent' });

/** A client of the database under a process's role. Connections stay open however much time passes. */
function openDatabase(lab: LabDatabase, role: Role, poolSize = 10): Database {
  const database = createDatabase({
    url: lab.urlOfRole(role),
    poolSize,
    connectTimeoutMs: 2_000,
    statementTimeoutMs: 20_000,
  });
  poolOf(database).options.idleTimeoutMillis = 0;
  return database;
}

/** The clients of this process: making them anew for each run would take longer than the run. */
export interface Databases {
  readonly api: Database;
  readonly ingress: Database;
  readonly worker: Database;
  readonly batch: Database;
  readonly command: Database;
}

export function openDatabases(lab: LabDatabase): Databases {
  return {
    api: openDatabase(lab, 'gateway_api'),
    ingress: openDatabase(lab, 'gateway_ingress'),
    worker: openDatabase(lab, 'gateway_worker'),
    batch: openDatabase(lab, 'gateway_worker', 4),
    command: openDatabase(lab, 'gateway_command'),
  };
}

export class LabGateway {
  #worker: { readonly process: LabProcess; readonly attempts: MemoryAttempts; close(): Promise<void> } | null = null;
  #api = new LabProcess('api');
  readonly #ingress = new LabProcess('ingress');
  #closeSimulator: () => Promise<void> = () => Promise.resolve();
  readonly sealer: Sealer;

  private constructor(
    private readonly environment: Readonly<Record<string, string>>,
    readonly databases: Databases,
    private readonly temporal: LabTemporal,
    private readonly home: string,
    private readonly commandUrl: string,
  ) {
    this.sealer = new Sealer(openKeys(readWorkerConfig(environment).keys, databases.worker));
  }

  /** Starts every process. */
  static async start(
    chance: Chance,
    lab: LabDatabase,
    databases: Databases,
    temporal: LabTemporal,
  ): Promise<LabGateway> {
    const home = mkdtempSync(join(tmpdir(), 'gateway-lab-'));
    const environment = environmentOf(chance, lab, home);
    const gateway = new LabGateway(environment, databases, temporal, home, lab.urlOfRole('gateway_command'));
    const simulator = await startSimulator(readSimulatorConfig(environment), logger);
    gateway.#closeSimulator = () => simulator.close();
    await gateway.startApi();
    await gateway.#startIngress();
    gateway.startWorker();
    return gateway;
  }

  /** The `gateway` command: its answer. Throws with what it printed. */
  async command(...args: string[]): Promise<Record<string, unknown>> {
    const environment = { ...this.environment, DATABASE_URL: this.commandUrl };
    const { code, stdout, stderr } = await gatewayInProcess(environment)(args);
    if (code !== 0) throw new Error(`gateway ${args.join(' ')} ended with ${code}: ${stderr}`);
    return JSON.parse(stdout) as Record<string, unknown>;
  }

  get isWorkerThere(): boolean {
    return this.#worker !== null;
  }

  async startApi(): Promise<void> {
    this.#api = new LabProcess('api');
    const config = readApiConfig(this.environment);
    const database = this.databases.api;
    const sealer = new Sealer(openKeys(config.keys, database));
    const shared = {
      database,
      sealer,
      temporal: this.temporal.client().workflow,
      deadlines: DEFAULT_DEADLINES,
      clock: () => new Date(),
      logger,
    };
    const always = () => Promise.resolve();
    const app = createApp({
      environment: 'sandbox',
      docsUrl: config.GATEWAY_DOCS_URL,
      routes: ROUTES,
      handlers: createHandlers({
        ...shared,
        steering: null,
        providerTraits: accountTraits(config.dialects, config.accountLimits),
        openApi: () => '',
      }),
      playerLimits: playerLimits(config.hourlyLimits),
      reads: READS,
      database,
      sealer,
      edge: undefined,
      health: { serving: always, postgres: always, keys: always, temporal: always },
      reference: undefined,
      nowMs: Date.now,
      log: logger,
    });
    await this.#api.run(() =>
      startApi(app, { host: '127.0.0.1', port: PORTS.api, docsUrl: config.GATEWAY_DOCS_URL }),
    );
  }

  /** The api is killed: what it was doing is answered to nobody. */
  killApi(): void {
    this.#api.kill();
  }

  async #startIngress(): Promise<void> {
    const config = readIngressConfig(this.environment);
    const database = this.databases.ingress;
    await this.#ingress.run(async () => {
      const app = createIngress({
        database,
        temporal: this.temporal.client().workflow,
        sealer: new Sealer(openKeys(config.keys, database)),
        deadlines: DEFAULT_DEADLINES,
        clock: () => new Date(),
        logger,
        readers: createCallbackReaders(config.callbacks, {}),
        continuesTraces: false,
        trustedProxies: config.TRUSTED_PROXIES,
        isReady: () => Promise.resolve(true),
        passedOn: new PassedOn(database, logger),
      });
      await startServer(app, { host: '127.0.0.1', port: PORTS.ingress, bodyLimitBytes: CALLBACK_LIMIT_BYTES, refusalOf });
    });
  }

  /** A worker of every queue. */
  startWorker(): void {
    const process = new LabProcess('worker');
    process.run(() => {
      const config = readWorkerConfig(this.environment);
      const { worker: database, batch: batchDatabase } = this.databases;
      const client = this.temporal.client();
      const keys = openKeys(config.keys, database);
      const sealer = new Sealer(keys);
      const providers = createProviders(config.providers, {});
      const egressRules = { environment: 'sandbox', sandboxNetworks: new BlockList() } as const;
      const agent = createEgressAgent(egressRules);
      const { activities, attempts } = createActivities({
        database,
        batchDatabase,
        openWorkflows: openWorkflows(client, batchDatabase, sealer),
        histories: { erase: () => Promise.resolve() } as never,
        notifyDeposit: depositNotices(client),
        notifyWithdrawal: withdrawalNotices(client),
        startDelivery: deliveryStarts(client),
        sealWitness: null,
        sealer,
        providers,
        webhookAgent: agent,
        egressRules,
        environment: 'sandbox',
        rules: createRulesEngine({ database, sealer }),
        servesWebhooks: true,
        logger,
        clock: new DatabaseClock(batchDatabase).nowMs,
      });
      const steps = Object.keys(activities.payments);
      const serving = (offered: object): Serving => ({ process, steps, activities: offered as Record<string, Step> });
      this.temporal.serve(
        new Map<TaskQueue, Serving>([
          ['payments', serving(activities.payments)],
          ['rules', serving(activities.rules)],
          ['webhooks', serving(activities.webhooks)],
          ...ALL_PROVIDER_QUEUES.map((queue) => [queue, serving(activities.providers)] as const),
        ]),
      );
      this.#worker = {
        process,
        attempts,
        close: async () => {
          await Promise.all([providers.close(), agent.destroy()]);
        },
      };
    });
  }

  /** Ends the worker between two steps of anything: what it was doing is lost. */
  killWorker(): void {
    this.#worker?.process.kill();
    this.#worker = null;
    this.temporal.serve(new Map());
  }

  /** Takes what is due out of the outbox, as the worker does all the time. */
  async emptyOutbox(): Promise<void> {
    const worker = this.#worker;
    if (worker === null) return;
    const { process, attempts } = worker;
    await process.run(async () => {
      try {
        const limit = Math.min(EVENTS_PER_LOOK, attempts.free);
        const except = attempts.fullOperations;
        const taken = await takeDue(this.databases.worker, { limit, since: null, except });
        for (const event of taken) attempts.deliver(event);
      } catch {
        // The next look finds it.
      }
    });
  }

  async close(): Promise<void> {
    this.killWorker();
    this.#api.kill();
    this.#ingress.kill();
    await this.#closeSimulator().catch(() => undefined);
    rmSync(this.home, { recursive: true, force: true });
  }
}
