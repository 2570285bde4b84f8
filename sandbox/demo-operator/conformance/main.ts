// The demo operator beside its adapter for the conformance kit: a complete integration to try the kit on.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { startDemoOperator } from '../start.js';
import { startAdapter } from './adapter.js';

const RECOVERY_INTERVAL_MS = 1_000;
const FIRST_PAUSE_MS = 200;
const USAGE = 'use: main.js [--port NUMBER]   the adapter listens there, webhooks go to the port after it; 0: any';

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { port: { type: 'string', default: '7810' } } });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_534) throw new Error(USAGE);
  const stateDir = mkdtempSync(join(tmpdir(), 'demo-operator-'));
  const sandboxFile = join(stateDir, 'sandbox.json');
  const log = pino({ name: 'demo-operator', level: 'error' });
  const operator = await startDemoOperator({
    ...{ port: port === 0 ? 0 : port + 1, stateDir, sandboxFile, log },
    recoveryIntervalMs: RECOVERY_INTERVAL_MS,
    fetchBackPauseMs: FIRST_PAUSE_MS,
  });
  const adapter = await startAdapter({ port, operatorUrl: operator.url, sandboxFile, log });
  process.stdout.write(`adapter: ${adapter.url}\nwebhooks: ${operator.url}/webhooks\n`);

  const stop = (): void => {
    Promise.all([adapter.close(), operator.close()]).then(
      () => end(0),
      () => end(1),
    );
  };
  const end = (code: number): void => {
    rmSync(stateDir, { recursive: true, force: true });
    process.exit(code);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
}

main().catch((error: unknown) => {
  process.stderr.write(`demo-operator: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
