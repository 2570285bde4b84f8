// The production shape as processes on this machine: Temporal's four roles on PostgreSQL, api and ingress nodes behind
// a TLS edge with client certificates, the panel, a worker per task queue. In the sandbox environment, with the
// provider simulator and the demo operator.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { deployDatabase } from '../../prisma/deploy.js';
import { Failure } from '../../tools/bootstrap/failure.mjs';
import { step } from '../../tools/bootstrap/progress.mjs';
import { inRoot } from '../../tools/bootstrap/root.mjs';
import { allOrFirstFailure } from '../../tools/processes/all-or-first-failure.js';
import { requireFreePorts } from '../../tools/processes/ports.js';
import { ProcessRegistry } from '../../tools/processes/registry.js';
import type { Service } from '../../tools/processes/service.js';
import { ensureDatabase, postgresUrl, preparePostgres } from '../../tools/servers/postgres.js';
import { letRolesSignIn, limitRoles, type UrlOfRole, urlsOfRoles } from '../../tools/servers/postgres-roles.js';
import type { PostgresServer } from '../../tools/servers/postgres.js';
import { ensureNamespace } from '../../tools/servers/search-attributes.js';
import { resolveNginx } from './nginx.js';
import { resolveTemporalServer } from './temporal-server.js';
import type { Environment } from '../../tools/bootstrap/programs.mjs';
import { panelUrlOf, stackEnvironment } from '../../tools/stack/environment.js';
import { writePrivateJson } from '../../tools/stack/files.js';
import { gatewayCommand } from '../../tools/stack/gateway-command.js';
import type { CommandResult } from '../../tools/stack/gateway-command.js';
import { setAsideLastLogs } from '../../tools/stack/logs.js';
import { pathsBelow } from '../../tools/stack/paths.js';
import type { ProgramName } from '../../tools/servers/programs.js';
import { ensureSandbox } from '../../tools/stack/sandbox.js';
import type { Sandbox } from '../../tools/stack/sandbox.js';
import { ensureSecrets } from '../../tools/stack/secrets.js';
import type { StackSecrets } from '../../tools/stack/secrets.js';
import { gatewayService } from '../../tools/stack/services.js';
import { EDGE_FILES } from '../../cli/certificates/server.js';
import {
  behindEdge,
  CLIENT_ADDRESS_HEADER,
  CLIENT_OPERATION_HEADER,
  ensureServerCertificate,
  prepareEdge,
} from './edge.js';
import type { Edge } from './edge.js';
import { clusterPorts, metricsTargets } from './settings.js';
import type { ClusterSettings, FrontNode, ServingNode, WorkerNode } from './settings.js';
import { addressOf, deployTemporalSchema, startOrder, temporalServices, temporalUiService } from './temporal.js';
import type { TemporalDatabases } from './temporal.js';
import {
  callerOf,
  callerVariables,
  makeAccess,
  readingNginx,
  serverFor,
  type TemporalAccess,
} from './temporal-access.js';

export const CLUSTER_PATHS = pathsBelow(inRoot('var', 'cluster'));
/** For Prometheus' file_sd_configs. */
const METRICS_TARGETS = join(CLUSTER_PATHS.folder, 'metrics-targets.json');
const AUTHORITY = join(CLUSTER_PATHS.folder, 'client-authority');
const CLIENT = join(CLUSTER_PATHS.folder, 'demo-client');
const NAMESPACE = 'default';
// Each process keeps its own pool; PostgreSQL also serves Temporal's roles.
const POOL_SIZE = '12';
const INGRESS_POOL_SIZE = '4';
const MAX_CONNECTIONS = '300';
const BUILD = 'build-1';
const WORKERS_WAIT_SECONDS = '60';

export interface RunningCluster {
  readonly sandbox: Sandbox;
  readonly demoOperatorUrl: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly gateway: (args: string[]) => Promise<CommandResult>;
  readonly postgres: PostgresServer;
}

/** What a drill wants of a start; `npm run cluster` alone wants none of it. */
export interface StartOptions {
  /** Further settings of PostgreSQL. */
  readonly postgresSettings?: Readonly<Record<string, string>>;
  /** PostgreSQL archives what it writes, for backups. */
  readonly archive?: boolean;
  /** With PostgreSQL and Temporal up, and before any api or worker is. */
  readonly beforeGateway?: (gateway: RunningCluster['gateway']) => Promise<void>;
}

export class Cluster {
  readonly #settings: ClusterSettings;
  readonly #environment: Environment;
  #registry: ProcessRegistry | undefined;
  /** In the order of their start; ended in the reverse order, each group at once. */
  readonly #groups: Service[][] = [];
  readonly #fronts = new Map<FrontNode, readonly Service[]>();
  #edge: Edge | undefined;
  #variables: Record<string, string> = {};
  #urlOfRole: UrlOfRole | undefined;
  #access: TemporalAccess | undefined;

