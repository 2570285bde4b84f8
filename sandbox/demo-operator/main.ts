// The demo operator's process: reads its configuration, starts, and stops orderly on SIGINT, SIGTERM or SIGHUP.
import { pino } from 'pino';
import { readDemoOperatorConfig } from '../../platform/config/demo-operator.js';
import { ConfigurationError } from '../../platform/config/environment.js';
import { startDemoOperator } from './start.js';

async function main(): Promise<void> {
  const environment = readDemoOperatorConfig(process.env);
  const log = pino({ name: 'demo-operator', level: environment.LOG_LEVEL });
  const operator = await startDemoOperator({
    host: environment.DEMO_OPERATOR_HOST,
    port: environment.DEMO_OPERATOR_PORT,
    stateDir: environment.DEMO_OPERATOR_STATE_DIR,
    sandboxFile: environment.DEMO_OPERATOR_SANDBOX_FILE,
    recoveryIntervalMs: environment.DEMO_OPERATOR_RECOVERY_SECONDS * 1000,
    log,
  });
  log.info({ url: operator.url }, 'demo operator listening');

  const stop = (signal: NodeJS.Signals): void => {
    log.info({ signal }, 'demo operator stopping');
    operator.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
}

main().catch((error: unknown) => {
  process.stderr.write(`demo-operator: ${startFailure(error)}\n`);
  process.exit(1);
});

function startFailure(error: unknown): string {
  if (error instanceof ConfigurationError) return error.message;
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
    return 'its port is taken: set DEMO_OPERATOR_PORT to a free one';
  return error instanceof Error ? error.message : String(error);
}
