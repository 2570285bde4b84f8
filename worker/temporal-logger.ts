// Logs the Temporal SDK's messages with pino. An allow-list keeps inputs, results and failure details out.
import type { LogLevel, Logger as TemporalLogger, LogMetadata } from '@temporalio/worker';
import type { Logger } from 'pino';

const LEVELS: Record<LogLevel, 'trace' | 'debug' | 'info' | 'warn' | 'error'> = {
  TRACE: 'trace',
  DEBUG: 'debug',
  INFO: 'info',
  WARN: 'warn',
  ERROR: 'error',
};
const ALLOWED = [
  'workflowId',
  'runId',
  'workflowType',
  'activityType',
  'activityId',
  'taskQueue',
  'attempt',
  'sdkComponent',
] as const;

/** A Temporal logger over pino. */
export function temporalLogger(logger: Logger): TemporalLogger {
  const log = (level: LogLevel, message: string, meta?: LogMetadata) => logger[LEVELS[level]](allowed(meta), message);
  return {
    log,
    trace: (message, meta) => log('TRACE', message, meta),
    debug: (message, meta) => log('DEBUG', message, meta),
    info: (message, meta) => log('INFO', message, meta),
    warn: (message, meta) => log('WARN', message, meta),
    error: (message, meta) => log('ERROR', message, meta),
  };
}

function allowed(meta: LogMetadata | undefined): Record<string, unknown> {
  if (meta === undefined) return {};
  const fields = Object.fromEntries(
    ALLOWED.filter((name) => meta[name] !== undefined).map((name) => [name, String(meta[name])]),
  );
  const error: unknown = meta['error'];
  if (!(error instanceof Error)) return fields;
  // Failure messages and stacks contain no personal data.
  return { ...fields, error: { name: error.name, message: error.message, stack: error.stack } };
}
