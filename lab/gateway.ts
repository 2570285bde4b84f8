// The gateway of a run, whole: its api, ingress and worker as they are put together in their own processes, and the
// simulated provider; all in this process, over the run's network, clock and Temporal.
import { BlockList } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createActivities } from '../activities/index.js';
import { createRulesEngine } from '../activities/rules.js';
import { createEgressAgent } from '../activities/webhooks/egress.js';
import type { MemoryAttempts } from '../activities/webhooks/memory-attempts.js';
import { createApp, startServer as startApi } from '../api/app.js';
import { createHandlers } from '../api/routes/index.js';
import { DEFAULT_DEADLINES } from '../platform/temporal/calls.js';
import { playerLimits } from '../api/routes/creation-checks.js';
import { READS } from '../api/routes/reads.js';
import { ROUTES } from '../contract/http/routes.js';
import { ALL_PROVIDER_QUEUES, type TaskQueue } from '../contract/temporal/workers.js';
import type { AccountName } from '../domain/provider-accounts.js';
import type { SweptPart } from '../domain/receipts.js';
import { CALLBACK_LIMIT_BYTES, createIngress, refusalOf } from '../ingress/app.js';
import { PassedOn } from '../ingress/notices.js';
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
import { deliveryStarts, listNotices, openWorkflows } from '../worker/temporal-calls.js';
import type { LabDatabase } from './database.js';
import type { Chance } from './machine/chance.js';
import type { Dialects } from './world/mix.js';
import { machine } from './machine/machine.js';
import { LabProcess, outsideProcesses, presentProcess } from './machine/processes.js';
import type { Serving, Step } from './temporal/host.js';
import type { LabTemporal } from './temporal/server.js';

const PORTS = { api: 11_001, ingress: 11_002, simulator: 11_003, health: 11_004 } as const;
export const LAB_PORTS = PORTS;
const EVENTS_PER_LOOK = 20;
/** A worker that was replaced ends so long after it goes on. */
const LINGERS_MS = 60_000;
const SLOTS = ['simulator', 'a', 'b'] as const;

/** The variables of every process, with secrets that a search never needs to hide. */
function environmentOf(
  chance: Chance,
  database: LabDatabase,
  dialects: Dialects,
  home: string,
): Record<string, string> {
  const key = () => chance.bytes(32).toString('base64');
  const providers = SLOTS.flatMap((name) => {
    const url = `http://127.0.0.1:${PORTS.simulator}/${name}`;
    const settings = {
      DIALECT: dialects[name],
      URL: url,
      CLIENT_SECRET: chance.bytes(16).toString('hex'),
      PIX_KEY: chance.uuid(),
      CALLBACK_SECRET: chance.bytes(16).toString('hex'),
      ...(dialects[name] === 'woovi'
        ? { CALLBACK_KEYS_URL: `${url}/api/v1/webhook/public-keys` }
        : { CLIENT_ID: `lab-${name}` }),
    };
    return Object.entries(settings).map(([field, value]) => [`PROVIDER_${name.toUpperCase()}_${field}`, value]);
  });
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
  const url = lab.urlOfRole(role);
  const database = createDatabase({ url, poolSize, connectTimeoutMs: 2_000, statementTimeoutMs: 20_000 });
  poolOf(database).options.idleTimeoutMillis = 0;
  return database;
}

/** Cuts their connections, as the end of a process does: what was not committed is undone before anything goes on. */
function cut(lab: LabDatabase, databases: readonly Database[]): void {
  const clients = databases.flatMap((database) => {
    const { _clients: own } = poolOf(database) as unknown as { readonly _clients: readonly Session[] };
    return own;
  });
  for (const { connection } of clients) connection.stream.destroy();
  void machine().statements.pass(() => lab.endSessions(clients.flatMap(({ processID }) => processID ?? [])));
}

/** A connection to PostgreSQL, as the driver keeps it. */
interface Session {
  readonly processID: number | null;
  readonly connection: { readonly stream: { destroy(): void } };
}

