// The simulator process: reads its configuration, starts, and ends cleanly on a signal.
import { pino } from 'pino';
import { ConfigurationError } from '../../platform/config/environment.js';
import { readSimulatorConfig } from '../../platform/config/simulator.js';
import { traceLogFields } from '../../platform/telemetry/spans.js';
import { startTracing } from '../../platform/telemetry/tracing.js';
import { startSimulator } from './app.js';

/** One clear line for what the person who starts it can fix; everything else keeps its stack. */
function explain(error: unknown): string {
  if (error instanceof ConfigurationError) return error.message;
  if (!(error instanceof Error)) return String(error);
  return explainSystemError(error) ?? error.stack ?? error.message;
}

/** What the system refused is some variable's value; undefined where it is not. */
function explainSystemError({ code, syscall, path }: NodeJS.ErrnoException): string | undefined {
  if (code === 'EADDRINUSE') return "the simulator's port is taken: end the other process, or set SIMULATOR_PORT";
  if (code === 'EACCES' && syscall === 'listen') return 'SIMULATOR_PORT: this user may not listen there (EACCES)';
  if (syscall === 'listen' || syscall === 'getaddrinfo')
    return `SIMULATOR_HOST: is no address of this machine (${code ?? syscall})`;
  // The journal is the only file that is opened.
  if (code !== undefined && path !== undefined)
    return `SIMULATOR_STATE_DIR: ${path} cannot be used as the folder of the journal (${code})`;
  return undefined;
}

try {
  const config = readSimulatorConfig(process.env);
  const tracing = await startTracing(config.tracing);
  const log = pino({ name: 'simulator', level: config.logLevel, ...(tracing.isOn ? { mixin: traceLogFields } : {}) });
  const simulator = await startSimulator(config, log);
  log.info(
    { url: simulator.url, providers: Object.keys(config.accounts), callbackUrl: config.callbackUrl },
    'simulator listening',
  );
  const end = (signal: string): void => {
    log.info({ signal }, 'simulator ending');
    simulator
      .close()
      .then(() => tracing.stop())
      .then(
        () => process.exit(0),
        () => process.exit(1),
      );
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end(signal));
} catch (error) {
  process.stderr.write(`simulator: ${explain(error)}\n`);
  process.exit(1);
}
