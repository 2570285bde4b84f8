// One way to read a process's configuration: a zod schema over its environment, one clear error naming the variable.
import { z } from 'zod';

/** Configuration is wrong; `message` names each variable and what it should be. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/** Parses and freezes. Empty variables count as absent. Throws ConfigurationError. */
export function readEnvironment<Schema extends z.ZodType>(schema: Schema, environment: NodeJS.ProcessEnv): Readonly<z.output<Schema>> {
  const present = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = schema.safeParse(present);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path[0]?.toString() ?? 'configuration'}: ${issue.message}`);
    throw new ConfigurationError(`configuration: ${problems.join('; ')}`);
  }
  return Object.freeze(parsed.data);
}

/** A TCP port with a default. */
export const port = (byDefault: number) => z.coerce.number().int().min(0).max(65_535).default(byDefault);

/** What every process that talks to Postgres and Temporal needs. */
export const sharedSchema = z.object({
  GATEWAY_ENVIRONMENT: z.enum(['sandbox', 'production']).default('sandbox'),
  DATABASE_URL: z.string().regex(/^postgres(ql)?:\/\//, 'must be a postgres:// URL'),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(1).max(200).default(20),
  TEMPORAL_ADDRESS: z.string().regex(/^[^\s:]+:\d+$/, 'must be host:port'),
  TEMPORAL_NAMESPACE: z.string().default('default'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
});