/** One life of a process, with what ends with it. */
interface Life {
  readonly process: LabProcess;
  readonly databases: readonly Database[];
}

export class LabGateway {
  #worker: (Life & { readonly attempts: MemoryAttempts }) | null = null;
  #api: Life | null = null;
  #ingress: Life | null = null;
  /** Workers that another one has replaced, and that still do what they had begun. */
  readonly #earlierWorkers: Life[] = [];
  #lists: (account: AccountName) => readonly SweptPart[] = () => [];
  #closeSimulator: () => Promise<void> = () => Promise.resolve();
  /** Of the `gateway` command. */
  readonly database: Database;

  private constructor(
    private readonly environment: Readonly<Record<string, string>>,
    private readonly lab: LabDatabase,
    private readonly temporal: LabTemporal,
    readonly home: string,
  ) {
    this.database = openDatabase(lab, 'gateway_command');
  }

  /** Starts every process. */
  static async start(chance: Chance, lab: LabDatabase, temporal: LabTemporal, dialects: Dialects): Promise<LabGateway> {
    const home = mkdtempSync(join(tmpdir(), 'gateway-lab-'));
    const gateway = new LabGateway(environmentOf(chance, lab, dialects, home), lab, temporal, home);
    const simulator = await startSimulator(readSimulatorConfig(gateway.environment), logger);
    gateway.#closeSimulator = () => simulator.close();
    await gateway.startApi();
    await gateway.#startIngress();
    gateway.startWorker();
    return gateway;
  }

  /** The `gateway` command: its answer. Throws with what it printed. */
  async command(...args: string[]): Promise<Record<string, unknown>> {
    const environment = { ...this.environment, DATABASE_URL: this.lab.urlOfRole('gateway_command') };
    // A client of its own would cost more than the command.
    const open = { database: this.database, temporal: this.temporal.client() };
    const { code, stdout, stderr } = await gatewayInProcess(environment, open)(args);
    if (code !== 0) throw new Error(`gateway ${args.join(' ')} ended with ${code}: ${stderr}`);
    return JSON.parse(stdout) as Record<string, unknown>;
  }

  /** Whether the account has that list: only then it is swept. */
  isListed(account: AccountName, part: SweptPart): boolean {
    return this.#lists(account).includes(part);
  }

  get isWorkerThere(): boolean {
    return this.#worker !== null;
  }

  get isApiThere(): boolean {
    return this.#api !== null;
  }