  constructor(settings: ClusterSettings, environment: Environment) {
    this.#settings = settings;
    this.#environment = environment;
  }

  /** Whether anything was started. */
  get hasStarted(): boolean {
    return this.#registry !== undefined;
  }

  /**
   * Starts everything and writes var/cluster/sandbox.json. Throws a {@link Failure} when it cannot; `stop` then cleans
   * up.
   */
  async start(options: StartOptions = {}): Promise<RunningCluster> {
    const settings = this.#settings;
    const [programs, nginx] = [await resolveTemporalServer(this.#environment), await resolveNginx(this.#environment)];
    await requireFreePorts(clusterPorts(settings));
    setAsideLastLogs(CLUSTER_PATHS.logs);
    const secrets = ensureSecrets(CLUSTER_PATHS.secrets, CLUSTER_PATHS.postgres);
    const registry = (this.#registry = new ProcessRegistry(CLUSTER_PATHS.processes));

    const { postgres, databaseUrl, temporalDatabases } = await this.#startPostgres(secrets, registry, options);
    await step("Temporal's schema", () =>
      deployTemporalSchema(programs, temporalDatabases, CLUSTER_PATHS.logFileOf('temporal-schema')),
    );
    const temporalFolder = join(CLUSTER_PATHS.folder, 'temporal');
    const access = (this.#access = await makeAccess(join(temporalFolder, 'access')));
    const guard = { access, internalFrontend: settings.internalFrontend };
    const roles = temporalServices(
      programs,
      settings,
      temporalDatabases,
      temporalFolder,
      CLUSTER_PATHS.logFileOf,
      registry,
      guard,
    );
    await step("Temporal's four roles", async () => {
      for (const group of startOrder(roles)) await this.#startGroup(group);
    });
    const temporalAddress = addressOf(settings);
    await ensureNamespace(serverFor(access, 'setup', temporalAddress), NAMESPACE);
    await step("Temporal's UI", () =>
      this.#startGroup([
        readingNginx(
          nginx.path,
          access,
          { port: settings.temporalReadPort, address: temporalAddress, folder: join(temporalFolder, 'nginx') },
          CLUSTER_PATHS.logFileOf('temporal-access'),
          registry,
        ),
        temporalUiService(programs, settings, temporalFolder, CLUSTER_PATHS.logFileOf('temporal-ui'), registry),
      ]),
    );

    // Those of the command; every process has its own token.
    this.#variables = {
      ...this.#environmentOf(secrets, databaseUrl, temporalAddress),
      ...callerVariables(access, 'command'),
    };
    const gateway = gatewayCommand(this.#variables);
    await options.beforeGateway?.(gateway);
    await ensureServerCertificate(this.#edgeFiles().folder);
    await step('simulator, workers', () =>
      this.#startGroup([this.#simulator(registry), ...this.#workerServices(settings.workers, registry)]),
    );
    await answerOf(gateway, ['deploy', 'promote', BUILD, '--wait', WORKERS_WAIT_SECONDS, '--as', 'cluster']);
    await step(settings.fronts.flatMap(({ api, ingress }) => [api.name, ingress.name]).join(', '), () =>
      this.#startGroup(settings.fronts.flatMap((front) => this.#frontServices(front, registry))),
    );
    await step('panel', () => this.#startGroup([this.#panelService(registry)]));
    if (!existsSync(AUTHORITY))
      await answerOf(gateway, ['cert', 'authority', '--environment', 'sandbox', '--authority', AUTHORITY]);
    this.#edge = await prepareEdge(
      nginx.path,
      { ...settings, behind: settings.fronts.map(behindEdge), ingressTls: true },
      this.#edgeFiles(),
      this.#variables['GATEWAY_DOCS_URL'] as string,
      registry,
    );
    const edge = this.#edge;
    await step(`TLS edge (${nginx.origin})`, () => this.#startGroup([edge.service]));

    const sandbox = await this.#ensureSandbox(databaseUrl, gateway, edge);
    await step('demo operator', () => this.#startGroup([this.#demoOperator(registry)]));
    writePrivateJson(METRICS_TARGETS, metricsTargets(settings));
    writePrivateJson(CLUSTER_PATHS.stack, {
      pid: process.pid,
      addresses: { base_url: sandbox.base_url },
      environment: { ...this.#variables, TEMPORAL_UI_URL: sandbox.temporal_ui_url },
    });
    return {
      sandbox,
      demoOperatorUrl: `http://127.0.0.1:${settings.demoOperatorPort}`,
      environment: this.#variables,
      gateway,
      postgres,
    };
  }

  /**
   * Restarts the api and ingress nodes, a pair after the other: the edge stops sending to a node before it ends, and
   * sends again once it is ready.
   */
  async rollFronts(): Promise<void> {
    const { fronts } = this.#settings;
    if (fronts.length < 2) throw new Failure('a rolling restart needs two api nodes (GATEWAY_CLUSTER_API_NODES)');
    for (const front of fronts) {
      this.#edge?.direct(fronts.filter((other) => other !== front).map(behindEdge));
      await step(`restarting ${front.api.name}, ${front.ingress.name}`, async () => {
        // The edge's old workers still send what they had accepted.
        await new Promise((resolve) => setTimeout(resolve, 500));
        await Promise.all((this.#fronts.get(front) ?? []).map((service) => service.stop()));
        await this.#startGroup(this.#frontServices(front, this.#registry as ProcessRegistry));
      });
      this.#edge?.direct(fronts.map(behindEdge));
    }
  }

  /** Stops everything in good order: clients before servers. */
  async stop(): Promise<void> {
    for (const group of [...this.#groups].reverse()) await Promise.all(group.map((service) => service.stop()));
    this.#registry?.close();
  }

  /** Ends everything at once. */
  kill(): void {
    for (const service of this.#groups.flat()) void service.kill();
    this.#registry?.close();
  }

  async #startGroup(services: readonly Service[]): Promise<void> {
    this.#groups.push([...services]);
    await allOrFirstFailure(services.map((service) => service.start()));
  }

  async #startPostgres(
    secrets: StackSecrets,
    registry: ProcessRegistry,
    { archive, postgresSettings }: StartOptions,
  ): Promise<{ postgres: PostgresServer; databaseUrl: string; temporalDatabases: TemporalDatabases }> {
    const port = this.#settings.postgresPort;
    const settings = { max_connections: MAX_CONNECTIONS, ...postgresSettings };
    const server = preparePostgres(
      {
        environment: this.#environment,
        home: CLUSTER_PATHS.postgres,
        port,
        superuserPassword: secrets.postgres_superuser_password,
        logFile: CLUSTER_PATHS.logFileOf('postgres'),
        settings,
        archive: archive === true,
      },
      registry,
    );
    await step(server.description, () => this.#startGroup([server.service]));
    const database = async (name: string) => {
      await ensureDatabase(server.superuserUrl, name, secrets.postgres_password);
      return { name, password: secrets.postgres_password };
    };
    const [main, visibility] = [await database('temporal'), await database('temporal_visibility')];
    await database('gateway');
    await letRolesSignIn(server.superuserUrl, secrets.postgres_password);
    await limitRoles(server.superuserUrl, 'gateway');
    const ownerUrl = postgresUrl(port, 'gateway', secrets.postgres_password, 'gateway');
    await deployDatabase(ownerUrl);
    this.#urlOfRole = urlsOfRoles(ownerUrl, secrets.postgres_password);
    const databaseUrl = this.#urlOfRole('gateway_command');
    return { postgres: server, databaseUrl, temporalDatabases: { port, main, visibility } };
  }

  #environmentOf(secrets: StackSecrets, databaseUrl: string, temporalAddress: string): Record<string, string> {
    const { fronts, edgeIngressPort, panel, simulatorPort, demoOperatorPort, workers, logLevel } = this.#settings;
    const [firstFront, firstWorker] = [fronts[0] as FrontNode, workers[0] as { healthPort: number }];
    const ports = {
      api: firstFront.api.port,
      ingress: edgeIngressPort,
      panel: panel.port,
      simulator: simulatorPort,
      demoOperator: demoOperatorPort,
      workerHealth: firstWorker.healthPort,
    };
    return {
      ...stackEnvironment(
        { ports, temporalNamespace: NAMESPACE, docsUrl: undefined, logLevel },
        { databaseUrl, temporalAddress },
        secrets,
        CLUSTER_PATHS,
      ),
      DATABASE_POOL_SIZE: POOL_SIZE,
      TEMPORAL_UI_URL: `http://127.0.0.1:${this.#settings.temporalUiPort}`,
      TRUSTED_PROXIES: '127.0.0.1',
      TRUSTED_PROXY_HEADER: CLIENT_ADDRESS_HEADER,
      TRUSTED_CERTIFICATE_HEADER: CLIENT_OPERATION_HEADER,
    };
  }

  #simulator(registry: ProcessRegistry): Service {
    return this.#service(registry, 'simulator', 'sandbox/simulator', this.#settings.simulatorPort, {
      // It calls back through the edge, whose certificate no public authority signed.
      SIMULATOR_CALLBACK_URL: `https://127.0.0.1:${this.#settings.edgeIngressPort}`,
      NODE_EXTRA_CA_CERTS: join(this.#edgeFiles().folder, EDGE_FILES.certificate),
    });
  }

  #workerServices(nodes: readonly WorkerNode[], registry: ProcessRegistry): Service[] {
    return nodes.map(({ name, queue, healthPort, sdkMetricsPort }) =>
      this.#service(registry, name, 'worker', healthPort, {
        WORKER_TASK_QUEUES: queue,
        WORKER_BUILD_ID: BUILD,
        WORKER_HEALTH_PORT: String(healthPort),
        WORKER_SDK_METRICS_PORT: String(sdkMetricsPort),
      }),
    );
  }

  #frontServices(front: FrontNode, registry: ProcessRegistry): readonly Service[] {
    const services = [
      this.#servingService(registry, 'api', front.api),
      this.#servingService(registry, 'ingress', front.ingress, { DATABASE_POOL_SIZE: INGRESS_POOL_SIZE }),
    ];
    this.#fronts.set(front, services);
    return services;
  }

  #panelService(registry: ProcessRegistry): Service {
    return this.#servingService(registry, 'panel', this.#settings.panel);
  }

  #demoOperator(registry: ProcessRegistry): Service {
    return this.#service(registry, 'demo-operator', 'sandbox/demo-operator', this.#settings.demoOperatorPort);
  }

  #servingService(
    registry: ProcessRegistry,
    program: 'api' | 'ingress' | 'panel',
    { name, port, metricsPort }: ServingNode,
    own: Readonly<Record<string, string>> = {},
  ): Service {
    const prefix = program.toUpperCase();
    const ports = { [`${prefix}_PORT`]: String(port), [`${prefix}_METRICS_PORT`]: String(metricsPort) };
    return this.#service(registry, name, program, port, { ...ports, ...own });
  }

