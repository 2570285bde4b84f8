// One process of the gateway: killed, stopped, and started again, with other variables or another clock.
import { inRoot } from '../../tools/bootstrap/root.mjs';
import type { ProcessRegistry } from '../../tools/processes/registry.js';
import type { Service } from '../../tools/processes/service.js';
import type { UrlOfRole } from '../../tools/servers/postgres-roles.js';
import type { ProgramName } from '../../tools/servers/programs.js';
import { gatewayService } from '../../tools/stack/services.js';

export interface NodeSpec {
  readonly name: string;
  readonly program: ProgramName;
  readonly environment: Readonly<Record<string, string>>;
  readonly urlOfRole: UrlOfRole;
  /** Where it answers. */
  readonly port: number;
  readonly logFile: string;
  /** Ends it with the process that started it, however that ends. */
  readonly registry: ProcessRegistry;
}

/**
 * A program that stays down when it dies. The times are generous: the machine may be busy, and no program takes a
 * minute to end in good order.
 */
const LIMITS = { readyTimeoutMs: 90_000, stopTimeoutMs: 60_000, restarts: false };

export class Node {
  readonly #service: Service;
  #variables: Readonly<Record<string, string>> = {};
  #isUp = false;

  constructor(readonly spec: NodeSpec) {
    this.#service = gatewayService({ ...spec, healthPort: spec.port, limits: LIMITS }, spec.registry);
  }

  get name(): string {
    return this.spec.name;
  }

  /** Where it answers, without a path. */
  get url(): string {
    return `http://127.0.0.1:${this.spec.port}`;
  }

  /** Of the running process; undefined when none runs. */
  get pid(): number | undefined {
    return this.#service.pid;
  }

  /** Its log so far, over all starts. */
  log(): string {
    return this.#service.log();
  }

  /** Whether it was started and not killed or stopped since. */
  get isUp(): boolean {
    return this.#isUp;
  }

  /** Whether it runs with the variables of the environment and no others. */
  get isAsUsual(): boolean {
    return this.isUp && Object.keys(this.#variables).length === 0;
  }

  /** Starts it with additional variables and waits until it is ready. */
  async start(variables: Readonly<Record<string, string>> = {}): Promise<void> {
    this.#variables = variables;
    this.#isUp = true;
    await this.#service.start(variables);
  }

  /** SIGKILL. */
  async kill(): Promise<void> {
    await this.#service.kill();
    this.#isUp = false;
  }

  /** SIGTERM, and waits for its end. @returns its exit code */
  async stop(): Promise<number | null> {
    const code = await this.#service.stop();
    this.#isUp = false;
    return code;
  }

  async restart(variables: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.kill();
    await this.start(variables);
  }

  /** Makes it run as usual after anything that a scenario did to it, and also if something else killed it. */
  async heal(): Promise<void> {
    const answers =
      this.isAsUsual &&
      (await fetch(`${this.url}/healthz`, { signal: AbortSignal.timeout(5_000) }).then(
        () => true,
        () => false,
      ));
    if (!answers) await this.restart();
  }
}

/** Variables for a process whose clock is off by this many seconds. */
export function withClockOff(seconds: number): Readonly<Record<string, string>> {
  return {
    NODE_OPTIONS: `--import=${inRoot('lab', 'harness', 'clock-off.mjs')}`,
    CLOCK_OFF_SECONDS: String(seconds),
  };
}
