// The configuration of the process that runs the staff's commands. Each command reads its own part (cli.ts).
import { z } from 'zod';
import { combined, drainSeconds, drainSecondsOf, port, readEnvironment, sharedSchema } from './environment.js';
import { commandSecretsSchema } from './secrets.js';
import { temporalSchema } from './temporal.js';
import { bothOrNeither, trustedProxies } from './trusted-proxies.js';

const PORT = 7813;

export const commandServerSchema = sharedSchema
  .pick({ GATEWAY_ENVIRONMENT: true, DATABASE_URL: true, LOG_LEVEL: true })
  .extend({
    COMMAND_HOST: z.string().default('127.0.0.1'),
    COMMAND_PORT: port(PORT),
    COMMAND_DRAIN_SECONDS: drainSeconds,
    /** The panel's TLS edge. */
    ...trustedProxies,
  });

const schema = combined({
  server: commandServerSchema.superRefine(bothOrNeither),
  temporal: temporalSchema,
  secrets: commandSecretsSchema,
}).transform(({ server }) => ({
  ...server,
  COMMAND_DRAIN_SECONDS: drainSecondsOf(server.COMMAND_DRAIN_SECONDS, server.GATEWAY_ENVIRONMENT),
}));

/** Reads and freezes the configuration; throws ConfigurationError naming every wrong variable. */
export function readCommandServerConfig(environment: NodeJS.ProcessEnv) {
  return readEnvironment(schema, environment, 'command');
}
