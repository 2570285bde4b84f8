// One run of the demo: what it is given, and what stops it.
import type { GatewayClient } from '../../client/index.js';
import type { DemoOperatorControl } from '../demo-operator/control-client.js';
import type { TlsFiles } from '../demo-operator/sandbox-file.js';

export interface DemoOptions {
  /** The content of var/sandbox.json. */
  readonly sandbox: {
    readonly base_url: string;
    readonly temporal_ui_url: string;
    readonly tls?: TlsFiles | undefined;
    readonly operation: { readonly key_id: string; readonly secret: string };
  };
  readonly demoOperatorUrl: string;
  readonly print: (line: string) => void;
  /** Runs the `gateway` command. */
  readonly gateway: (
    args: string[],
  ) => Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>;
  /** The bound of every single wait. Default 30 s. */
  readonly waitMs?: number;
}

/** What each step of a run needs. Every run has its own references, and so its own player. */
export interface Run extends DemoOptions {
  readonly waitMs: number;
  readonly client: GatewayClient;
  readonly operator: DemoOperatorControl;
  readonly reference: string;
  readonly playerRef: string;
}

/** The demo cannot continue. The message says what it expected and what it saw last. */
export class DemoStopped extends Error {
  override readonly name = 'DemoStopped';
}

/** Runs a `gateway` command. @returns what it printed */
export async function command(run: Run, args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run.gateway(args);
  if (code !== 0)
    throw new DemoStopped(
      `"gateway ${args.slice(0, 2).join(' ')}" ended with code ${code}: ${(stderr || stdout).trim().slice(0, 300)}`,
    );
  return stdout;
}
