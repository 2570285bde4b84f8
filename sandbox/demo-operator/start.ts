// Puts the demo operator together: ledger, fetch-back, recovery and server, started and stopped as one.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createFetchBack } from './fetch-back.js';
import { openLedger } from './ledger.js';
import { startRecovery } from './recovery.js';
import type { Recovery } from './recovery.js';
import { openSandboxFile } from './sandbox-file.js';
import { createServerApp } from './server.js';

export interface DemoOperatorOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** 0 chooses a free one. */
  readonly port: number;
  readonly stateDir: string;
  readonly sandboxFile: string;
  readonly recoveryIntervalMs: number;
  readonly log: Logger;
  /** First pause after a failed fetch-back. Default 1 s. */
  readonly fetchBackPauseMs?: number;
}

export interface DemoOperator {
  readonly url: string;
  close(): Promise<void>;
}

const REQUEST_TIMEOUT_MS = 10_000;
const CLOSE_WAIT_MS = 1_000;

/** Starts it. Rejects if the state cannot be read or the port is taken (`EADDRINUSE`). */
export async function startDemoOperator(options: DemoOperatorOptions): Promise<DemoOperator> {
  const { log } = options;
  const ledger = openLedger(options.stateDir);
  const sandbox = openSandboxFile(options.sandboxFile);
  const connection = sandbox.connection;
  const fetchBack = createFetchBack({
    ledger,
    connection,
    log,
    ...(options.fetchBackPauseMs === undefined ? {} : { firstPauseMs: options.fetchBackPauseMs }),
  });
  let recovery: Recovery | null = null;
  const recoveredAt = (): string | null => recovery?.lastRoundAt() ?? null;
  const handle = createServerApp({ ledger, fetchBack, connection, log, recoveredAt }).callback();
  const server = createServer(
    { requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: REQUEST_TIMEOUT_MS },
    (request, response) => void handle(request, response),
  );
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(options.port, options.host ?? '127.0.0.1', resolve);
    });
  } catch (error) {
    ledger.close();
    throw error;
  }
  recovery = startRecovery({ ledger, fetchBack, connection, log, intervalMs: options.recoveryIntervalMs });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      recovery?.stop();
      fetchBack.stop();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
        setTimeout(() => server.closeAllConnections(), CLOSE_WAIT_MS).unref();
      });
      await Promise.race([sandbox.close(), sleep(CLOSE_WAIT_MS, undefined, { ref: false })]);
      ledger.close();
    },
  };
}
