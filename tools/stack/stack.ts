// The whole embedded stack as one thing that is started and stopped.
import { Failure } from '../bootstrap/failure.mjs';
import { say, step } from '../bootstrap/progress.mjs';
import { allOrFirstFailure } from '../processes/all-or-first-failure.js';
import { requireFreePorts } from '../processes/ports.js';
import { ProcessRegistry, stopLeftovers } from '../processes/registry.js';
import type { Service } from '../processes/service.js';
import type { Environment } from '../bootstrap/programs.mjs';
import type { UrlOfRole } from '../servers/postgres-roles.js';
import { panelUrlOf, stackEnvironment } from './environment.js';
import { writePrivateJson } from './files.js';
import { gatewayCommand } from './gateway-command.js';
import type { CommandResult } from './gateway-command.js';
import { startDatabase, startTemporal } from './infrastructure.js';
import type { Stoppable } from './infrastructure.js';
import { setAsideLastLogs } from './logs.js';
import { PATHS } from './paths.js';
import { ensureSandbox } from './sandbox.js';
import type { Sandbox, SandboxPlaces } from './sandbox.js';
import { ensureSecrets } from './secrets.js';
import { gatewayServices } from './services.js';
import { neededPorts } from './settings.js';
import type { StackSettings } from './settings.js';

/** A stack that is up. */
export interface RunningStack {
  readonly sandbox: Sandbox;
  readonly demoOperatorUrl: string;
  readonly databaseUrl: string;
  readonly gateway: (args: string[]) => Promise<CommandResult>;
}

export class Stack {
  readonly #settings: StackSettings;
  readonly #environment: Environment;
  #registry: ProcessRegistry | undefined;
  /** Started one after the other; stopped in the reverse order, each group at once. */
  readonly #servers: Stoppable[] = [];
  #gateway: Service[] = [];
  #stopping: Promise<void> | undefined;

  constructor(settings: StackSettings, environment: Environment) {
    this.#settings = settings;
    this.#environment = environment;
  }

  /** Whether anything was started. */
  get hasStarted(): boolean {
    return this.#registry !== undefined;
  }

  /** Starts everything and writes var/sandbox.json. Throws a {@link Failure} when it cannot; `stop` then cleans up. */
  async start(): Promise<RunningStack> {
    await endLeftovers();
    await requireFreePorts(neededPorts(this.#settings));
    setAsideLastLogs(PATHS.logs);
    const secrets = ensureSecrets(PATHS.secrets, PATHS.postgres);
    const registry = (this.#registry = new ProcessRegistry(PATHS.processes));
    const [database, temporalAddress] = await allOrFirstFailure([
      startDatabase(this.#settings, secrets, this.#environment, registry, this.#track),
      startTemporal(this.#settings, this.#environment, registry, this.#track),
    ]);
    const servers = { databaseUrl: database.url, temporalAddress };
    const variables = stackEnvironment(this.#settings, servers, secrets, PATHS);
    const gateway = gatewayCommand(variables);
    const [sandbox] = await allOrFirstFailure([
      ensureSandbox(sandboxPlaces(this.#settings), database.url, gateway),
      this.#startGateway(variables, database.urlOfRole, registry),
    ]);
    const demoOperatorUrl = `http://127.0.0.1:${this.#settings.ports.demoOperator}`;
    const { base_url, temporal_ui_url } = sandbox;
    writePrivateJson(PATHS.stack, {
      pid: process.pid,
      addresses: { base_url, temporal_ui_url, demo_operator_url: demoOperatorUrl },
      environment: variables,
    });
    return { sandbox, demoOperatorUrl, databaseUrl: database.url, gateway };
  }

  /** Stops everything in good order: clients before servers. */
  stop(): Promise<void> {
    return (this.#stopping ??= this.#stopInOrder());
  }

  /** Ends one of the gateway's processes and starts it again. Resolves when it is ready. */
  async restart(name: string): Promise<void> {
    const service = this.#gateway.find((one) => one.name === name);
    if (service === undefined || this.#stopping) return;
    await service.stop();
    await service.start();
  }

  /** Ends everything at once. */
  kill(): void {
    for (const started of [...this.#gateway, ...this.#servers]) void started.kill();
    this.#registry?.close();
  }

  readonly #track = <Started extends Stoppable>(started: Started): Started => {
    this.#servers.push(started);
    // Stopped while this one was being prepared: it must not start.
    if (this.#stopping) throw new Failure('stopped while starting');
    return started;
  };

  async #startGateway(
    variables: Record<string, string>,
    urlOfRole: UrlOfRole | undefined,
    registry: ProcessRegistry,
  ): Promise<void> {
    if (this.#stopping) throw new Failure('stopped while starting');
    this.#gateway = gatewayServices(this.#settings, variables, urlOfRole, registry);
    await allOrFirstFailure(this.#gateway.map((service) => step(service.name, () => service.start())));
  }

  async #stopInOrder(): Promise<void> {
    const clients = this.#gateway.filter(({ name }) => ['demo-operator', 'api', 'ingress', 'panel'].includes(name));
    const workers = this.#gateway.filter((service) => !clients.includes(service));
    const groups: readonly (readonly Stoppable[])[] = [clients, workers, this.#servers];
    for (const group of groups) await Promise.all(group.map((started) => started.stop()));
    this.#registry?.close();
  }
}

function sandboxPlaces({ ports, temporalUiUrl }: StackSettings): SandboxPlaces {
  return {
    file: PATHS.sandbox,
    base_url: `http://127.0.0.1:${ports.api}/v1`,
    panel_url: panelUrlOf(ports.panel),
    temporal_ui_url: temporalUiUrl,
    webhookUrl: `http://127.0.0.1:${ports.demoOperator}/webhooks`,
  };
}

async function endLeftovers(): Promise<void> {
  const left = await stopLeftovers(PATHS.processes);
  if (left.length > 0) say(`  ! An earlier start had left ${left.join(', ')} running; ended.`);
}