  /** Those that are there now. */
  get processes(): readonly LabProcess[] {
    return [this.#worker, this.#api, this.#ingress].flatMap((life) => (life === null ? [] : [life.process]));
  }

  /** Every connection to PostgreSQL ends at once, as when it is restarted. */
  cutConnections(): void {
    const lives = [this.#worker, this.#api, this.#ingress, ...this.#earlierWorkers];
    const databases = lives.flatMap((life) => life?.databases ?? []);
    machine().clock.after(0, () => cut(this.lab, databases));
  }

  /** Another worker takes over. The earlier one stands still for so long, goes on with what it has, and then ends. */
  replaceWorker(frozenMs: number): void {
    const { clock } = machine();
    const earlier = this.#worker;
    if (earlier !== null) {
      earlier.process.frozenUntilMs = clock.nowMs + frozenMs;
      this.#earlierWorkers.push(earlier);
      outsideProcesses(() => clock.after(frozenMs + LINGERS_MS, () => kill(this.lab, earlier)));
    }
    this.startWorker();
  }

  /** Whether the worker is what runs now. */
  get isWorkerRunning(): boolean {
    return this.#worker !== null && presentProcess() === this.#worker.process;
  }

  async startApi(): Promise<void> {
    const process = new LabProcess('api');
    const config = readApiConfig(this.environment);
    const database = openDatabase(this.lab, 'gateway_api');
    this.#api = { process, databases: [database] };
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
    await process.run(() => startApi(app, { host: '127.0.0.1', port: PORTS.api, docsUrl: config.GATEWAY_DOCS_URL }));
  }

  /** The api is killed: what it was doing is answered to nobody. */
  killApi(): void {
    kill(this.lab, this.#api);
    this.#api = null;
  }

  async #startIngress(): Promise<void> {
    const config = readIngressConfig(this.environment);
    const database = openDatabase(this.lab, 'gateway_ingress');
    const ingress = new LabProcess('ingress');
    this.#ingress = { process: ingress, databases: [database] };
    await ingress.run(async () => {
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
      await startServer(app, {
        host: '127.0.0.1',
        port: PORTS.ingress,
        bodyLimitBytes: CALLBACK_LIMIT_BYTES,
        refusalOf,
      });
    });
  }

  /** A worker of every queue. */
  startWorker(): void {
    const process = new LabProcess('worker');
    process.run(() => {
      const config = readWorkerConfig(this.environment);
      const database = openDatabase(this.lab, 'gateway_worker');
      const batchDatabase = openDatabase(this.lab, 'gateway_worker', 4);
      const client = this.temporal.client();
      const keys = openKeys(config.keys, database);
      const sealer = new Sealer(keys);
      const providers = createProviders(config.providers, {});
      this.#lists = (account) => providers(account).lists;
      const egressRules = { environment: 'sandbox', sandboxNetworks: new BlockList() } as const;
      const agent = createEgressAgent(egressRules);
      const { activities, attempts } = createActivities({
        database,
        batchDatabase,
        openWorkflows: openWorkflows(client, batchDatabase, sealer),
        histories: { erase: () => Promise.resolve() } as never,
        ...listNotices(client),
        startDelivery: deliveryStarts(client),
        sealWitness: null,
        sealer,
        providers,
        noteExchange: () => undefined,
        webhookAgent: agent,
        egressRules,
        environment: 'sandbox',
        rules: createRulesEngine({ database, sealer }),
        servesWebhooks: true,
        logger,
        clock: new DatabaseClock(batchDatabase).nowMs,
      });
      // What may run in a workflow’s own task: the workflow code is loaded once for every queue.
      const steps = Object.keys({ ...activities.payments, ...activities.webhooks });
      const serving = (offered: object): Serving => ({ process, steps, activities: offered as Record<string, Step> });
      this.temporal.serve(
        new Map<TaskQueue, Serving>([
          ['payments', serving(activities.payments)],
          ['rules', serving(activities.rules)],
          ['webhooks', serving(activities.webhooks)],
          ...ALL_PROVIDER_QUEUES.map((queue) => [queue, serving(activities.providers)] as const),
        ]),
      );
      this.#worker = { process, databases: [database, batchDatabase], attempts };
    });
  }

  /** Ends the worker between two steps of anything: what it was doing is lost. */
  killWorker(): void {
    kill(this.lab, this.#worker);
    this.#worker = null;
    this.temporal.serve(new Map());
  }

  /** Takes what is due out of the outbox, as the worker does all the time. */
  async emptyOutbox(): Promise<void> {
    const worker = this.#worker;
    if (worker === null) return;
    const { process, attempts, databases } = worker;
    await process.run(async () => {
      try {
        const limit = Math.min(EVENTS_PER_LOOK, attempts.free);
        const except = attempts.fullOperations;
        const taken = await takeDue(databases[0] as Database, { limit, since: null, except });
        for (const event of taken) attempts.deliver(event);
      } catch {
        // The next look finds it.
      }
    });
  }

  async close(): Promise<void> {
    this.killWorker();
    this.killApi();
    kill(this.lab, this.#ingress);
    for (const life of this.#earlierWorkers) if (!life.process.isDead) kill(this.lab, life);
    await this.#closeSimulator().catch(() => undefined);
    cut(this.lab, [this.database]);
    rmSync(this.home, { recursive: true, force: true });
  }
}

/** Its connections are cut once PostgreSQL has answered what was under way. */
function kill(lab: LabDatabase, life: Life | null): void {
  if (life === null) return;
  life.process.kill();
  machine().clock.after(0, () => cut(lab, life.databases));
}
