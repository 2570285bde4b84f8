// The simulator process: reads its configuration, starts, and ends cleanly on a signal.
import { pino } from 'pino';
import { ConfigurationError } from '../config/environment.js';
import { readSimulatorConfig } from '../config/simulator.js';
import { traceLogFields } from '../telemetry/spans.js';
import { startTracing } from '../telemetry/tracing.js';
import { startSimulator } from './app.js';

/** One clear line for what an operator can mend; everything else keeps its stack. */
function explain(error: unknown): string {
  if (error instanceof ConfigurationError) return error.message;
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return 'the simulator\'s port is taken: end the other process, or set SIMULATOR_PORT';
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

try {
  const config = readSimulatorConfig(process.env);
  const tracing = await startTracing(config.tracing);
  const log = pino({ name: 'simulator', level: config.logLevel, ...(tracing.isOn ? { mixin: traceLogFields } : {}) });
  const simulator = await startSimulator(config, log);
  log.info({ url: simulator.url, providers: Object.keys(config.accounts), callbackUrl: config.callbackUrl }, 'simulator listening');
  const end = (signal: string): void => {
    log.info({ signal }, 'simulator ending');
    simulator.close().then(() => tracing.stop()).then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end(signal));
} catch (error) {
  process.stderr.write(`simulator: ${explain(error)}\n`);
  process.exit(1);
}