  #service(
    registry: ProcessRegistry,
    name: string,
    program: ProgramName,
    healthPort: number,
    own: Readonly<Record<string, string>> = {},
  ): Service {
    const caller = callerOf(program, own['WORKER_TASK_QUEUES']);
    const ofCaller = caller === undefined ? {} : callerVariables(this.#access as TemporalAccess, caller);
    return gatewayService(
      {
        name,
        program,
        healthPort,
        environment: { ...this.#variables, ...ofCaller, ...own },
        urlOfRole: this.#urlOfRole,
        logFile: CLUSTER_PATHS.logFileOf(name),
      },
      registry,
    );
  }

  #edgeFiles() {
    return {
      folder: join(CLUSTER_PATHS.folder, 'edge'),
      clientAuthority: join(AUTHORITY, 'authority.crt.pem'),
      revokedClients: join(AUTHORITY, 'revoked.crl.pem'),
      logFileOf: CLUSTER_PATHS.logFileOf,
    };
  }

  /** The demo operation reaches the gateway as operators do in production: over TLS, with its certificate. */
  async #ensureSandbox(databaseUrl: string, gateway: RunningCluster['gateway'], edge: Edge): Promise<Sandbox> {
    const { edgePort, panel, temporalUiPort, demoOperatorPort } = this.#settings;
    const tls = {
      certificate_file: join(CLIENT, 'client.crt.pem'),
      key_file: join(CLIENT, 'client.key.pem'),
      authorities_file: edge.certificateFile,
    };
    const places = {
      file: CLUSTER_PATHS.sandbox,
      base_url: `https://127.0.0.1:${edgePort}/v1`,
      panel_url: panelUrlOf(panel.port),
      temporal_ui_url: `http://127.0.0.1:${temporalUiPort}`,
      webhookUrl: `http://127.0.0.1:${demoOperatorPort}/webhooks`,
      tls,
    };
    const sandbox = await ensureSandbox(places, databaseUrl, gateway);
    if (existsSync(tls.certificate_file)) return sandbox;
    // A start that was cut can leave a key without its certificate; that key was never of use.
    rmSync(tls.key_file, { force: true });
    await answerOf(gateway, [
      'cert',
      'issue',
      '--operation',
      sandbox.operation.operation_id,
      '--authority',
      AUTHORITY,
      '--out',
      CLIENT,
      '--as',
      'cluster',
    ]);
    return sandbox;
  }
}

/** What the command answers. Throws a {@link Failure} when it fails. */
export async function answerOf(gateway: RunningCluster['gateway'], args: string[]): Promise<unknown> {
  const { code, stdout, stderr } = await gateway(args);
  if (code !== 0) throw new Failure(`"gateway ${args.join(' ')}" failed: ${stderr.trim()} ${stdout.slice(0, 500)}`);
  return JSON.parse(stdout);
}
