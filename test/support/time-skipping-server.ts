// The time-skipping test server, started by ourselves: the SDK gives it five seconds, which a JVM on a busy machine
// exceeds.
import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { eventually } from '../../lab/harness/eventually.js';
import { findFreePort } from '../../tools/processes/ports.js';

const START_TIMEOUT_MS = 90_000;

export interface TimeSkippingServer {
  readonly environment: TestWorkflowEnvironment;
  /** Closes the connections and ends the server. */
  stop(): Promise<void>;
}

/** The SDK's factory of environments. It is not declared, as the SDK starts every time-skipping server itself. */
type Factory = {
  create(options: {
    readonly server: { readonly type: 'existing' };
    readonly supportsTimeSkipping: true;
    readonly address: string;
    readonly namespace: string;
  }): Promise<TestWorkflowEnvironment>;
};

/** Starts a server and connects to it. It belongs to this process's group, and ends with it. */
export async function startTimeSkippingServer(executable: string): Promise<TimeSkippingServer> {
  const port = await findFreePort();
  const child = spawn(executable, [String(port)], { stdio: 'ignore' });
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  let hasExited = false;
  void exited.then(() => (hasExited = true));
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  try {
    const isUp = async () => {
      if (hasExited) throw new Error(`the time-skipping server ended (exit code ${child.exitCode})`);
      return accepts(port);
    };
    await eventually(isUp, 'the time-skipping server accepts connections', START_TIMEOUT_MS);
    const environment = await (TestWorkflowEnvironment as unknown as Factory).create({
      server: { type: 'existing' },
      supportsTimeSkipping: true,
      address: `127.0.0.1:${port}`,
      namespace: 'default',
    });
    return {
      environment,
      stop: async () => {
        await environment.teardown();
        await kill();
      },
    };
  } catch (error) {
    await kill();
    throw error;
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
