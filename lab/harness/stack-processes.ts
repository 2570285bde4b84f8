// The processes of a test stack: one of each program, and more of them on ports of their own.
import { join } from 'node:path';
import { findFreePort } from '../../tools/processes/ports.js';
import { ProcessRegistry } from '../../tools/processes/registry.js';
import type { Service } from '../../tools/processes/service.js';
import type { UrlOfRole } from '../../tools/servers/postgres-roles.js';
import type { ProgramName } from '../../tools/servers/programs.js';
import { testService } from './processes.js';
import type { StackPorts } from './stack-environment.js';

interface StackProcessesOptions {
  readonly environment: Readonly<Record<string, string>>;
  readonly urlOfRole: UrlOfRole;
  readonly ports: StackPorts;
  /** The folder of their logs. */
  readonly home: string;
}

export class StackProcesses {
  readonly services: Readonly<Record<'simulator' | 'worker' | 'api' | 'ingress', Service>>;
  private readonly registry: ProcessRegistry;
  private readonly others: Service[] = [];

  constructor(private readonly options: StackProcessesOptions) {
    const { ports, home } = options;
    this.registry = new ProcessRegistry(join(home, 'processes.json'));
    this.services = {
      simulator: this.service('simulator', ports.simulator, 'sandbox/simulator'),
      worker: this.service('worker', ports.health, 'worker'),
      api: this.service('api', ports.api, 'api'),
      ingress: this.service('ingress', ports.ingress, 'ingress'),
    };
  }

  async start(): Promise<void> {
    await Promise.all(Object.values(this.services).map((service) => service.start()));
  }

  /** Starts one more process of that program. `more`: its additional variables. */
  async startAnother(
    program: ProgramName,
    more: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly url: string; readonly port: number; readonly process: Service }> {
    const port = await findFreePort();
    const names = ['API_PORT', 'WORKER_HEALTH_PORT', 'SIMULATOR_PORT', 'INGRESS_PORT', 'PANEL_PORT'];
    const variables = { ...Object.fromEntries(names.map((name) => [name, String(port)])), ...more };
    const logName = `${program.replaceAll('/', '-')}-${this.others.length + 2}`;
    const process = this.service(logName, port, program, variables);
    this.others.push(process);
    await process.start();
    return { url: `http://127.0.0.1:${port}`, port, process };
  }

  /** Ends all of them at once. */
  async kill(): Promise<void> {
    await Promise.all([...Object.values(this.services), ...this.others].map((service) => service.kill()));
    this.registry.close();
  }

  private service(
    name: string,
    healthPort: number,
    program: ProgramName,
    variables: Readonly<Record<string, string>> = {},
  ): Service {
    const { environment, urlOfRole, home } = this.options;
    return testService(
      {
        name,
        program,
        environment: { ...environment, ...variables },
        urlOfRole,
        healthPort,
        logFile: join(home, `${name}.log`),
      },
      this.registry,
    );
  }
}
