// Ends a process that serves HTTP, and prints the message when one cannot start.
import { ConfigurationError } from '../config/environment.js';

/** The first signal shuts down gracefully, a second one at once. */
export function endOnSignal(end: () => Promise<void>): void {
  let ending = false;
  const onSignal = () => {
    if (ending) process.exit(1);
    ending = true;
    end().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
}

/** Says why the process could not start, and ends it. `ports` are the variables of the ports it listens on. */
export function failToStart(name: string, ports: string, error: unknown): never {
  process.stderr.write(`${name}: ${explain(error, ports)}\n`);
  process.exit(1);
}

function explain(error: unknown, ports: string): string {
  if (error instanceof ConfigurationError) return error.message;
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
    return `a port is in use: stop the other process, or set ${ports}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
