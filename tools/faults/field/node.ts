// One process of the gateway in a campaign: killed, stopped, and started again, with other variables or another clock if need be.
import { join } from 'node:path';
import { inRoot } from '../../bootstrap/root.mjs';
import type { ProcessRegistry } from '../../processes/registry.js';
import { type ProgramName, TestProcess } from '../../harness/processes.js';

export interface NodeSpec {
  readonly name: string;
  readonly program: ProgramName;
  readonly environment: Readonly<Record<string, string>>;
  /** Where it answers, without a path. */
  readonly url: string;
  readonly logFile: string;
  /** Ends it with the campaign, however that ends. */
  readonly registry: ProcessRegistry;
}

export class Node {
  #process: TestProcess | null = null;
  #variables: Readonly<Record<string, string>> = {};

  constructor(readonly spec: NodeSpec) {}

  get name(): string {
    return this.spec.name;
  }

  get isUp(): boolean {
    return this.#process !== null;
  }

  /** Whether it runs as a campaign's field had it at the start. */
  get isAsUsual(): boolean {
    return this.isUp && Object.keys(this.#variables).length === 0;
  }

  /** Starts it with these variables beside its own and waits until it is ready. */
  async start(variables: Readonly<Record<string, string>> = {}): Promise<void> {
    const { name, program, environment, url, logFile, registry } = this.spec;
    this.#variables = variables;
    this.#process = new TestProcess(
      name,
      program,
      { ...environment, ...variables },
      `${url}/healthz`,
      logFile,
      registry,
    );
    await this.#process.start();
  }

  /** SIGKILL. */
  async kill(): Promise<void> {
    await this.#process?.kill();
    this.#process = null;
  }

  /** SIGTERM, and waits for its end. @returns its exit code */
  async stop(): Promise<number | null> {
    const code = (await this.#process?.stop()) ?? null;
    this.#process = null;
    return code;
  }

  async restart(variables: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.kill();
    await this.start(variables);
  }

  /** Up and as usual, whatever a scenario did to it. Also after it was killed behind this object's back. */
  async heal(): Promise<void> {
    const answers =
      this.isAsUsual &&
      (await fetch(`${this.spec.url}/healthz`, { signal: AbortSignal.timeout(5_000) }).then(
        () => true,
        () => false,
      ));
    if (!answers) await this.restart();
  }
}

/** Variables for a process whose clock is off by so many seconds. */
export function withClockOff(seconds: number): Readonly<Record<string, string>> {
  return {
    NODE_OPTIONS: `--import=${join(inRoot('tools', 'faults', 'field'), 'clock-off.mjs')}`,
    CLOCK_OFF_SECONDS: String(seconds),
  };
}
