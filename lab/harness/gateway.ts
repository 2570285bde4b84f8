// A gateway of real processes over given servers: its own database, secrets and variables, the `gateway` command, and
// processes on free ports. What tests, benchmarks, the fault campaign and the searcher's real engine start.
import { gatewayInProcess } from '../../sandbox/gateway-in-process.js';
import type { GatewayCommand } from '../../sandbox/demo-operation.js';
import { findFreePort } from '../../tools/processes/ports.js';
import { ProcessRegistry } from '../../tools/processes/registry.js';
import type { UrlOfRole } from '../../tools/servers/postgres-roles.js';
import type { ProgramName } from '../../tools/servers/programs.js';
import { type ProcessSettings, stackEnvironment } from '../../tools/stack/environment.js';
import { pathsBelow } from '../../tools/stack/paths.js';
import { ensureSecrets } from '../../tools/stack/secrets.js';
import type { TestDatabase } from './database.js';
import { Node } from './node.js';

export interface ProvisionedOperation {
  readonly operation_id: string;
  readonly key_id: string;
  readonly secret: string;
  readonly webhook_secret: string;
}

/** Runs the `gateway` command and parses its JSON. Throws with its stderr when it fails. */
export type ParsedCommand = (...args: string[]) => Promise<Record<string, unknown>>;

export interface GatewayPlace {
  /** The folder of its files. */
  readonly folder: string;
  readonly ports: ProcessSettings['ports'];
  readonly temporal: { readonly address: string; readonly namespace: string };
  /** Where processes reach Temporal, if a link leads there. */
  readonly temporalLink?: string;
  readonly database: TestDatabase;
  /** How processes reach the database, if a link leads there. `program`: of that one. */
  readonly linked?: (url: string, program?: ProgramName) => string;
  /** For every process, in addition to a stack's. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly logFileOf?: (name: string) => string;
}

export class Gateway {
  /** The variables of every process, for one more process. */
  readonly variables: Readonly<Record<string, string>>;
  readonly paths: ReturnType<typeof pathsBelow>;
  /** People's own tools go past the links. */
  readonly command: GatewayCommand;
  readonly #nodes: Node[] = [];
  readonly #registry: ProcessRegistry;

  /** Nothing is started yet. */
  constructor(private readonly place: GatewayPlace) {
    const { folder, ports, temporal, temporalLink, database, linked = asIs, variables } = place;
    this.paths = pathsBelow(folder);
    this.#registry = new ProcessRegistry(this.paths.processes);
    this.variables = {
      ...stackEnvironment(
        { ports, temporalNamespace: temporal.namespace, docsUrl: undefined, logLevel: 'info' },
        { databaseUrl: linked(database.url), temporalAddress: temporalLink ?? temporal.address },
        ensureSecrets(this.paths.secrets, this.paths.postgres),
        this.paths,
      ),
      ...variables,
    };
    this.command = gatewayInProcess({
      ...process.env,
      ...this.variables,
      DATABASE_URL: database.urlOfRole('gateway_command'),
      TEMPORAL_ADDRESS: temporal.address,
    });
  }

  get nodes(): readonly Node[] {
    return this.#nodes;
  }

  readonly parsed: ParsedCommand = async (...args) => {
    const { code, stdout, stderr } = await this.command(args);
    if (code === 0) return JSON.parse(stdout) as Record<string, unknown>;
    throw Object.assign(new Error(`gateway ${args.join(' ')} ended with ${code}:\n${stderr}`), { stdout, stderr });
  };

  /** One more process of that program, not started yet. `own`: its additional variables. */
  node(name: string, program: ProgramName, port: number, own: Readonly<Record<string, string>> = {}): Node {
    const { database, linked = asIs, logFileOf = this.paths.logFileOf } = this.place;
    const urlOfRole: UrlOfRole = (role) => linked(database.urlOfRole(role), program);
    const node = new Node({
      name,
      program,
      environment: { ...this.variables, ...own },
      port,
      urlOfRole,
      logFile: logFileOf(name),
      registry: this.#registry,
    });
    this.#nodes.push(node);
    return node;
  }

  /** Starts one more process of that program on a port of its own. */
  async another(program: ProgramName, own: Readonly<Record<string, string>> = {}): Promise<Node> {
    const port = await findFreePort();
    const names = ['API_PORT', 'WORKER_HEALTH_PORT', 'SIMULATOR_PORT', 'INGRESS_PORT', 'PANEL_PORT'];
    const variables = { ...Object.fromEntries(names.map((name) => [name, String(port)])), ...own };
    const node = this.node(`${program.replaceAll('/', '-')}-${this.#nodes.length + 1}`, program, port, variables);
    await node.start();
    return node;
  }

  /** A sandbox operation at the simulator. */
  async createOperation(name: string, webhookUrl: string, ...more: string[]): Promise<ProvisionedOperation> {
    const where = ['--environment', 'sandbox', '--provider', 'simulator', '--webhook-url', webhookUrl];
    return (await this.parsed('operation', 'create', '--name', name, ...where, ...more)) as never;
  }

  async start(): Promise<void> {
    await Promise.all(this.#nodes.map((node) => node.start()));
  }

  /** Ends all processes at once. */
  async kill(): Promise<void> {
    await Promise.all(this.#nodes.map((node) => node.kill()));
    this.#registry.close();
  }
}

/** Ports of these names that nobody uses. */
export async function freePorts<Name extends string>(...names: readonly Name[]): Promise<Record<Name, number>> {
  const ports = new Map<Name, number>();
  for (const name of names) ports.set(name, await findFreePort());
  return Object.fromEntries(ports) as Record<Name, number>;
}

/** The URL, over a link that listens on this port. */
export function overPort(url: string, port: number): string {
  const changed = new URL(url);
  changed.hostname = '127.0.0.1';
  changed.port = String(port);
  return changed.toString();
}

const asIs = (url: string): string => url;
